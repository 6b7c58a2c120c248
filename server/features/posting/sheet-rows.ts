import { vinLength, yearMax, yearMin } from '#shared/limits.ts'
import { stateNames } from '#shared/places.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import type { SheetFault } from '#shared/schemas/posting.ts'
import { isState } from '#shared/vehicle-rules.ts'
import { cleanVin, decodeComposerVin } from '#shared/vin.ts'
import { formatNumber, plural } from '#shared/format.ts'
import { isWholeCents } from '#server/platform/money.ts'
import { toStorable } from '#server/platform/storable.ts'
import { SheetRefused, type SheetRow } from './sheet-bounds.ts'

type Column =
  | 'vin'
  | 'year'
  | 'make'
  | 'model'
  | 'trim'
  | 'mileage'
  | 'price'
  | 'color'
  | 'city'
  | 'state'
  | 'notes'
  | 'location'

/** What dealers call their columns, without spaces and signs. */
const headings: Record<Column, readonly string[]> = {
  vin: ['vin', 'vinnumber', 'vin17', 'serial'],
  year: ['year', 'yr', 'modelyear'],
  make: ['make', 'manufacturer', 'brand'],
  model: ['model', 'modelname'],
  trim: ['trim', 'series', 'trimlevel', 'style'],
  mileage: ['mileage', 'miles', 'odometer', 'odo', 'odometerreading'],
  price: ['price', 'askingprice', 'asking', 'ask', 'wholesaleprice', 'saleprice', 'listprice', 'buynow', 'buynowprice'],
  color: ['color', 'colour', 'exteriorcolor', 'extcolor', 'ext', 'exterior'],
  city: ['city', 'town'],
  state: ['state', 'st', 'province'],
  notes: ['notes', 'comments', 'comment', 'description', 'announcements', 'condition'],
  location: ['location', 'lot', 'yard'],
}

const columnOf = new Map(
  (Object.entries(headings) as [Column, readonly string[]][]).flatMap(([column, names]) =>
    names.map((name) => [name, column] as const),
  ),
)

const headingRows = 15
const faultsMax = 200

export interface SheetContent {
  vehicles: NewVehicle[]
  faults: SheetFault[]
}

/**
 * Vehicles of a sheet whose first rows name the columns; rows that cannot be used are told apart by number.
 * @throws SheetRefused when no row names a VIN, or a make and a model
 */
export function readRows(
  rows: readonly SheetRow[],
  place: { city: string; state: string },
  vehiclesMax: number,
): SheetContent {
  const headingIndex = rows.slice(0, headingRows).findIndex(({ cells }) => isHeading(mapColumns(cells)))
  const heading = rows[headingIndex]
  if (heading === undefined) throw new SheetRefused('No row names the columns: VIN, or Make and Model, are needed')
  const columns = mapColumns(heading.cells)
  const content: SheetContent = { vehicles: [], faults: [] }
  const seen = new Map<string, number>()
  const leaveOut = (row: number, message: string) => {
    if (content.faults.length < faultsMax) content.faults.push({ row, message })
  }
  for (const { number, cells } of rows.slice(headingIndex + 1)) {
    if (content.vehicles.length >= vehiclesMax) {
      leaveOut(number, `a post takes up to ${formatNumber(vehiclesMax)} vehicles`)
      continue
    }
    const { vehicle, fault } = readVehicle((column) => toStorable(cells[columns.get(column) ?? -1] ?? '').trim(), place)
    const twin = vehicle.vin === undefined ? undefined : seen.get(vehicle.vin)
    const message = fault ?? (twin === undefined ? undefined : `the VIN of row ${twin} again`)
    if (message !== undefined) {
      leaveOut(number, message)
      continue
    }
    if (vehicle.vin !== undefined) seen.set(vehicle.vin, number)
    content.vehicles.push(vehicle)
  }
  return content
}

function mapColumns(row: readonly string[]): ReadonlyMap<Column, number> {
  const columns = new Map<Column, number>()
  for (const [index, cell] of row.entries()) {
    const column = columnOf.get(cell.toLowerCase().replace(/[^a-z0-9]/g, ''))
    if (column !== undefined && !columns.has(column)) columns.set(column, index)
  }
  return columns
}

