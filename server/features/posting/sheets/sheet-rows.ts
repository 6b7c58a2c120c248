import { cutText } from '#shared/cut-text.ts'
import { formatMileage, formatMoney, formatNumber } from '#shared/format.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { columnNameMax as headingMax, type SheetFault, type SheetSummary } from '#shared/schemas/posting.ts'
import { toStorable } from '#server/platform/storable-text.ts'
import { SheetRefused, type SheetRow, type SheetTable, tooWide } from './sheet-bounds.ts'
import {
  amountColumns,
  beginsColumns,
  columnLetters,
  type Columns,
  isAllNames,
  isHeading,
  isUnitName,
  isMostlyNames,
  mapColumns,
  withDescriptions,
} from './sheet-columns.ts'
import {
  choiceBelow,
  choiceFor,
  type HeadingKeys,
  listColumns,
  type SheetChoices,
  withChoice,
} from '../sheet-choice.ts'
import { partOf } from './sheet-descriptions.ts'
import { stateIn } from './sheet-states.ts'
import { type Place, readVehicle } from './sheet-vehicle.ts'
import { readVin } from './sheet-vin.ts'
import { visibleText } from './sheet-words.ts'

const headingRows = 30
const faultsMax = 500
const textMax = 200

export interface SheetContent {
  vehicles: NewVehicle[]
  faults: SheetFault[]
  summary: SheetSummary
  headings: HeadingKeys
}

interface SheetHeading {
  index: number
  number: number
  cells: readonly string[]
  columns: Columns
}

/** Returns the heading row: of the first rows, the row that names the most columns. */
export function findHeading(rows: readonly SheetRow[]): SheetHeading | undefined {
  const found = earlyHeadings(rows)
  const most = Math.max(...found.map(({ columns }) => columns.size))
  return found.find(({ columns }) => columns.size === most)
}

const earlyHeadings = (rows: readonly SheetRow[]): SheetHeading[] =>
  rows
    .slice(0, headingRows)
    .map(({ number, cells }, index) => ({ index, number, cells: withGroups(cells, rows[index - 1]) }))
    .filter(({ cells, index }) => {
      const own = rows[index]?.cells ?? []
      return isHeading(own) || (isHeading(cells) && isMostlyNames(own))
    })
    .map((row) => ({ ...row, columns: withDescriptions(mapColumns(row.cells), row.cells) }))

/** Fills gaps in a heading row from the row above it, for headings that span two rows. */
function withGroups(cells: readonly string[], above: SheetRow | undefined): string[] {
  const own = cells.map(visibleText)
  const shared = (above?.cells ?? []).map(visibleText)
  const columns = new Set([...mapColumns(shared).values()].flat().map(({ index }) => index))
  const width = Math.max(own.length, ...[...columns].map((index) => index + 1))
  const isGrouped = own.some((cell) => cell !== '')
  return Array.from({ length: width }, (_, index) =>
    nameBelow(own[index] ?? '', isGrouped && columns.has(index) ? (shared[index] ?? '') : ''),
  )
}

/** Combines the cells of a two-row heading: `Price` above `USD` becomes `Price (USD)`. Other lower names replace the upper one. */
function nameBelow(own: string, above: string): string {
  if (own === '' || above === '') return own || above
  return isUnitName(own) && mapColumns([own]).size === 0 ? `${above} (${own})` : own
}

/** A heading row and the rows below it. A sheet may contain several heading rows with different column orders. */
interface Section {
  heading: SheetHeading
  /** False if the heading lacks the columns by which the main heading identifies vehicles, such as VIN. */
  isReadable: boolean
  body: SheetRow[]
}

/** Starts a section at each heading row. Drops the rows above the first heading, which are titles. */
function sectionsOf(rows: readonly SheetRow[], main: SheetHeading): Section[] {
  const early = new Map(earlyHeadings(rows).map((heading) => [heading.index, heading]))
  const sections: Section[] = []
  for (const [index, row] of rows.entries()) {
    const current = sections.at(-1)
    if (current !== undefined && isSameHeading(row, current.heading)) continue
    const heading =
      early.get(index) ?? (beginsColumns(row.cells) || isAllNames(row.cells) ? headingIn(row, index) : null)
    if (heading !== null && (current !== undefined || early.has(index)))
      sections.push({ heading, isReadable: namesVehicles(heading, main), body: [] })
    else current?.body.push(row)
  }
  const filled = sections.filter(({ body }) => body.length > 0)
  return filled.length > 0 ? filled : [{ heading: main, isReadable: true, body: [] }]
}

