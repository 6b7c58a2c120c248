import { findBars, findMilesStep, findPriceStep } from '#shared/schemas/find.ts'
import { bodies, drives, fuels } from '#shared/vehicle-traits.ts'
import { centsPerDollar } from '#server/platform/money.ts'

/** 0 means not stated, except that `price` and `miles` use -1. Seller 0 marks a deleted row. Times are milliseconds since 1970. */
const types = {
  rowNo: Uint32Array,
  seller: Uint32Array,
  make: Uint32Array,
  model: Uint32Array,
  trim: Uint32Array,
  place: Uint32Array,
  year: Uint16Array,
  /** Traits, photos and auction, packed into one number by `kindOf`. */
  kind: Uint16Array,
  bars: Uint16Array,
  price: Float64Array,
  miles: Float64Array,
  starts: Float64Array,
  ends: Float64Array,
  posted: Float64Array,
  /** Id of the transaction that added the vehicle to this index. Later updates of the vehicle keep this id. */
  addedIn: Float64Array,
}
type Name = keyof typeof types
export type Arrays = { [K in Name]: InstanceType<(typeof types)[K]> }
const names = Object.keys(types) as Name[]

/** Order of the fields in a line from PostgreSQL (lines.repository.ts). */
const fields = [
  'rowNo', 'seller', 'make', 'model', 'trim', 'year', 'price', 'miles', 'body', 'drive', 'fuel', 'starts', 'ends', 'photos', 'place',
  'posted', 'addedIn', 'gone',
] as const // oxfmt-ignore
type Line = Record<(typeof fields)[number], number>

export const yearZero = 1899
export const years = 256
const startRows = 4_096
const growth = 1.25
/** Compact once the deleted rows exceed both this number and a quarter of all rows. */
const compactAfter = 10_000

const arrays = (rows: number) => Object.fromEntries(names.map((name) => [name, new types[name](rows)])) as Arrays
const least0 = (value: number) => (Number.isNaN(value) ? 0 : value)

/** Attributes with few values are packed into one number, so that filtering and counting need one lookup. */
export interface Kind {
  body: number
  drive: number
  fuel: number
  photos: number
}
const [drivesOf, fuelsOf] = [drives.length + 1, fuels.length + 1]
export const kinds = (bodies.length + 1) * drivesOf * fuelsOf * 4
const kindOf = ({ body, drive, fuel, photos, ends }: Line) =>
  ((body * drivesOf + drive) * fuelsOf + fuel) * 4 + photos * 2 + Number(ends > 0)
const readKind = (kind: number): Kind => {
  const traits = Math.floor(kind / 4)
  const withDrive = Math.floor(traits / fuelsOf)
  return {
    body: Math.floor(withDrive / drivesOf),
    drive: withDrive % drivesOf,
    fuel: traits % fuelsOf,
    photos: (kind >> 1) & 1,
  }
}
export const isAuction = (kind: number): boolean => (kind & 1) === 1
export const allKinds = Array.from({ length: kinds }, (_, number) => readKind(number))

/** Number of bars in a histogram, plus one for vehicles without a value. */
export const barCount = findBars + 1
const barOf = (value: number, step: number) =>
  Number.isNaN(value) ? findBars : Math.min(findBars - 1, Math.floor(value / step))
const barsOf = ({ price, miles }: Line) =>
  barOf(price, findPriceStep * centsPerDollar) * barCount + barOf(miles, findMilesStep)
const yearOf = (year: number) => (Number.isNaN(year) ? 0 : Math.min(years - 1, Math.max(1, year - yearZero)))

/** Parses integers separated by `|`, one row per line. An empty field becomes NaN. Allocates no strings. */
function readLines(text: string, use: (line: Line) => void): void {
  const line = Object.fromEntries(fields.map((field) => [field, Number.NaN])) as Line
  let field = 0
  let value = Number.NaN
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : newLine
    if (code >= zero) {
      if (code !== bar) {
        value = (Number.isNaN(value) ? 0 : value) * 10 + code - zero
        continue
      }
    }
    const name = fields[field]
    if (name !== undefined) line[name] = value
    value = Number.NaN
    field += 1
    if (code === bar) continue
    if (field === fields.length) use(line)
    field = 0
  }
}
const [newLine, zero, bar] = [10, 48, 124]

export interface Seller {
  rating: number | undefined
  /** Time in milliseconds since 1970. */
  hiddenUntil: number
}

/** Coordinates by place id. NaN for an unknown place id. */
export interface Places {
  sinLat: Float64Array
  cosLat: Float64Array
  lat: Float64Array
  lng: Float64Array
}

