import { cutText } from '#shared/cut-text.ts'
import { caProvinces } from '#shared/places.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import type { SheetFault, SheetField } from '#shared/schemas/posting.ts'
import { decodeComposerVin } from '#shared/vin/vin.ts'
import { type CellReading, isNothing, readMileage, readPrice, readYear } from './sheet-cells.ts'
import type { Columns, ReadColumn } from './sheet-columns.ts'
import type { SheetRow } from './sheet-bounds.ts'
import { type DescriptionPart, partOf } from './sheet-descriptions.ts'
import { stateIn } from './sheet-states.ts'
import { readVin } from './sheet-vin.ts'
import { isNoText, readText, visibleText } from './sheet-words.ts'

export interface Place {
  city: string
  state: string
}

interface Cell {
  text: string
  column: ReadColumn | undefined
}

const textMax = 200
const unclear = 'the year, make and model could not be separated'

const noAmount = /^[\s0.,$€£-]*$/

/** These fields have their own readers, which report values such as `N/A` as faults. */
const numbers: ReadonlySet<SheetField> = new Set(['vin', 'year', 'mileage', 'price'])

class RowReading {
  readonly faults: SheetFault[] = []
  readonly #row: SheetRow
  readonly #columns: Columns

  constructor(row: SheetRow, columns: Columns) {
    this.#row = row
    this.#columns = columns
  }

  /** Returns the field's first nonempty cell. For prices and mileages, prefers a cell that is not zero. */
  cell(name: SheetField): Cell {
    let zero: Cell | undefined
    for (const column of this.#columns.get(name) ?? []) {
      const text = this.#textOf(column, name)
      if (isNothing(text) || (!numbers.has(name) && isNoText(text))) continue
      if ((name !== 'price' && name !== 'mileage') || !noAmount.test(text)) return { text, column }
      zero ??= { text, column }
    }
    return zero ?? { text: '', column: undefined }
  }

  #textOf(column: ReadColumn, name: SheetField): string {
    const text = visibleText(this.#row.cells[column.index] ?? '')
    return column.isDescription === true ? partOf(text, name as DescriptionPart) : text
  }