const headingIn = ({ number, cells }: SheetRow, index: number): SheetHeading => ({
  index,
  number,
  cells,
  columns: withDescriptions(mapColumns(cells), cells),
})

function namesVehicles({ columns }: SheetHeading, main: SheetHeading): boolean {
  if (main.columns.has('vin')) return columns.has('vin')
  const facts = (['year', 'mileage', 'price'] as const).filter((name) => main.columns.has(name))
  return columns.has('make') && columns.has('model') && (facts.length === 0 || facts.some((name) => columns.has(name)))
}

interface RowsOrder {
  place: Place
  vehiclesMax: number
  choices?: SheetChoices | undefined
}

/** Reads the vehicles of a sheet. @throws SheetRefused if no heading row is found */
export function readRows(table: SheetTable, { place, vehiclesMax, choices = {} }: RowsOrder): SheetContent {
  const rows = visibleRows(table).map(({ number, cells }) => ({ number, cells: cells.map(toStorable) }))
  const main = findHeading(rows)
  if (main === undefined) throw new SheetRefused('No heading row was found: it must name VIN, or Make and Model')
  const taken = new TakenVehicles(vehiclesMax, new Set(table.faults.map(({ row }) => row)))
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  const { chosen, keys } = choiceFor(choices, main.cells, width)
  const withChosen = (section: Section): Section => {
    const { heading } = section
    const choice = choiceBelow(chosen, [main.cells, heading.cells], width)
    const columns = withDescriptions(heading.columns, heading.cells, (index) => describesVehicles(section.body, index))
    return { ...section, heading: { ...heading, columns: withChoice(columns, heading.cells, choice, width) } }
  }
  const sections = sectionsOf(rows, main).map(withChosen)
  for (const section of sections) takeSection(taken, section, { table, place })
  const read = sections.filter(({ isReadable }) => isReadable)
  const faults = [
    ...table.faults.map((fault) => taken.withRead(fault)),
    ...read.flatMap(({ heading }) => headingFaults(heading)),
    ...taken.faults,
  ].toSorted((a, b) => a.row - b.row)
  const hidden = hiddenColumns(table, main)
  const otherSheets = (table.otherSheets ?? []).map((name) => cutText(visibleText(toStorable(name)), headingMax))
  const first =
    read.find(({ heading }) => heading.index === main.index) ??
    withChosen({ heading: main, isReadable: true, body: [] })
  return {
    headings: keys,
    vehicles: taken.vehicles,
    faults: faults.slice(0, faultsMax),
    summary: {
      columns: listColumns(first.heading.cells, first.heading.columns, first.body),
      ...(Object.keys(chosen).length > 0 && { chosen }),
      priceFrom: unique(read.flatMap(({ heading: { columns } }) => pricesOf(columns))),
      unread: unique(read.flatMap(({ heading, body }) => unreadColumns(heading, body))),
      hiddenRows: table.hiddenRows,
      ...(hidden.length > 0 && { hiddenColumns: hidden }),
      ...(otherSheets.length > 0 && { otherSheets }),
      moreFaults: Math.max(0, faults.length - faultsMax),
    },
  }
}

const describedRows = 20

function describesVehicles(body: readonly SheetRow[], index: number): boolean {
  const texts = body.slice(0, describedRows).map(({ cells }) => visibleText(cells[index] ?? ''))
  return texts.filter((text) => partOf(text, 'make') !== '').length * 2 > texts.filter((text) => text !== '').length
}

function takeSection(
  taken: TakenVehicles,
  { heading, isReadable, body }: Section,
  { table, place }: { table: SheetTable; place: Place },
): void {
  const isShifted = shiftedIn(table, heading, body)
  const isSplit = splitIn(table, heading, body)
  for (const row of body) {
    if (!isReadable) taken.leaveOut(row, `a second heading, in row ${heading.number}, has no VIN or vehicle column`)
    else if (isShifted(row)) taken.leaveOut(row, tooWide)
    else if (isTotals(row, heading.columns)) taken.leaveOut(row, 'the row contains totals, not a vehicle')
    else if (table.isText && hasDecimalsApart(row, heading))
      taken.leaveOut(row, split, cutText(row.cells.join(','), textMax))
    else if (isSplit(row)) taken.leaveOut(row, split, cutText(row.cells.join(','), textMax))
    else taken.take(row, () => readVehicle(row, heading.columns, place))
  }
}

