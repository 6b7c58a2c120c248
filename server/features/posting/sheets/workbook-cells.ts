import { cutText } from '#shared/cut-text.ts'
import { formatNumber } from '#shared/format.ts'
import {
  assertColumn,
  columnsMax,
  SheetBudget,
  SheetGrid,
  SheetRefused,
  type SheetRow,
  type SheetTable,
} from './sheet-bounds.ts'
import { type NumberFormat, shownNumber } from './workbook-formats.ts'
import { damaged, isOn, type ReadPart } from './workbook-xml.ts'

interface CellContext {
  strings: readonly string[]
  /** Number formats, indexed by the cell's style. */
  formats: readonly NumberFormat[]
  /** True if dates count from 1904 instead of 1900. */
  from1904: boolean
}

/** Collects the text of a cell or shared string, without phonetic hints. */
class CellText {
  #text = ''
  #formula = ''
  #isInside = false
  #isFormula = false
  #isHint = false

  open(name: string): void {
    if (name === 'rPh') this.#isHint = true
    else if (name === 'f') {
      this.#isFormula = true
      this.#formula = '='
    } else if (name === 't' || name === 'v') this.#isInside = !this.#isHint
  }

  add(text: string): void {
    if (this.#isInside) this.#text += text
    else if (this.#isFormula) this.#formula += text
  }

  close(name: string): void {
    if (name === 'rPh') this.#isHint = false
    this.#isInside = false
    this.#isFormula = false
  }

  takeFormula(): string {
    const formula = this.#formula
    this.#formula = ''
    return formula
  }

  take(): string {
    // Characters that XML cannot represent are written as `_x000D_` (ECMA-376, 22.4.2.4).
    const text = this.#text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
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

interface Merge {
  column: number
  first: number
  last: number
}

const mergesMax = 5_000
const formulaMax = 200

/** Reads the visible rows of a sheet. @throws SheetRefused if the sheet is damaged or too large */
export async function readCells(read: ReadPart, path: string, context: CellContext): Promise<SheetTable> {
  const grid = new SheetGrid()
  const merges: Merge[] = []
  const hidden = new Set<number>()
  const hiddenColumns = new Set<number>()
  // Count shared text for each cell: a 1 MB string is unpacked only once, but 10,000 cells may refer to it.
  const shown = new SheetBudget()
  const text = new CellText()
  const at = { isSheet: false, row: 0, column: -1, type: 'n', style: 0 }
  let cells: string[] = []
  const keep = (value: string) => {
    if (value.trim() === '') return
    assertColumn(at.column)
    shown.take(value.length)
    while (cells.length < at.column) cells.push('')
    cells[at.column] = value
  }
  await read(path, {
    open(name, attributes) {
      const { r, s = '0', t = 'n' } = attributes
      if (name === 'sheetData') at.isSheet = true
      else if (name === 'col') addHidden(hiddenColumns, attributes)
      else if (name === 'row') {
        Object.assign(at, { row: r === undefined ? at.row + 1 : rowIn(r), column: -1 })
        if (isUnseen(attributes)) hidden.add(at.row)
      } else if (name === 'c')
        Object.assign(at, { column: r === undefined ? at.column + 1 : columnIn(r), type: t, style: Number(s) })
      else if (name === 'mergeCell') merges.push(...mergeIn(attributes['ref'] ?? ''))
      text.open(name)
    },
    text: (more) => text.add(more),
    close(name) {
      text.close(name)
      if (name === 'sheetData') at.isSheet = false
      if (name === 'c') {
        const formula = text.takeFormula()
        // Programs that write formulas without calculating them omit the result.
        keep(valueOf(at, text.take(), context) || cutText(formula, formulaMax))
      }
      if (name === 'row' && at.isSheet) {
        grid.add(at.row, cells)
        cells = []
      }
    },
  })
  if (merges.length > mergesMax)
    throw new SheetRefused(
      `The sheet has more than ${formatNumber(mergesMax)} cells that are merged across rows. Unmerge them and save it again`,
    )
  const rows = fillMerged(grid.rows, merges, shown)
  const seen = rows.filter(({ number }) => !hidden.has(number))
  return { rows: seen, faults: [], hiddenRows: rows.length - seen.length, isText: false, hiddenColumns }
}

const isUnseen = ({ hidden, ht }: Readonly<Record<string, string>>): boolean =>
  isOn(hidden) || (ht !== undefined && Number(ht) === 0)

function addHidden(columns: Set<number>, { min, max, hidden, width }: Readonly<Record<string, string>>): void {
  if (!isOn(hidden) && (width === undefined || Number(width) !== 0)) return
  for (let column = Number(min); column <= Math.min(Number(max), columnsMax); column++) columns.add(column - 1)
}

/** Parses a merged range: in `B2:B5`, one make applies to four vehicles. Ignores ranges of a single row. */
function mergeIn(reference: string): Merge[] {
  const [, from = '', first = '', last = ''] = /^([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(reference) ?? []
  return Number(last) > Number(first)
    ? [{ column: columnIn(`${from}1`), first: Number(first), last: Number(last) }]
    : []
}

/** Copies the text of each merged range into all of its nonempty rows. */
function fillMerged(rows: readonly SheetRow[], merges: readonly Merge[], shown: SheetBudget): readonly SheetRow[] {
  if (merges.length === 0) return rows
  const filled = new Map(rows.map(({ number, cells }) => [number, [...cells]]))
  for (const { column, first, last } of merges) {
    const text = filled.get(first)?.[column] ?? ''
    if (text === '') continue
    for (let row = first + 1; row <= Math.min(last, first + rows.length); row++) {
      const cells = filled.get(row)
      if (cells === undefined || (cells[column] ?? '') !== '') continue
      shown.take(text.length)
      while (cells.length < column) cells.push('')
      cells[column] = text
    }
  }
  return rows.map(({ number }) => ({ number, cells: filled.get(number) ?? [] }))
}

function rowIn(reference: string): number {
  if (!/^\d{1,7}$/.test(reference)) throw damaged()
  return Number(reference)
}

/** Returns the column index of a cell reference: 0 for `A1`, 26 for `AA1`. */
function columnIn(reference: string): number {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(reference)?.[1]
  if (letters === undefined) throw damaged()
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Returns the text that a cell shows. For a formula, this is its last calculated result. */
function valueOf(
  { type, style }: { type: string; style: number },
  text: string,
  { strings, formats, from1904 }: CellContext,
): string {
  if (type === 's') return strings[Number(text)] ?? ''
  if (type === 'b') return text.trim() === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n' || text.trim() === '') return text
  const number = Number(text)
  if (!Number.isFinite(number)) return text
  const format = formats[style] ?? { isDate: false }
  return (format.isDate ? dateIn(number, from1904) : undefined) ?? shownNumber(number, format)
}

const daySeconds = 86_400
/** Day number of 1970-01-01 in the 1900 date system, and the days between the 1900 and 1904 systems. */
const epochDay = 25_569
const days1904 = 1_462
const dayMax = 2_958_465

/** Converts a spreadsheet's day number to a date, time or both. Undefined if out of range. */
function dateIn(number: number, from1904: boolean): string | undefined {
  const day = from1904 ? number + days1904 : number
  if (day < 0 || day > dayMax) return undefined
  // Excel's 1900 date system includes February 29, 1900, which never existed (a bug inherited from Lotus 1-2-3).
  const shift = !from1904 && day < 60 ? 1 : 0
  const iso = new Date(Math.round((day + shift - epochDay) * daySeconds) * 1_000).toISOString()
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 16)]
  if (number < 1) return time
  return time === '00:00' ? date : `${date} ${time}`
}