  vinCell(): Cell {
    const cells = (this.#columns.get('vin') ?? []).map((column) => ({ column, text: this.#textOf(column, 'vin') }))
    return cells.find(({ text }) => readVin(text).value !== undefined) ?? this.cell('vin')
  }

  currency({ column }: Cell): string {
    return column?.currencyAt === undefined ? '' : visibleText(this.#row.cells[column.currencyAt] ?? '')
  }

  checkDescription(): void {
    const column = this.#columns.get('make')?.find(({ isDescription }) => isDescription)
    const text = column === undefined ? '' : visibleText(this.#row.cells[column.index] ?? '')
    if (!isNothing(text) && partOf(text, 'make') === '') this.#add(unclear, { column, text }, true)
  }

  /** Returns the cell's value. A fault is recorded but does not skip the vehicle. */
  take<Value>({ column, text }: Cell, { value, fault }: CellReading<Value>): Value | undefined {
    if (fault !== undefined) this.#add(fault, { column, text }, true)
    return value
  }

  leaveOut(message: string, cell?: Cell): undefined {
    this.faults.splice(0)
    this.#add(message, cell, false)
  }

  #add(message: string, cell: Cell | undefined, listed: boolean): void {
    this.faults.push({
      row: this.#row.number,
      message,
      ...(cell?.column !== undefined && {
        column: cutText(cell.column.heading, textMax),
        text: cutText(cell.text, textMax),
      }),
      ...(listed && { listed }),
    })
  }
}

/** Reads a row. If the row is skipped, a fault gives the reason. An unreadable cell is not filled from the VIN. */
export function readVehicle(
  row: SheetRow,
  columns: Columns,
  dealer: Place,
): { vehicle: NewVehicle | undefined; faults: SheetFault[] } {
  const reading = new RowReading(row, columns)
  return { vehicle: vehicleOf(reading, dealer), faults: reading.faults }
}

function vehicleOf(reading: RowReading, dealer: Place): NewVehicle | undefined {
  const vinCell = reading.vinCell()
  const { isUnknown = false, ...vinReading } = readVin(vinCell.text)
  if (vinReading.fault !== undefined && !isUnknown) return reading.leaveOut(vinReading.fault, vinCell)
  const vin = reading.take(vinCell, vinReading)
  const named = nameOf(reading, vin)
  if (named === undefined) return undefined
  const place = placeOf(reading, textOf(reading, 'city', 80), dealer)
  return {
    ...given({
      vin,
      ...named,
      mileage: mileageOf(reading, place.state),
      price: priceOf(reading),
      trim: textOf(reading, 'trim', 80),
      color: textOf(reading, 'color', 40),
      notes: textOf(reading, 'notes', 2_000),
      location: textOf(reading, 'location', 160),
    }),
    ...place,
  }
}

function textOf(reading: RowReading, name: SheetField, max: number): string | undefined {
  const cell = reading.cell(name)
  return reading.take(cell, readText(cell.text, name, max))
}

/** Returns year, make and model. The VIN fills in fields that the sheet lacks. Undefined if the row is skipped. */
function nameOf(reading: RowReading, vin: string | undefined) {
  const decoded = vin === undefined ? {} : { ...decodeComposerVin(vin) }
  const cellOrDecoded = (name: 'make' | 'model', max: number) =>
    reading.cell(name).text === '' ? decoded[name] : textOf(reading, name, max)
  reading.checkDescription()
  const make = cellOrDecoded('make', 60)
  if (!isSameMake(make, decoded.make)) delete decoded.model
  const model = cellOrDecoded('model', 80)
  if (vin === undefined && (make === undefined || model === undefined))
    return reading.leaveOut('no VIN, and no make and model')
  if (make === undefined) return reading.leaveOut('the make is missing and cannot be read from the VIN')
  const cell = reading.cell('year')
  return { year: isNothing(cell.text) ? decoded.year : reading.take(cell, readYear(cell.text)), make, model }
}

const makeStart = 3

/** Compares only the first letters, so that Chevy equals Chevrolet. */
const isSameMake = (make = '', decoded = ''): boolean =>
  make.slice(0, makeStart).toLowerCase() === decoded.slice(0, makeStart).toLowerCase()

function priceOf(reading: RowReading): number | undefined {
  const cell = reading.cell('price')
  return reading.take(cell, readPrice(cell.text, { ...cell.column?.unit, ofRow: reading.currency(cell) }))
}

function mileageOf(reading: RowReading, state: string): number | undefined {
  const cell = reading.cell('mileage')
  const isUs = state !== '' && !(caProvinces as readonly string[]).includes(state)
  return reading.take(
    cell,
    readMileage(cell.text, { ...cell.column?.unit, isUs, ofRow: reading.cell('distanceUnit').text }),
  )
}

const regions = /^(?:north|south|east|west|downtown|greater|metro)$/i

/**
 * Splits `Austin, TX`, `Austin/TX` or `Austin TX`. Without a comma, the state must match the state column, so that `West LA` is not in
 * Louisiana.
 */
function cityAndState(text: string, own: string | undefined): Place | undefined {
  const parted = placeIn(/^([^,/]+?)\s*[,/]\s*(.+)$/s.exec(text))
  if (text.includes(',')) return parted
  const place = parted ?? placeIn(/^([^/]+?)\s+([A-Z]{2}(?:\s+\d{5}(?:-\d{4})?)?)$/.exec(text))
  return place === undefined || regions.test(place.city) || place.state !== (own ?? place.state) ? undefined : place
}

function placeIn(parts: RegExpExecArray | null): Place | undefined {
  const [, city = '', rest = ''] = parts ?? []
  const state = rest === '' ? undefined : stateIn(rest)
  return state === undefined || isNothing(city) ? undefined : { city, state }
}

/** Returns the vehicle's location. Defaults to the dealer's location, but uses the dealer's city only in the dealer's state. */
function placeOf(reading: RowReading, cityText: string | undefined, dealer: Place): Place {
  const cell = reading.cell('state')
  const both = cityAndState(cityText ?? '', stateIn(cell.text))
  const city = both?.city ?? cityText
  const found = stateIn(cell.text)
  const isBlank = isNothing(cell.text)
  const reason: CellReading<string> = isBlank ? {} : { fault: 'the state is not recognized' }
  const unnamed = both?.state ?? dealer.state
  const state = isBlank ? unnamed : (reading.take(cell, found === undefined ? reason : { value: found }) ?? '')
  return { city: city ?? (state === dealer.state ? dealer.city : ''), state }
}

function given(fields: { [Name in keyof NewVehicle]: NewVehicle[Name] | undefined }): NewVehicle {
  const names = Object.keys(fields) as (keyof NewVehicle)[]
  for (const name of names) if (fields[name] === undefined) delete fields[name]
  return fields as NewVehicle
}
