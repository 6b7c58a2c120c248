import { formatNumber } from '#shared/format.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import type { SheetFault, SheetSummary } from '#shared/schemas/posting.ts'
import { toStorable } from '#server/platform/storable.ts'
import { SheetRefused, type SheetRow, type SheetTable, tooWide } from './sheet-bounds.ts'
import { columnLetters, type Columns, isHeading, mapColumns } from './sheet-columns.ts'
import { type Place, readVehicle } from './sheet-vehicle.ts'
import { visibleText } from './sheet-words.ts'

const headingRows = 30
const faultsMax = 500
const headingMax = 80

export interface SheetContent {
  vehicles: NewVehicle[]
  faults: SheetFault[]
  summary: SheetSummary
}

interface SheetHeading {
  index: number
  number: number
  cells: readonly string[]
  columns: Columns
}

/** Returns the heading, which is the early row that names the most columns. */
export function findHeading(rows: readonly SheetRow[]): SheetHeading | undefined {
  const found = rows
    .slice(0, headingRows)
    .map(({ number, cells }, index) => ({ index, number, cells: withGroups(cells, rows[index - 1]) }))
    .filter(({ cells }) => isHeading(cells))
    .map((row) => ({ ...row, columns: mapColumns(row.cells) }))
  const most = Math.max(...found.map(({ columns }) => columns.size))
  return found.find(({ columns }) => columns.size === most)
}

/** Fills gaps in a heading from the row above it, for headings that span two rows. */
function withGroups(cells: readonly string[], above: SheetRow | undefined): string[] {
  const own = cells.map(visibleText)
  const shared = (above?.cells ?? []).map(visibleText)
  const columns = new Set([...mapColumns(shared).values()].flat().map(({ index }) => index))
  const width = Math.max(own.length, ...[...columns].map((index) => index + 1))
  const isGrouped = own.some((cell) => cell !== '')
  return Array.from(
    { length: width },
    (_, index) => own[index] || (isGrouped && columns.has(index) && shared[index]) || '',
  )
}

/** Reads the vehicles of a sheet. Faults name their row number. @throws SheetRefused if no heading is found */
export function readRows(table: SheetTable, place: Place, vehiclesMax: number): SheetContent {
  const rows = table.rows.map(({ number, cells }) => ({ number, cells: cells.map(toStorable) }))
  const heading = findHeading(rows)
  if (heading === undefined) throw new SheetRefused('No row names the columns: VIN, or Make and Model, are needed')
  const { columns } = heading
  const body = rows.slice(heading.index + 1).filter((row) => !isSameHeading(row, heading))
  const isShifted = shiftedIn(table, heading, body)
  const taken = new TakenVehicles(vehiclesMax)
  for (const row of body) {
    if (isShifted(row)) taken.leaveOut(row, tooWide)
    else taken.take(row, () => readVehicle(row, columns, place))
  }
  const faults = [...table.faults, ...foreignPrices(heading, columns), ...taken.faults].toSorted(
    (a, b) => a.row - b.row,
  )
  return {
    vehicles: taken.vehicles,
    faults: faults.slice(0, faultsMax),
    summary: {
      priceFrom: (columns.get('price') ?? []).map(({ heading }) => heading.slice(0, headingMax)),
      unread: unreadColumns(heading, body, columns),
      hiddenRows: table.hiddenRows,
      moreFaults: Math.max(0, faults.length - faultsMax),
    },
  }
}

class TakenVehicles {
  readonly vehicles: NewVehicle[] = []
  readonly faults: SheetFault[] = []
  readonly #rowOfVin = new Map<string, number>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  take(row: SheetRow, read: () => ReturnType<typeof readVehicle>): void {
    if (this.vehicles.length >= this.#max)
      return this.leaveOut(row, `a post takes up to ${formatNumber(this.#max)} vehicles`)
    const { vehicle, faults } = read()
    const twin = this.#rowOfVin.get(vehicle?.vin ?? '')
    if (twin !== undefined) return this.leaveOut(row, `the VIN of row ${twin} again`)
    this.faults.push(...faults)
    if (vehicle === undefined) return
    if (vehicle.vin !== undefined) this.#rowOfVin.set(vehicle.vin, row.number)
    this.vehicles.push(vehicle)
  }

  leaveOut({ number }: SheetRow, message: string): void {
    this.faults.push({ row: number, message })
  }
}

/** Reported once for the column, not for each row. */
const foreignPrices = ({ number }: SheetRow, columns: Columns): SheetFault[] =>
  (columns.get('price') ?? []).flatMap(({ heading, unit: { currency } }) => {
    const message = `the prices are in ${currency}, and listed in US dollars without conversion`
    return currency === undefined ? [] : [{ row: number, message, column: heading.slice(0, headingMax), listed: true }]
  })

/** A printed sheet repeats its heading on each page. */
const isSameHeading = (row: SheetRow, heading: SheetRow): boolean =>
  row.cells.every((cell, index) => cell.trim() === '' || cell.trim() === heading.cells[index]?.trim())

/** Detects rows shifted by an unquoted comma. If most rows are too wide, the last columns just have no heading. */
function shiftedIn(table: SheetTable, heading: SheetRow, body: readonly SheetRow[]): (row: SheetRow) => boolean {
  const isWide = ({ cells }: SheetRow) => cells.length > heading.cells.length
  const isUsual = body.filter(isWide).length * 2 > body.length && body.length > 1
  return (row) => table.isText && !isUsual && isWide(row)
}

/** Lists the columns that have content but were not read, by heading or letter. */
function unreadColumns(heading: SheetRow, body: readonly SheetRow[], columns: Columns): string[] {
  const read = new Set([...columns.values()].flat().map(({ index }) => index))
  const width = Math.max(heading.cells.length, ...body.map(({ cells }) => cells.length))
  const isFilled: boolean[] = []
  for (const { cells } of body) for (const [index, cell] of cells.entries()) isFilled[index] ||= cell.trim() !== ''
  return Array.from({ length: width }, (_, index) => {
    const name = visibleText(heading.cells[index] ?? '').slice(0, headingMax)
    if (read.has(index) || (name === '' && isFilled[index] !== true)) return ''
    return name || `column ${columnLetters(index)}, without a heading`
  }).filter((name) => name !== '')
}
