import type { ErrorBody } from '#shared/errors.ts'
import type { SheetPreview } from '#shared/schemas/posting.ts'
import type { Caller } from './app.ts'
import { anXlsx, aWorkbook, workbookParts, zip } from './sheets.ts'
import { allowUpload, putFile } from './uploads.ts'

const row = (cells: string, attributes = 'r="1"') => `<row ${attributes}>${cells}</row>`
const cell = (reference: string, value = '1') => `<c r="${reference}"><v>${value}</v></c>`
const heading = row('<c t="inlineStr"><is><t>VIN</t></is></c><c t="inlineStr"><is><t>Year</t></is></c>')
const aSheet = (rows: string, more: Partial<Parameters<typeof aWorkbook>[0]> = {}) =>
  aWorkbook({ sheets: [heading + rows], ...more })
const withSheet = (xml: string) => aWorkbook({ sheets: [''], parts: { 'xl/worksheets/sheet1.xml': xml } })
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join('')

/** A "billion laughs" XML document, which expands to billions of characters in a naive parser. */
const laughs = `<!DOCTYPE worksheet [<!ENTITY l0 "ha">${times(30, (i) => `<!ENTITY l${i + 1} "&l${i};&l${i};">`)}]>
  <worksheet><sheetData>${row('<c t="inlineStr"><is><t>&l30;</t></is></c>')}</sheetData></worksheet>`

function withBrokenDirectory(): Buffer {
  const workbook = anXlsx([['VIN', 'Year']])
  const entry = workbook.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
  return Buffer.concat([workbook.subarray(0, entry), Buffer.alloc(20, 0xff), workbook.subarray(entry + 20)])
}

const overdue = /could not be read within 5 s/
/** Returns a pattern that also matches the deadline error, because on a busy machine any file may reach the deadline first. */
export const orOverdue = (answer: RegExp) => new RegExp(`${answer.source}|${overdue.source}`)

export const hostileSheets: Record<string, [file: Buffer, answer: RegExp]> = {
  'a bomb': [aSheet(' '.repeat(24 * 1024 * 1024)), /more than 20 MB/],
  'a bomb that lies about its size': [
    zip(workbookParts({ sheets: [' '.repeat(16 * 1024 * 1024)] }), { 'xl/worksheets/sheet1.xml': 4_000 }),
    /damaged/,
  ],
  'a cell in the last column': [aSheet(row(cell('XFD1048576'), 'r="2"')), /more than 1,000 columns/],
  'a cell in a column that no spreadsheet has': [aSheet(row(cell('ZZZZZZ2'), 'r="2"')), /damaged/],
  'rows without an end': [
    aSheet(times(90_000, (i) => row(cell(`A${i + 2}`), `r="${i + 2}"`))),
    /more than 25,000 rows/,
  ],
  'a row far below': [aSheet(row(cell('A1048576'), 'r="1048576"')), /more than 25,000 rows/],
  'a long text that many cells show': [
    aSheet(
      times(20_000, (i) => row(`<c t="s"><v>0</v></c>`, `r="${(i % 9_000) + 2}"`)),
      {
        strings: `<si><t>${'long '.repeat(200_000)}</t></si>`,
      },
    ),
    /more than 20 MB/,
  ],
  'tags that are never closed': [withSheet(`<worksheet><sheetData>${'<row><c r="'.repeat(200_000)}`), /damaged/],
  'a cell with a hundred thousand attributes': [
    withSheet(`<worksheet><sheetData><row><c ${times(100_000, (i) => `a${i}="" `)}/></row></sheetData></worksheet>`),
    /damaged/,
  ],
  'entities of entities': [withSheet(laughs), /damaged/],
  'a broken directory': [withBrokenDirectory(), /damaged/],
  'thousands of sheets': [aWorkbook({ sheets: Array.from({ length: 5_000 }, () => heading) }), /more than 2,000 parts/],
  'elements a hundred thousand deep': [withSheet(`${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`), /damaged/],
  'a CSV file of one long line': [Buffer.alloc(9 * 1024 * 1024, 'VIN'), /No heading row was found/],
  'a CSV file of a million columns': [Buffer.from(`VIN,Year\n${'1,'.repeat(1_000_000)}1\n`), /more than 1,000 columns/],
}

/** A sheet that takes seconds to read, because each merged range covers every row. */
export const slowSheet = (): Buffer => {
  const rows = times(24_000, () => row('<c t="inlineStr"><is><t>a</t></is></c>', ''))
  const merges = times(5_000, () => '<mergeCell ref="A2:A25000"/>')
  return withSheet(`<worksheet><sheetData>${heading}${rows}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`)
}

export async function uploadSheet(seller: Caller, file: Buffer): Promise<{ objectId: string }> {
  const { uploadURL, objectId } = await allowUpload(seller, { kind: 'sheet' })
  const sent = await putFile(uploadURL, file, 'text/csv')
  if (!sent.ok) throw new Error(`the upload was refused: ${sent.status} ${await sent.text()}`)
  return { objectId }
}

export const previewSheet = async (seller: Caller, file: Buffer) =>
  seller.post<Partial<ErrorBody & SheetPreview>>('/api/spreadsheets/preview', await uploadSheet(seller, file))
