/** A row of delimited text (RFC 4180). */
export interface ParsedRow {
  cells: readonly string[]
  quoted: ReadonlySet<number>
  /** Position of the line break that ends the row, or the end of the text. */
  end: number
}

/** Maximum length of a quoted cell. Spreadsheet programs allow only half as much. */
const quotedMax = 65_536

/**
 * Parses the row that begins at `start`. Returns undefined at the first misplaced or unclosed quotation mark, so that parsing a file takes
 * linear time.
 * @param lenient if true, a quotation mark within a quoted cell is part of the text, unless the cell can end there
 */
export function parseRow(
  text: string,
  start: number,
  delimiter: string,
  { lenient }: { lenient: boolean } = { lenient: false },
): ParsedRow | undefined {
  const cells: string[] = []
  const quoted = new Set<number>()
  for (let at = start; ;) {
    let end: number
    const start = behindBlanks(text, at, delimiter)
    const close = text[start] === '"' ? closingQuote(text, start + 1, { delimiter, lenient }) : undefined
    if (close !== undefined) {
      quoted.add(cells.length)
      cells.push(text.slice(start + 1, close.quote).replaceAll('""', '"'))
      end = close.end
    } else if (text[at] === '"') return undefined
    else {
      end = cellEnd(text, at, delimiter)
      cells.push(text.slice(at, end))
    }
    if (text[end] !== delimiter) return { cells, quoted, end }
    at = end + 1
  }
}

export const isWhole = (text: string, { end }: ParsedRow): boolean => end === text.length

function cellEnd(text: string, start: number, delimiter: string): number {
  let at = start
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at += 1
  return at
}

function closingQuote(
  text: string,
  start: number,
  { delimiter, lenient }: { delimiter: string; lenient: boolean },
): { quote: number; end: number } | undefined {
  for (let from = start; ;) {
    const quote = text.indexOf('"', from)
    if (quote < 0 || quote - start > quotedMax) return undefined
    if (text[quote + 1] === '"') {
      from = quote + 2
      continue
    }
    const end = behindBlanks(text, quote + 1, delimiter)
    if (end === text.length || text[end] === delimiter || text[end] === '\n') return { quote, end }
    if (!lenient) return undefined
    from = quote + 1
  }
}

function behindBlanks(text: string, start: number, delimiter: string): number {
  let at = start
  while (text[at] !== delimiter && (text[at] === ' ' || text[at] === '\t')) at += 1
  return at
}
