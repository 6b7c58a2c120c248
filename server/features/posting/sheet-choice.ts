import { createHash } from 'node:crypto'
import { columnNameMax, type SheetColumn, type SheetColumnChoice, type SheetField } from '#shared/schemas/posting.ts'
import type { SheetRow } from './sheets/sheet-bounds.ts'
import { columnLetters, type Columns, type ReadColumn, unitOf } from './sheets/sheet-columns.ts'
import { visibleText } from './sheets/sheet-words.ts'

/** A dealer's column corrections: those of this request, and those saved earlier by headings. */
export interface SheetChoices {
  /** Replaces the saved corrections of these headings. If empty, deletes them. */
  now?: SheetColumnChoice | undefined
  remembered?: Readonly<Record<string, SheetColumnChoice>> | undefined
}

const listedMax = 200
const sampleMax = 40
/** Number of rows that are searched for a sample of each column. */
const sampledRows = 1_000

/** Returns a unique name for each column: its heading, or its letter if it has none. */
function columnNames(heading: readonly string[], width = heading.length): string[] {
  const known = new Set<string>()
  return Array.from({ length: width }, (_, index) => {
    const text = visibleText(heading[index] ?? '').slice(0, columnNameMax)
    const letters = columnLetters(index)
    const name = text === '' ? `column ${letters}, without a heading` : text
    const unique = known.has(name) ? `${name.slice(0, columnNameMax - letters.length - 10)} (column ${letters})` : name
    known.add(unique)
    return unique
  })
}

/** Identifies a set of headings, whatever their order, case and position. */
export function headingsKey(heading: readonly string[]): string {
  const names = heading.map((text) => visibleText(text).toLowerCase()).filter((text) => text !== '')
  return createHash('sha256')
    .update([...new Set(names)].toSorted().join('\n'))
    .digest('hex')
}

/**
 * Applies a dealer's corrections to the columns of a heading. A column that the dealer chose for one field is not read
 * for another field because of its name. Column names that the heading lacks are ignored.
 */
export function withChoice(columns: Columns, heading: readonly string[], choice: SheetColumnChoice): Columns {
  const names = columnNames(heading).map((name) => name.toLowerCase())
  const corrected = new Map<SheetField, readonly ReadColumn[]>()
  for (const [field, name] of Object.entries(choice) as [SheetField, string | null][]) {
    const index = name === null ? -1 : names.indexOf(name.toLowerCase())
    const text = heading[index]
    if (name === null) corrected.set(field, [])
    else if (index >= 0) corrected.set(field, [{ index, heading: name, unit: unitOf(text ?? '') }])
  }
  const taken = new Set([...corrected.values()].flat().map(({ index }) => index))
  const kept = [...columns].map(
    ([field, list]) => [field, corrected.get(field) ?? list.filter(({ index }) => !taken.has(index))] as const,
  )
  return new Map([...kept, ...corrected].filter(([, list]) => list.length > 0))
}

/** Lists the columns below a heading, up to a limit, with the first text of each. */
export function listColumns(heading: readonly string[], columns: Columns, body: readonly SheetRow[]): SheetColumn[] {
  const fields = new Map([...columns].flatMap(([field, list]) => list.map(({ index }) => [index, field] as const)))
  const sampled = body.slice(0, sampledRows)
  const width = Math.min(listedMax, Math.max(heading.length, ...sampled.map(({ cells }) => cells.length)))
  return columnNames(heading, width).flatMap((name, index) => {
    const filled = sampled.find(({ cells }) => visibleText(cells[index] ?? '') !== '')
    const sample = visibleText(filled?.cells[index] ?? '').slice(0, sampleMax)
    if (sample === '' && visibleText(heading[index] ?? '') === '') return []
    return [{ name, field: fields.get(index) ?? null, sample }]
  })
}
