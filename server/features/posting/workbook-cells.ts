import { assertColumn, SheetBudget, SheetGrid, type SheetRow } from './sheet-bounds.ts'
import { damaged, type ReadPart } from './workbook-xml.ts'

interface CellContext {
  strings: readonly string[]
  /** Whether a cell style formats numbers as dates, by style index. */
  dateStyles: readonly boolean[]
  from1904: boolean
}

/** Collects the text of a cell or shared string, without phonetic hints. */
class CellText {
  #text = ''
  #isInside = false
  #isHint = false

  open(name: string): void {
    if (name === 'rPh') this.#isHint = true
    else if (name === 't' || name === 'v') this.#isInside = !this.#isHint
  }

  add(text: string): void {
    if (this.#isInside) this.#text += text
  }

  close(name: string): void {
    if (name === 'rPh') this.#isHint = false
    this.#isInside = false
  }

  take(): string {
    const text = this.#text.replaceAll('_x000D_', '')
    this.#text = ''
    return text
  }
}

export async function readStrings(read: ReadPart, path: string | undefined): Promise<string[]> {
  const strings: string[] = []
  const text = new CellText()
  await read(path, {
    open: (name) => text.open(name),
    text: (more) => text.add(more),
    close(name) {
      text.close(name)
      if (name === 'si') strings.push(text.take())
    },
  })
  return strings
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
/** Built-in date formats (ECMA-376 18.8.30), including those of East Asia. */
const knownDateFormats = [...range(14, 22), ...range(27, 36), ...range(45, 47), ...range(50, 58)].map(String)
const formatCodeMax = 255

export async function readDateStyles(read: ReadPart, path: string | undefined): Promise<boolean[]> {
  const dateFormats = new Set(knownDateFormats)
  const styles: boolean[] = []
  let isCellStyle = false
  await read(path, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'cellXfs') isCellStyle = true
      else if (name === 'xf' && isCellStyle) styles.push(dateFormats.has(numFmtId))
      else if (name === 'numFmt' && isDateFormat(formatCode)) dateFormats.add(numFmtId)
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return styles
}

/** True if the code has a date letter outside of literals: `d-mmm-yy`, but not `#,##0 "miles"`. */
function isDateFormat(code: string): boolean {
  const positive = code.slice(0, formatCodeMax).split(';')[0] ?? ''
  return /[dmyhs]/i.test(positive.replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, ''))
}

/** Reads the rows of a sheet. @throws SheetRefused */
export async function readCells(read: ReadPart, path: string, context: CellContext): Promise<SheetRow[]> {
  const grid = new SheetGrid()
  // A separate budget, because a large shared string may be shown in thousands of cells.
  const shown = new SheetBudget()
  const text = new CellText()
  const at = { isSheet: false, row: 0, column: -1, type: 'n', isDate: false }
  let cells: string[] = []
  const keep = (value: string) => {
    if (value.trim() === '') return
    assertColumn(at.column)
    shown.take(value.length)
    while (cells.length < at.column) cells.push('')
    cells[at.column] = value
  }
  await read(path, {
    open(name, { r, s = '0', t = 'n' }) {
      if (name === 'sheetData') at.isSheet = true
      else if (name === 'row') Object.assign(at, { row: r === undefined ? at.row + 1 : rowIn(r), column: -1 })
      else if (name === 'c')
        Object.assign(at, {
          column: r === undefined ? at.column + 1 : columnIn(r),
          type: t,
          isDate: context.dateStyles[Number(s)] ?? false,
        })
      text.open(name)
    },
    text: (more) => text.add(more),
    close(name) {
      text.close(name)
      if (name === 'sheetData') at.isSheet = false
      if (name === 'c') keep(valueOf(at, text.take(), context))
      if (name === 'row' && at.isSheet) {
        grid.add(at.row, cells)
        cells = []
      }
    },
  })
  return grid.rows
}

function rowIn(reference: string): number {
  if (!/^\d{1,7}$/.test(reference)) throw damaged()
  return Number(reference)
}

/** `A1` is 0, `AA1` is 26. */
function columnIn(reference: string): number {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(reference)?.[1]
  if (letters === undefined) throw damaged()
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** The displayed value of a cell. Formulas show their last result, errors nothing. */
function valueOf(
  { type, isDate }: { type: string; isDate: boolean },
  text: string,
  { strings, from1904 }: CellContext,
): string {
  if (type === 's') return strings[Number(text)] ?? ''
  if (type === 'e') return ''
  if (type === 'b') return text.trim() === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n' || text.trim() === '') return text
  const number = Number(text)
  if (!Number.isFinite(number)) return text
  return (isDate ? dateIn(number, from1904) : undefined) ?? inDigits(number)
}

/** Rounds to a spreadsheet's precision: 3.3 is stored as 3.2999999999999998. */
const inDigits = (number: number) => String(Number(number.toPrecision(15)))

const daySeconds = 86_400
/** Day number of 1970-01-01 in the 1900 system, and the offset of the 1904 system. */
const epochDay = 25_569
const days1904 = 1_462
const dayMax = 2_958_465

/** Converts a spreadsheet's day number to a date, time or both. Undefined if out of range. */
function dateIn(number: number, from1904: boolean): string | undefined {
  const day = from1904 ? number + days1904 : number
  if (day < 0 || day > dayMax) return undefined
  // The 1900 system includes a nonexistent 29 February 1900, inherited from Lotus 1-2-3.
  const shift = !from1904 && day < 60 ? 1 : 0
  const iso = new Date(Math.round((day + shift - epochDay) * daySeconds) * 1_000).toISOString()
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 16)]
  if (number < 1) return time
  return time === '00:00' ? date : `${date} ${time}`
}
