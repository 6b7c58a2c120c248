import Papa from 'papaparse'
import { SheetBudget, SheetGrid, SheetRefused, type SheetRow } from './sheet-bounds.ts'
import { readRows, type SheetContent } from './sheet-rows.ts'
import { readWorkbook } from './workbook.ts'

/** Rows of a CSV file, whatever separates its columns. @throws SheetRefused */
function readCsv(content: Buffer): SheetRow[] {
  new SheetBudget().take(content.length)
  if (content.includes(0)) throw new SheetRefused('The link is not a CSV or XLSX file')
  const text = content.toString('utf8').replace(/^\uFEFF/, '')
  if (/^\s*<(!doctype|html)/i.test(text))
    throw new SheetRefused('The link shows a web page, not a spreadsheet. Publish the sheet or link to its CSV file')
  const grid = new SheetGrid()
  let number = 0
  // Row by row: the fast mode, and a result for the whole, would split all of it before a row is looked at.
  Papa.parse<string[]>(text, { fastMode: false, step: ({ data }) => grid.add(++number, data) })
  return grid.rows
}

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
