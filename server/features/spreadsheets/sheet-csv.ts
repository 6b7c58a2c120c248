import Papa from 'papaparse'
import { SheetBudget, SheetGrid, SheetRefused, type SheetRow } from './sheet-bounds.ts'

/** Rows of a CSV file, whatever separates its columns. @throws SheetRefused */
export function readCsv(content: Buffer): SheetRow[] {
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