const split =
  'a number may be split at its comma, so cells may be in the wrong columns: put the number in quotation marks'

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

const pricesOf = (columns: Columns): string[] =>
  (columns.get('price') ?? []).map(({ heading }) => cutText(heading, headingMax))

export const visibleRows = ({ rows, hiddenColumns }: SheetTable): readonly SheetRow[] =>
  hiddenColumns === undefined || hiddenColumns.size === 0
    ? rows
    : rows
        .map(({ number, cells }) => ({
          number,
          cells: cells.map((cell, index) => (hiddenColumns.has(index) ? '' : cell)),
        }))
        .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))

function hiddenColumns({ rows, hiddenColumns }: SheetTable, main: SheetRow): string[] {
  if (hiddenColumns === undefined) return []
  const filled = new Set<number>()
  for (const { cells } of rows) for (const index of hiddenColumns) if (cells[index]?.trim()) filled.add(index)
  const names = rows.find(({ number }) => number === main.number)?.cells ?? []
  return [...filled]
    .toSorted((a, b) => a - b)
    .map(
      (index) => cutText(visibleText(toStorable(names[index] ?? '')), headingMax) || `column ${columnLetters(index)}`,
    )
}

class TakenVehicles {
  readonly vehicles: NewVehicle[] = []
  readonly faults: SheetFault[] = []
  readonly #rowOfVin = new Map<string, number>()
  readonly #max: number
  readonly #doubtful: ReadonlySet<number>
  readonly #ofDoubtful = new Map<number, NewVehicle>()

  constructor(max: number, doubtful: ReadonlySet<number>) {
    this.#max = max
    this.#doubtful = doubtful
  }

  /** Adds the price and mileage that were parsed to the fault of a doubtful row, so that the dealer can check them. */
  withRead(fault: SheetFault): SheetFault {
    const vehicle = this.#ofDoubtful.get(fault.row)
    if (vehicle === undefined || fault.listed !== true) return fault
    const { price, mileage } = vehicle
    const parts = [
      price === undefined ? 'no price' : `price ${formatMoney(price)}`,
      mileage === undefined ? 'no mileage' : `mileage ${formatMileage(mileage)}`,
    ]
    return { ...fault, message: `${fault.message}. Read: ${parts.join(', ')}` }
  }

