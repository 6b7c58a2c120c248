import { cutText } from '#shared/cut-text.ts'
import { createHash } from 'node:crypto'
import { columnNameMax, type SheetColumn, type SheetColumnChoice, type SheetField } from '#shared/schemas/posting.ts'
import type { SheetRow } from './sheets/sheet-bounds.ts'
import { columnLetters, type Columns, type ReadColumn, unitOf } from './sheets/sheet-columns.ts'
import { visibleText } from './sheets/sheet-words.ts'

/** A dealer's column corrections: those sent with this request, and those saved earlier for each set of headings. */
export interface SheetChoices {
  /** Corrections sent with this request. They replace the saved ones; an empty object deletes them. */
  now?: SheetColumnChoice | undefined
  remembered?: Readonly<Record<string, SheetColumnChoice>> | undefined
}

const listedMax = 200
const sampleMax = 40
const sampledRows = 1_000

function columnNames(heading: readonly string[], width: number): string[] {
  const known = new Set<string>()
  return Array.from({ length: width }, (_, index) => {
    const text = cutText(visibleText(heading[index] ?? ''), columnNameMax)
    const letters = columnLetters(index)
    const name = text === '' ? `column ${letters}, without a heading` : text
    const unique = known.has(name) ? `${cutText(name, columnNameMax - letters.length - 10)} (column ${letters})` : name
    known.add(unique)
    return unique
  })
}

/** Keys under which a dealer's column corrections for a heading row are stored. */
export interface HeadingKeys {
  /** The key under which to save the applied corrections. `all` has the keys with and without the column order. */
  used: string
  all: readonly string[]
}

const hashOf = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')

const plainNames = (heading: readonly string[]): string[] => heading.map((text) => visibleText(text).toLowerCase())

/** Returns a key that identifies a set of headings, regardless of order and case. */
const namesKey = (heading: readonly string[]): string =>
  hashOf(...[...new Set(plainNames(heading))].filter((text) => text !== '').toSorted())

/** Returns a key that identifies the headings and their order, including columns without a heading. */
const layoutKey = (heading: readonly string[], width: number): string =>
  hashOf('layout', String(width), ...plainNames(heading))

/** True if a correction can only be located by column position: its column has no heading, or shares its heading with another column. */
function isByPosition(choice: SheetColumnChoice, heading: readonly string[], width: number): boolean {
  const headings = plainNames(heading)
  const names = new Set(columnNames(heading, width).map((name) => name.toLowerCase()))
  return Object.values(choice).some((name) => {
    const key = name?.toLowerCase() ?? ''
    return names.has(key) && headings.filter((text) => text === key).length !== 1
  })
}

/**
 * Returns the corrections for a heading row. Corrections that depend on a column's position apply only while the layout is unchanged: after
 * a column is inserted, they would read the wrong column.
 * @param width number of columns, including trailing columns without a heading
 */
export function choiceFor(
  { now, remembered = {} }: SheetChoices,
  heading: readonly string[],
  width: number,
): { chosen: SheetColumnChoice; keys: HeadingKeys } {
  const [names, layout] = [namesKey(heading), layoutKey(heading, width)]
  const named = remembered[names] ?? {}
  const chosen = now ?? remembered[layout] ?? (isByPosition(named, heading, width) ? {} : named)
  return { chosen, keys: { used: isByPosition(chosen, heading, width) ? layout : names, all: [names, layout] } }
}

/** Returns the corrections for the main heading row that also apply to another heading row of the sheet. */
export function choiceBelow(
  choice: SheetColumnChoice,
  [main, other]: readonly [main: readonly string[], other: readonly string[]],
  width: number,
): SheetColumnChoice {
  if (layoutKey(main, width) === layoutKey(other, width)) return choice
  const entries = Object.entries(choice) as [SheetField, string | null][]
  return Object.fromEntries(entries.filter(([field, name]) => !isByPosition({ [field]: name }, main, width)))
}

/** Applies a dealer's corrections to the columns of a heading row. A column chosen for one field is no longer read for another. */
export function withChoice(
  columns: Columns,
  heading: readonly string[],
  choice: SheetColumnChoice,
  width: number,
): Columns {
  const names = columnNames(heading, width).map((name) => name.toLowerCase())
  const corrected = new Map<SheetField, readonly ReadColumn[]>()
  for (const [field, name] of Object.entries(choice) as [SheetField, string | null][]) {
    const index = name === null ? -1 : names.indexOf(name.toLowerCase())
    if (name === null) corrected.set(field, [])
    else if (index >= 0) corrected.set(field, [{ index, heading: name, unit: unitOf(heading[index] ?? '') }])
  }
  const taken = new Set([...corrected.values()].flat().map(({ index }) => index))
  const kept = [...columns].map(
    ([field, list]) => [field, corrected.get(field) ?? list.filter(({ index }) => !taken.has(index))] as const,
  )
  return new Map([...kept, ...corrected].filter(([, list]) => list.length > 0))
}

export function listColumns(heading: readonly string[], columns: Columns, body: readonly SheetRow[]): SheetColumn[] {
  const fields = new Map([...columns].flatMap(([field, list]) => list.map(({ index }) => [index, field] as const)))
  const sampled = body.slice(0, sampledRows)
  const width = Math.min(listedMax, Math.max(heading.length, ...sampled.map(({ cells }) => cells.length)))
  return columnNames(heading, width).flatMap((name, index) => {
    const filled = sampled.find(({ cells }) => visibleText(cells[index] ?? '') !== '')
    const sample = cutText(visibleText(filled?.cells[index] ?? ''), sampleMax)
    if (sample === '' && visibleText(heading[index] ?? '') === '') return []
    return [{ name, field: fields.get(index) ?? null, sample }]
  })
}