const isHeading = (columns: ReadonlyMap<Column, number>) =>
  columns.size >= 2 && (columns.has('vin') || (columns.has('make') && columns.has('model')))

function readVehicle(
  cell: (column: Column) => string,
  place: { city: string; state: string },
): { vehicle: NewVehicle; fault: string | undefined } {
  const vin = cleanVin(cell('vin'))
  const { make: decodedMake = '', model: decodedModel = '', ...decoded } = decodeComposerVin(vin) ?? {}
  const year = numberIn(cell('year')) ?? decoded.year
  const make = cell('make') || decodedMake
  const model = cell('model') || decodedModel
  const [mileage, price] = [numberIn(cell('mileage')), numberIn(cell('price'))]
  const vehicle = {
    ...(vin !== '' && { vin }),
    ...amount('year', year, Math.trunc),
    ...amount('mileage', mileage, Math.round),
    ...amount('price', price, (value) => Math.round(value * 100) / 100),
    ...text('make', make, 60),
    ...text('model', model, 80),
    ...text('trim', cell('trim'), 80),
    ...text('color', cell('color'), 40),
    ...text('notes', cell('notes'), 2_000),
    ...text('location', cell('location'), 160),
    ...placeIn(cell('city').slice(0, 80), cell('state'), place),
  }
  return { vehicle, fault: faultIn({ vin, year, make, model, mileage, price }) }
}

const codeOfName = new Map(Object.entries(stateNames).map(([code, name]) => [name.toLowerCase(), code]))

/** The code of a state or province that stands there by its code or its name. Empty: neither. */
function stateIn(text: string): string {
  const code = /^[a-z]{2}(?![a-z])/i.exec(text)?.[0].toUpperCase() ?? ''
  return isState(code) ? code : (codeOfName.get(text.toLowerCase()) ?? '')
}

/** Where the row says nothing the vehicle is where its dealer is; the dealer's city is not looked for in another state. */
function placeIn(city: string, said: string, dealer: { city: string; state: string }) {
  const state = said === '' ? dealer.state : stateIn(said)
  return { city: city || (state === dealer.state ? dealer.city : ''), state }
}

interface Checked {
  vin: string
  year: number | undefined
  make: string
  model: string
  mileage: number | undefined
  price: number | undefined
}

const isOutside = (value: number | undefined, min: number, max: number) =>
  value !== undefined && (value < min || value > max)

function faultIn(row: Checked): string | undefined {
  const { vin, make, model } = row
  if (vin !== '' && vin.length !== vinLength)
    return `the VIN has ${plural(vin.length, 'character')} instead of ${vinLength}`
  if (/[IOQ]/.test(vin)) return 'the VIN has an I, O or Q, which no VIN has'
  if (vin === '' && (make === '' || model === '')) return 'no VIN, and no make and model'
  if (make === '') return 'the make is missing and the VIN does not tell it'
  return faultInNumbers(row)
}

function faultInNumbers({ year, mileage, price }: Checked): string | undefined {
  if (isOutside(year, yearMin, yearMax)) return `the year ${year} is not between ${yearMin} and ${yearMax}`
  if (isOutside(mileage, 0, 9_999_999)) return 'the mileage is not possible'
  if (isOutside(price, 0, 99_999_999)) return 'the price is not possible'
  if (price !== undefined && !isWholeCents(price)) return 'the price has more than two decimals'
  return undefined
}

/** `$31,900.00` is 31900, `48k` is 48000; undefined where there is no number. */
function numberIn(text: string): number | undefined {
  const match = /-?\d[\d,]*\.?\d*(?:e[+-]?\d+)?/i.exec(text)
  if (match === null) return undefined
  const value = Number(match[0].replaceAll(',', ''))
  const thousands = /^\s*k\b/i.test(text.slice(match.index + match[0].length))
  return Number.isFinite(value) ? value * (thousands ? 1_000 : 1) : undefined
}

function amount<Name extends string>(
  name: Name,
  value: number | undefined,
  round: (value: number) => number,
): Partial<Record<Name, number>> {
  return value === undefined ? {} : ({ [name]: round(value) } as Partial<Record<Name, number>>)
}

function text<Name extends string>(name: Name, value: string, max: number): Partial<Record<Name, string>> {
  return value === '' ? {} : ({ [name]: value.slice(0, max) } as Partial<Record<Name, string>>)
}
