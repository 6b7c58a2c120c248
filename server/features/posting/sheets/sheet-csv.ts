import { cutText } from '#shared/cut-text.ts'
import { vinLength } from '#shared/limits.ts'
import type { SheetFault } from '#shared/schemas/posting.ts'
import { SheetBudget, SheetGrid, SheetRefused, type SheetTable, tooWide } from './sheet-bounds.ts'
import { amountColumns, beginsColumns, isHeading, mapColumns } from './sheet-columns.ts'
import { isWhole, type ParsedRow, parseRow } from './sheet-csv-row.ts'
import { decodeText } from './sheet-text.ts'

const delimiters = [',', ';', '\t', '|', '^', '~', '\u001e', '\u001f']
const previewMax = 32_768
const previewLines = 40

/** Reads a delimited text file and detects its delimiter. @throws SheetRefused if the file cannot be used */
export function readCsv(content: Buffer): SheetTable {
  new SheetBudget().take(content.length)
  const decoded = decodeText(content)
  if (
    /^\s*(?:<!--[^>]*-->\s*)*<(?:!doctype|html|head|body|table|style|script|div|meta|\?xml)/i.test(
      decoded.slice(0, previewMax),
    )
  )
    throw new SheetRefused('This is a web page, not a spreadsheet. Publish the sheet or use its CSV file')
  if (/^(?:%PDF-|\{\\rtf)/.test(decoded))
    throw new SheetRefused('This is a document, not a spreadsheet. Use a CSV or XLSX file')
  // Spreadsheet programs write `="…"` to mark a cell as text, and a form feed at the end of a printed page.
  const text = decoded.replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n').replace(/\f/g, '')
  const own = /^"?sep=([^\w\s"]|\t)"?[ \t]*\n/i.exec(text)?.[1]
  const delimiter = own ?? delimiterOf(text)
  const reading = new CsvReading(text.replaceAll(`${delimiter}="`, `${delimiter}"`).replace(/^="/gm, '"'), delimiter)
  reading.readAll()
  return reading.table()
}

/** Returns the delimiter that yields the most known headings in one of the first lines. */
function delimiterOf(text: string): string {
  const lines = text.slice(0, previewMax).split('\n', previewLines)
  const counts = delimiters.map((delimiter) => {
    const found = lines.map((line) => line.split(delimiter).map(unquoted)).filter(isHeading)
    return Math.max(0, ...found.map((cells) => mapColumns(cells).size))
  })
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Removes the quotation marks around a cell. If a whole line is quoted, its first and last cells have only one. */
const unquoted = (cell: string): string => cell.trim().replace(/^"|"$/g, '')

/** These match the first and the remaining digits of a number split at a thousands separator, perhaps with a currency or unit. */
const numberStart = /^[^\d,]{0,12}\d{1,3}(?:,\d{3})*$/
const numberRest = /^\d{3}(?:\.\d{1,2})?(?:\D{0,12})$/

/** Returns the columns that may hold the start of a number split at its comma. The next column holds the rest. */
const splitsIn = ({ cells, quoted }: ParsedRow): number[] =>
  cells.flatMap((cell, index) =>
    numberStart.test(cell.trim()) &&
    numberRest.test((cells[index + 1] ?? '').trim()) &&
    !quoted.has(index) &&
    !quoted.has(index + 1)
      ? [index]
      : [],
  )

function joinThousands({ cells, quoted }: ParsedRow, columns: ReadonlySet<number>): readonly string[] {
  const joined: string[] = []
  for (const [index, cell] of cells.entries()) {
    const last = joined.at(-1) ?? ''
    const isRest = numberStart.test(last.trim()) && numberRest.test(cell.trim())
    if (isRest && !quoted.has(index) && !quoted.has(index - 1) && columns.has(joined.length - 1))
      joined[joined.length - 1] = `${last},${cell}`
    else joined.push(cell)
  }
  return joined
}

interface Repair {
  cells: readonly string[]
  message: string
}

const fullVin = new RegExp(`(?<![A-Za-z0-9])[A-HJ-NPR-Z0-9]{${vinLength}}(?![A-Za-z0-9])`)
const textMax = 200
const endsEarly = 'the row ends early and may continue in the next one: check both'
const notClosed = 'a quotation mark is not closed'
const notApart = 'the cells could not be separated: check the quotation marks'
const otherSeparator = 'the row uses a different separator than the heading: check this row'

/** Reads rows one by one. A row with a misplaced quotation mark ends at its line break, so that later rows stay intact. */
class CsvReading {
  readonly #text: string
  readonly #delimiter: string
  readonly #grid = new SheetGrid()
  readonly #faults: SheetFault[] = []
  #number = 0
  #heading: readonly string[] = []
  #amounts: ReadonlySet<number> = new Set()
  #lastWidth = 0
  readonly #splits = new Map<number, readonly number[]>()

  constructor(text: string, delimiter: string) {
    this.#text = text
    this.#delimiter = delimiter
  }

  table(): SheetTable {
    return { rows: this.#grid.rows, faults: this.#faults, hiddenRows: 0, isText: true, splits: this.#splits }
  }

  readAll(): void {
    for (let at = 0; at < this.#text.length;) {
      const row = parseRow(this.#text, at, this.#delimiter)
      const line = this.#lineAt(at)
      if (row === undefined || this.#containsRows(row.cells)) {
        this.#repair(line)
        at += line.length + 1
      } else {
        const isOne = row.cells.length === 1 && this.#width !== 1
        const isTooWide = this.#isTooWide(row.cells) && line.includes('"')
        if (!(isOne && this.#addSingleCellRow(row)) && !(isTooWide && this.#repairs(line))) this.#take(row)
        at = row.end + 1
      }
    }
  }

  #lineAt(start: number): string {
    const end = this.#text.indexOf('\n', start)
    return this.#text.slice(start, end < 0 ? this.#text.length : end)
  }

  #add(cells: readonly string[]): number {
    this.#number += 1
    if (this.#width === 0 ? isHeading(cells) : beginsColumns(cells)) {
      this.#heading = cells
      this.#amounts = amountColumns(cells)
    }
    const isHalved = this.#lastWidth > 1 && cells.length > 1 && this.#lastWidth + cells.length - 1 === this.#width
    if (isHalved) this.#faults.push({ row: this.#number - 1, message: endsEarly, listed: true })
    this.#lastWidth = cells.length
    this.#grid.add(this.#number, cells)
    return this.#number
  }

  /** Adds a well-formed row. Joins unquoted numbers that were split at their thousands separator. */
  #take(row: ParsedRow): void {
    const { cells } = row
    if (this.#delimiter !== ',') return void this.#add(cells)
    const joined = cells.length > this.#width ? joinThousands(row, this.#amounts) : cells
    if (joined.length === cells.length) {
      const number = this.#add(cells)
      const splits = splitsIn(row)
      if (splits.length > 0) this.#splits.set(number, splits)
      return
    }
    const isComplete = joined.slice(this.#width).every((cell) => cell.trim() === '')
    if (isComplete) this.#add(joined)
    else this.#number += 1
    const message = isComplete ? 'a number has a comma and is not quoted: check this row' : tooWide
    const text = cutText(cells.join(this.#delimiter), textMax)
    this.#faults.push({ row: this.#number, message, text, ...(isComplete && { listed: true }) })
  }

  /** Handles a row that is one cell, because it is quoted as a whole or has another separator. True if it was added or reported. */
  #addSingleCellRow({ cells: [cell = ''], quoted }: ParsedRow): boolean {
    const parse = (delimiter: string): readonly string[] => {
      const row = parseRow(cell, 0, delimiter)
      return row !== undefined && isWhole(cell, row) ? row.cells : []
    }
    const own = parse(this.#delimiter)
    if (quoted.has(0) && this.#fits(own)) {
      this.#add(own)
      return true
    }
    if (this.#width === 0) return false
    const other = delimiters.find((sign) => sign !== this.#delimiter && this.#fits(parse(sign)))
    if (other !== undefined) {
      const row = this.#add(parse(other))
      this.#faults.push({ row, message: otherSeparator, text: cutText(cell, textMax), listed: true })
      return true
    }
    if (!fullVin.test(cell) || !delimiters.some((sign) => cell.split(sign).length > 2)) return false
    this.#number += 1
    this.#faults.push({ row: this.#number, message: notApart, text: cutText(cell, textMax) })
    return true
  }

  #isTooWide = (cells: readonly string[]): boolean =>
    this.#width > 0 && cells.findLastIndex((cell) => cell.trim() !== '') >= this.#width

  /** True if an unclosed quotation mark made one cell swallow the rows of other vehicles. */
  #containsRows(cells: readonly string[]): boolean {
    return cells.some((cell) => {
      if (!cell.includes('\n')) return false
      const [, ...lines] = cell.split('\n')
      return lines.some((line) => fullVin.test(line) && line.split(this.#delimiter).length > this.#width / 2)
    })
  }

  #repairs(line: string): boolean {
    const repair = this.#repairsOf(line).find(({ cells }) => this.#fits(cells))
    if (repair === undefined) return false
    const row = this.#add(repair.cells)
    this.#faults.push({ row, message: repair.message, text: cutText(line, textMax), listed: true })
    return true
  }

  #fits = (cells: readonly string[]): boolean => (this.#width === 0 ? isHeading(cells) : cells.length === this.#width)

  #repair(line: string): void {
    if (this.#repairs(line)) return
    this.#number += 1
    if (this.#width === 0) return
    const isClosed = this.#parseLine(line, { lenient: true }).length > 0
    const message = isClosed ? notApart : notClosed
    this.#faults.push({ row: this.#number, message, text: cutText(line, textMax) })
  }

  /** Returns the cells of the line, or no cells if the line is not a complete row. */
  #parseLine(line: string, options?: { lenient: boolean }): readonly string[] {
    const row = parseRow(line, 0, this.#delimiter, options)
    return row !== undefined && isWhole(line, row) ? row.cells : []
  }

  #repairsOf(line: string): Repair[] {
    return [
      {
        cells: line.includes('\\"') ? this.#parseLine(line.replaceAll('\\"', '""')) : [],
        message: 'a quotation mark is written as \\": check this row',
      },
      {
        cells: this.#parseLine(line, { lenient: true }),
        message: 'there is a quotation mark inside a cell: check this row',
      },
      {
        cells: line.split(this.#delimiter).map((cell) => cell.replace(/^\s*"|"\s*$/g, '')),
        message: `${notClosed}: check this row`,
      },
    ]
  }

  /** Number of columns, or 0 until the heading row is found. */
  get #width(): number {
    return this.#heading.length
  }
}
