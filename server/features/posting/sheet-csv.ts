import Papa from 'papaparse'
import { vinLength } from '#shared/limits.ts'
import type { SheetFault } from '#shared/schemas/posting.ts'
import { SheetBudget, SheetGrid, SheetRefused, type SheetTable, tooWide } from './sheet-bounds.ts'
import { isHeading, mapColumns } from './sheet-columns.ts'
import { decodeText } from './sheet-text.ts'

const delimiters = [',', ';', '\t', '|', '^', '~', '\u001e', '\u001f']
/** The part of the file that is searched for a heading to detect the delimiter. */
const previewMax = 32_768
const previewLines = 40

/** Reads a delimited text file and detects its delimiter. @throws SheetRefused */
export function readCsv(content: Buffer): SheetTable {
  new SheetBudget().take(content.length)
  const decoded = decodeText(content)
  if (/^\s*<(!doctype|html|table|\?xml)/i.test(decoded))
    throw new SheetRefused('This is a web page, not a spreadsheet. Publish the sheet or use its CSV file')
  // `="…"` marks text in a spreadsheet program. A form feed ends a printed page.
  const text = decoded.replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n').replace(/\f/g, '')
  const own = /^sep=(.)\n/i.exec(text)
  const delimiter = delimiters.find((sign) => sign === own?.[1]) ?? delimiterOf(text)
  const reading = new CsvReading(text.replaceAll(`${delimiter}="`, `${delimiter}"`).replace(/^="/gm, '"'), delimiter)
  reading.readFrom(0)
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

const unquoted = (cell: string): string => cell.trim().replace(/^"(.*)"$/, '$1')

/** Headings of columns whose numbers may contain thousands separators. */
const amounts = /pri[cx]|msrp|cost|invoice|value|ask|retail|wholesale|internet|list|mi\b|mile|odo|km|kilo/i

function joinThousands(cells: readonly string[], heading: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (const cell of cells) {
    const last = joined.at(-1) ?? ''
    const isRest = /^\s*\$?\s*\d{1,3}(?:,\d{3})*$/.test(last) && /^\d{3}(?:\.\d{1,2})?\s*$/.test(cell)
    if (isRest && amounts.test(heading[joined.length - 1] ?? '')) joined[joined.length - 1] = `${last},${cell}`
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
const endsEarly = 'the row ends early, as if the next one belonged to it: check both'
const notClosed = 'a quotation mark is not closed'

/** Reads rows one by one. A row with a misplaced quotation mark ends at its line, so later rows stay intact. */
class CsvReading {
  readonly #text: string
  readonly #delimiter: string
  readonly #grid = new SheetGrid()
  readonly #faults: SheetFault[] = []
  #number = 0
  #heading: readonly string[] = []
  #lastWidth = 0

  constructor(text: string, delimiter: string) {
    this.#text = text
    this.#delimiter = delimiter
  }

  table(): SheetTable {
    return { rows: this.#grid.rows, faults: this.#faults, hiddenRows: 0, isText: true }
  }

  readFrom(start: number): void {
    for (let at: number | undefined = start; at !== undefined;) at = this.#readRows(at)
  }

  /** Reads up to the first malformed row. Returns where to continue, or undefined at the end. */
  #readRows(start: number): number | undefined {
    let [rowStart, next] = [start, undefined as number | undefined]
    Papa.parse<string[]>(this.#text.slice(start), {
      delimiter: this.#delimiter,
      newline: '\n',
      // Fast mode would split the whole file before the first row is checked.
      fastMode: false,
      step: ({ data, errors, meta }, parser) => {
        const rowEnd = start + meta.cursor
        const line = this.#lineAt(rowStart)
        if (errors.length > 0 || this.#swallowsRows(data)) {
          parser.abort()
          this.#repair(line, rowEnd <= rowStart + line.length + 1 ? data : undefined)
          next = rowStart + line.length + 1
          return
        }
        if (!this.#isTooWide(data) || !line.includes('"') || !this.#repairs(line)) this.#take(data)
        rowStart = rowEnd
      },
    })
    return next !== undefined && next < this.#text.length ? next : undefined
  }

  #lineAt(start: number): string {
    const end = this.#text.indexOf('\n', start)
    return this.#text.slice(start, end < 0 ? this.#text.length : end)
  }

  #add(cells: readonly string[]): number {
    this.#number += 1
    if (this.#width === 0 && isHeading(cells)) this.#heading = cells
    // An unquoted line break splits one row into two.
    const isHalved = this.#lastWidth > 1 && cells.length > 1 && this.#lastWidth + cells.length - 1 === this.#width
    if (isHalved) this.#faults.push({ row: this.#number - 1, message: endsEarly, listed: true })
    this.#lastWidth = cells.length
    this.#grid.add(this.#number, cells)
    return this.#number
  }

  /** Adds a well-formed row. Joins unquoted thousands that were split into two cells. */
  #take(cells: readonly string[]): void {
    const joined = this.#delimiter === ',' && cells.length > this.#width ? joinThousands(cells, this.#heading) : cells
    if (joined.length === cells.length) return void this.#add(cells)
    const isWhole = joined.slice(this.#width).every((cell) => cell.trim() === '')
    if (isWhole) this.#add(joined)
    else this.#number += 1
    const message = isWhole ? 'a number has a comma and is not quoted: check this row' : tooWide
    const text = cells.join(this.#delimiter).slice(0, textMax)
    this.#faults.push({ row: this.#number, message, text, ...(isWhole && { listed: true }) })
  }

  #isTooWide = (cells: readonly string[]): boolean =>
    this.#width > 0 && cells.findLastIndex((cell) => cell.trim() !== '') >= this.#width

  /** Returns whether a multiline cell contains other vehicles' rows, because a quotation mark was not closed. */
  #swallowsRows(cells: readonly string[]): boolean {
    return cells.some((cell) => {
      if (!cell.includes('\n')) return false
      const [, ...lines] = cell.split('\n')
      return lines.some((line) => fullVin.test(line) && line.split(this.#delimiter).length > this.#width / 2)
    })
  }

  #repairs(line: string, parsed?: readonly string[]): boolean {
    const repair = this.#repairsOf(line, parsed).find(({ cells }) => this.#fits(cells))
    if (repair === undefined) return false
    const row = this.#add(repair.cells)
    this.#faults.push({ row, message: repair.message, text: line.slice(0, textMax), listed: true })
    return true
  }

  #fits = (cells: readonly string[]): boolean => (this.#width === 0 ? isHeading(cells) : cells.length === this.#width)

  #repair(line: string, parsed: readonly string[] | undefined): void {
    if (this.#repairs(line, parsed)) return
    this.#number += 1
    // Lines above the heading describe no vehicle.
    if (this.#width === 0) return
    const message = parsed === undefined ? notClosed : 'its cells cannot be told apart: check the quotation marks'
    this.#faults.push({ row: this.#number, message, text: line.slice(0, textMax) })
  }

  #repairsOf(line: string, parsed: readonly string[] | undefined): Repair[] {
    const parse = (text: string, options: Papa.ParseConfig<string[]>): readonly string[] => {
      const { data, errors } = Papa.parse<string[]>(text, { delimiter: this.#delimiter, newline: '\n', ...options })
      return errors.length === 0 && data.length === 1 ? (data[0] ?? []) : []
    }
    const unspaced = line.replaceAll(new RegExp(`(^|${this.#separator})[ \\t]+"`, 'g'), '$1"')
    return [
      { cells: parse(unspaced, {}), message: 'a blank stands before a quotation mark: check this row' },
      {
        cells: line.includes('\\"') ? parse(unspaced, { escapeChar: '\\' }) : [],
        message: 'a quotation mark is written as \\": check this row',
      },
      { cells: parsed ?? [], message: 'a quotation mark stands inside a cell: check this row' },
      {
        cells: line.split(this.#delimiter).map((cell) => cell.replace(/^\s*"|"\s*$/g, '')),
        message: `${notClosed}: check this row`,
      },
    ]
  }

  /** Number of columns; 0 until the heading is found. */
  get #width(): number {
    return this.#heading.length
  }

  get #separator(): string {
    return this.#delimiter.replace(/[|^~]/g, '\\$&')
  }
}
