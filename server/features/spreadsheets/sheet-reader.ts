import Papa from 'papaparse'
import { readRows, type SheetContent } from './sheet-rows.ts'
import { SheetRefused } from './sheet-refused.ts'
import { readXlsx } from './xlsx.ts'

/** More rows than this are not looked at. */
const sheetRowsMax = 2_000

/** Vehicles of a CSV or XLSX file. @throws SheetRefused when it is neither, or has no usable heading */
export function readSheet(content: Buffer, place: { city: string; state: string }): SheetContent {
  return readRows(isWorkbook(content) ? readXlsx(content, sheetRowsMax) : readCsv(content), place)
}

const isWorkbook = (content: Buffer) => content.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004'

function readCsv(content: Buffer): string[][] {
  if (content.includes(0)) throw new SheetRefused('The link is not a CSV or XLSX file')
  const text = content.toString('utf8').replace(/^\uFEFF/, '')
  if (/^\s*<(!doctype|html)/i.test(text))
    throw new SheetRefused('The link shows a web page, not a spreadsheet. Publish the sheet or link to its CSV file')
  return Papa.parse<string[]>(text, { preview: sheetRowsMax, skipEmptyLines: false }).data
}

/** The file behind a link that people copy from their browser: a Google sheet is exported as CSV. */
export function fileLink(link: string): string {
  const sheet = /^https:\/\/docs\.google\.com\/spreadsheets\/d\/([\w-]+)/.exec(link)?.[1]
  if (sheet === undefined || sheet === 'e') return link.replace(/\/pubhtml\b/, '/pub').replace(/^(https:\/\/docs\.google\.com\/spreadsheets\/d\/e\/[^?]+)$/, '$1?output=csv') // prettier-ignore
  const tab = /[#&?]gid=(\d+)/.exec(link)?.[1] ?? '0'
  return `https://docs.google.com/spreadsheets/d/${sheet}/export?format=csv&gid=${tab}`
}