  take(row: SheetRow, read: () => ReturnType<typeof readVehicle>): void {
    if (this.vehicles.length >= this.#max)
      return this.leaveOut(row, `a post can have up to ${formatNumber(this.#max)} vehicles`)
    const { vehicle, faults } = read()
    const twin = this.#rowOfVin.get(vehicle?.vin ?? '')
    if (twin !== undefined) return this.leaveOut(row, `the same VIN as row ${twin}`)
    this.faults.push(...faults)
    if (vehicle === undefined) return
    if (vehicle.vin !== undefined) this.#rowOfVin.set(vehicle.vin, row.number)
    if (this.#doubtful.has(row.number)) this.#ofDoubtful.set(row.number, vehicle)
    this.vehicles.push(vehicle)
  }

  leaveOut({ number }: SheetRow, message: string, text?: string): void {
    this.faults.push({ row: number, message, ...(text !== undefined && { text }) })
  }
}

/** Returns faults that are reported once for the column instead of once for each row. */
const headingFaults = ({ number, columns }: SheetHeading): SheetFault[] =>
  [...(columns.get('price') ?? []), ...(columns.get('mileage') ?? [])].flatMap(({ heading, unit, isDoubtful }) => {
    const foreign = `the prices are in ${unit.currency}, and listed in US dollars without conversion`
    const messages = [
      ...(unit.currency === undefined ? [] : [foreign]),
      ...(isDoubtful === true ? ['the heading has unknown words in parentheses: check this column'] : []),
    ]
    return messages.map((message) => ({ row: number, message, column: cutText(heading, headingMax), listed: true }))
  })

/** True if a row repeats the heading, as on each page of a printed sheet. */
const isSameHeading = (row: SheetRow, heading: SheetRow): boolean =>
  row.cells.every((cell, index) => cell.trim() === '' || cell.trim() === heading.cells[index]?.trim())

/**
 * Returns a test for rows that an unquoted comma has shifted. If most rows are too wide, the last columns just have no heading, and only
 * rows with a number that may be split count as shifted.
 */
function shiftedIn(table: SheetTable, heading: SheetRow, body: readonly SheetRow[]): (row: SheetRow) => boolean {
  const isWide = ({ cells }: SheetRow) => cells.length > heading.cells.length
  const isUsual = body.filter(isWide).length * 2 > body.length && body.length > 1
  return (row) => table.isText && isWide(row) && (!isUsual || table.splits?.has(row.number) === true)
}

/**
 * Returns a test for rows whose price or mileage may be split at its comma, although the row is not too wide. If at least as many rows have
 * a complete number followed by a three-digit number, these are two separate columns.
 */
function splitIn(
  { splits = new Map() }: SheetTable,
  { cells, columns }: SheetHeading,
  body: readonly SheetRow[],
): (row: SheetRow) => boolean {
  const isSuspect = (index: number): boolean => {
    const isSplit = ({ number }: SheetRow) => splits.get(number)?.includes(index) === true
    const own = body.filter(
      (row) => !isSplit(row) && /\d{4}/.test(row.cells[index] ?? '') && /^\d{3}$/.test(row.cells[index + 1] ?? ''),
    )
    return own.length < body.filter(isSplit).length || own.length === 0
  }
  const suspects = new Set([...amountColumns(cells)].filter(isSuspect))
  return (row) =>
    splits.get(row.number)?.some((index) => suspects.has(index) && !isInPlace(row, columns, index)) === true
}

const totals =
  /^(?:(?:grand|sub|net|gesamt)[ -]?)?(?:totals?|totaux|sum|summe|somme|averages?|avg|moyenne|count|gesamt)\b/i

function isTotals({ cells }: SheetRow, columns: Columns): boolean {
  const textOf = (name: 'vin' | 'year' | 'make' | 'model') => {
    const [column] = columns.get(name) ?? []
    return column === undefined ? '' : visibleText(cells[column.index] ?? '')
  }
  const first = visibleText(cells.find((cell) => cell.trim() !== '') ?? '')
  const isSum = (['vin', 'year', 'make'] as const).some((name) => totals.test(textOf(name)))
  if ((!isSum && !totals.test(first)) || readVin(textOf('vin')).value !== undefined) return false
  return isSum || !/\p{L}/u.test(textOf('make')) || textOf('model') === ''
}

/** True if an unquoted decimal comma split a price or mileage, which put a number into the city, make or state column. */
function hasDecimalsApart({ cells }: SheetRow, { columns }: SheetHeading): boolean {
  const isShifted = (['city', 'make', 'state'] as const).some((name) =>
    columns.get(name)?.some(({ index }) => /^\d+$/.test((cells[index] ?? '').trim())),
  )
  const amounts = [...(columns.get('price') ?? []), ...(columns.get('mileage') ?? [])]
  return (
    isShifted &&
    amounts.some(({ index }) => /\d$/.test(cells[index] ?? '') && /^\s*\d{2}\s*\D{0,3}$/.test(cells[index + 1] ?? ''))
  )
}

/** A VIN, year or state in its proper column proves that no cell to the left was split. */
const isInPlace = ({ cells }: SheetRow, columns: Columns, behind: number): boolean =>
  (['vin', 'year', 'state'] as const).some((name) =>
    columns.get(name)?.some(({ index }) => {
      const text = visibleText(cells[index] ?? '')
      return index > behind + 1 && text !== '' && looksLike[name](text)
    }),
  )

const looksLike = {
  vin: (text: string) => readVin(text).value !== undefined,
  year: (text: string) => /^(?:19|20)\d\d$/.test(text),
  state: (text: string) => stateIn(text) !== undefined,
}

function unreadColumns(heading: SheetHeading, body: readonly SheetRow[]): string[] {
  const { columns } = heading
  const read = new Set([...columns.values()].flat().map(({ index }) => index))
  const width = Math.max(heading.cells.length, ...body.map(({ cells }) => cells.length))
  const isFilled: boolean[] = []
  for (const { cells } of body) for (const [index, cell] of cells.entries()) isFilled[index] ||= cell.trim() !== ''
  return Array.from({ length: width }, (_, index) => {
    const name = cutText(visibleText(heading.cells[index] ?? ''), headingMax)
    if (read.has(index) || (name === '' && isFilled[index] !== true)) return ''
    return name || `column ${columnLetters(index)}, without a heading`
  }).filter((name) => name !== '')
}
