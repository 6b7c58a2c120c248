import { SheetRefused } from './sheet-bounds.ts'
import type { SheetChoices } from '../sheet-choice.ts'
import { readCsv } from './sheet-csv.ts'
import { readRows, type SheetContent } from './sheet-rows.ts'
import { readWorkbook } from './workbook.ts'

/** `place` is the dealer's location, which is used for vehicles without their own. */
export interface SheetOrder {
  content: Uint8Array
  place: { city: string; state: string }
  vehiclesMax: number
  choices?: SheetChoices | undefined
}

/** Reads a CSV or XLSX file. Call it in a worker thread: a malicious file may take long. @throws SheetRefused if the file is unusable */
export async function readSheet({ content, ...order }: SheetOrder): Promise<SheetContent> {
  const file = Buffer.from(content.buffer, content.byteOffset, content.length)
  if (beginsWith(file, oldWorkbook))
    throw new SheetRefused('The file is an old Excel workbook, or has a password. Save it as XLSX without a password')
  return readRows(beginsWith(file, archive) ? await readWorkbook(file) : readCsv(file), order)
}

const archive = 'PK\u0003\u0004'
/** First bytes of the compound file format, which .xls files and password-protected workbooks use. */
const oldWorkbook = '\u00d0\u00cf\u0011\u00e0'

const beginsWith = (file: Buffer, text: string) => file.subarray(0, text.length).toString('latin1') === text
