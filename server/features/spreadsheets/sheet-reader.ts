import { readCsv } from './sheet-csv.ts'
import { readRows, type SheetContent } from './sheet-rows.ts'
import { readWorkbook } from './workbook.ts'

/** A file to read, and what its rows need not say. */
export interface SheetOrder {
  content: Uint8Array
  place: { city: string; state: string }
  /** Vehicles taken over; rows after them are left out. */
  vehiclesMax: number
}

/** Runs in a thread of its own: the file may be made to be slow. @throws SheetRefused when it cannot be used */
export async function readSheet({ content, place, vehiclesMax }: SheetOrder): Promise<SheetContent> {
  const file = Buffer.from(content.buffer, content.byteOffset, content.length)
  return readRows(isWorkbook(file) ? await readWorkbook(file) : readCsv(file), place, vehiclesMax)
}

const isWorkbook = (file: Buffer) => file.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004'