/** Vehicles for sale in columnar form, sorted by row number. Deleted rows remain until compaction. */
export class Columns {
  of = arrays(startRows)
  length = 0
  maxWordId = 0
  maxSellerId = 0
  readonly sellers = new Map<number, Seller>()
  places: Places = {
    sinLat: new Float64Array(),
    cosLat: new Float64Array(),
    lat: new Float64Array(),
    lng: new Float64Array(),
  }
  #gone = 0

  get vehicles(): number {
    return this.length - this.#gone
  }

  get bytes(): number {
    return names.reduce((sum, name) => sum + this.of[name].byteLength, 0)
  }

  write(lines: string): void {
    const added: Line[] = []
    readLines(lines, (line) => {
      if (!this.#put(line)) added.push({ ...line })
    })
    this.#insert(added)
    if (this.#gone > Math.max(compactAfter, this.length / 4)) this.#compact()
  }

  writeSellers(lines: string): void {
    for (const line of lines.split('\n')) {
      if (line === '') continue
      const [seller, rating = '', until = ''] = line.split('|')
      const known = { rating: rating === '' ? undefined : Number(rating), hiddenUntil: Number(until) }
      this.sellers.set(Number(seller), known)
      this.maxSellerId = Math.max(this.maxSellerId, Number(seller))
    }
  }

  writePlaces(lines: string): void {
    const all = lines.split('\n').map((line) => line.split('|').map(Number))
    const size = all.reduce((most, [id = 0]) => Math.max(most, id), 0) + 1
    const column = () => new Float64Array(size).fill(Number.NaN)
    const places = { sinLat: column(), cosLat: column(), lat: column(), lng: column() }
    for (const [id = 0, lat = Number.NaN, lng = Number.NaN] of all) {
      places.sinLat[id] = Math.sin(radians(lat))
      places.cosLat[id] = Math.cos(radians(lat))
      places.lat[id] = lat
      places.lng[id] = lng
    }
    this.places = places
  }

  #put(line: Line): boolean {
    const { of } = this
    const slot = this.#slotOf(line.rowNo)
    const isThere = slot < this.length && of.rowNo[slot] === line.rowNo
    const wasGone = isThere && of.seller[slot] === 0
    if (line.gone === 1) {
      if (isThere && !wasGone) this.#gone += 1
      if (isThere) of.seller[slot] = 0
      return true
    }
    if (wasGone) this.#gone -= 1
    if (isThere) this.#set(slot, line, !wasGone)
    return isThere
  }

  #set(slot: number, line: Line, isKnown: boolean): void {
    const { of } = this
    of.rowNo[slot] = line.rowNo
    of.seller[slot] = line.seller
    of.make[slot] = line.make
    of.model[slot] = line.model
    of.trim[slot] = line.trim
    of.place[slot] = least0(line.place)
    of.year[slot] = yearOf(line.year)
    of.kind[slot] = kindOf(line)
    of.bars[slot] = barsOf(line)
    of.price[slot] = Number.isNaN(line.price) ? -1 : line.price
    of.miles[slot] = Number.isNaN(line.miles) ? -1 : line.miles
    of.starts[slot] = least0(line.starts)
    of.ends[slot] = least0(line.ends)
    of.posted[slot] = line.posted
    if (!isKnown) of.addedIn[slot] = line.addedIn
    this.maxWordId = Math.max(this.maxWordId, line.make, line.model, line.trim)
    this.maxSellerId = Math.max(this.maxSellerId, line.seller)
  }

  /** Returns the position of the row, or where to insert it. Checks the end first, because most rows are added at the end. */
  #slotOf(rowNo: number): number {
    const { rowNo: rows } = this.of
    let [low, high] = [0, this.length]
    if (high > 0 && rowNo > (rows[high - 1] ?? 0)) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((rows[middle] ?? 0) < rowNo) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Inserts rows in order, moving each existing row at most once. */
  #insert(added: Line[]): void {
    if (added.length === 0) return
    const length = this.length + added.length
    if (length > this.of.rowNo.length) {
      const grown = arrays(Math.ceil(length * growth))
      for (const name of names) grown[name].set(this.of[name])
      this.of = grown
    }
    const sorted = added.toSorted((a, b) => a.rowNo - b.rowNo)
    let end = this.length
    for (const [index, line] of [...sorted.entries()].toReversed()) {
      const slot = this.#slotOf(line.rowNo)
      if (slot < end) for (const name of names) this.of[name].copyWithin(slot + index + 1, slot, end)
      end = slot
      this.#set(slot + index, line, false)
    }
    this.length = length
  }

  #compact(): void {
    const { seller } = this.of
    const kept = Uint32Array.from(seller.subarray(0, this.length).keys()).filter((slot) => seller[slot] !== 0)
    for (const name of names) {
      const column = this.of[name]
      for (const [place, slot] of kept.entries()) column[place] = column[slot] ?? 0
    }
    this.length = kept.length
    this.#gone = 0
  }
}

export const radians = (degrees: number): number => (degrees * Math.PI) / 180
