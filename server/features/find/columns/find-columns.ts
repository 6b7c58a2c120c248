import { findBars, findMilesStep, findPriceStep } from '#shared/schemas/find.ts'
import { bodies, drives, fuels } from '#shared/vehicle-traits.ts'
import { centsPerDollar } from '#server/platform/money.ts'

/** 0 in `seller` is a row that is gone, elsewhere what is not stated; prices and miles are -1 then. Times are milliseconds since 1970. */
const types = {
  rowNo: Uint32Array,
  seller: Uint32Array,
  make: Uint32Array,
  model: Uint32Array,
  trim: Uint32Array,
  place: Uint32Array,
  /** Since `yearZero`. */
  year: Uint16Array,
  /** Traits, photos and an auction as one number: `kindOf`. */
  kind: Uint16Array,
  /** The bars of both histograms as one number: `barsOf`. */
  bars: Uint16Array,
  /** Cents. */
  price: Float64Array,
  miles: Float64Array,
  starts: Float64Array,
  ends: Float64Array,
  posted: Float64Array,
  /** The transaction by which this process knew of it first: whoever saw it since has seen that. */
  came: Float64Array,
}
type Name = keyof typeof types
export type Arrays = { [K in Name]: InstanceType<(typeof types)[K]> }
const names = Object.keys(types) as Name[]

/** As they stand in a line that PostgreSQL writes (find-lines.repository.ts). */
const fields = [
  'rowNo', 'seller', 'make', 'model', 'trim', 'year', 'price', 'miles', 'body', 'drive', 'fuel', 'starts', 'ends', 'photos', 'place',
  'posted', 'came', 'gone',
] as const // oxfmt-ignore
type Line = Record<(typeof fields)[number], number>

export const yearZero = 1899
export const years = 256
const startRows = 4_096
const growth = 1.25
/** So many rows gone, and a quarter of all: they are taken out. */
const tidyAfter = 10_000

const arrays = (rows: number) => Object.fromEntries(names.map((name) => [name, new types[name](rows)])) as Arrays
const least0 = (value: number) => (Number.isNaN(value) ? 0 : value)

/** What few values have, as one number: what is asked of several, or counted by several, is looked up or counted at once. */
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
/** Not for ever at a price. */
export const isAuction = (kind: number): boolean => (kind & 1) === 1
/** By its number, of every kind there can be. */
export const allKinds = Array.from({ length: kinds }, (_, number) => readKind(number))

/** Bars of a histogram, and behind the last one what is not stated. */
export const barCount = findBars + 1
const barOf = (value: number, step: number) =>
  Number.isNaN(value) ? findBars : Math.min(findBars - 1, Math.floor(value / step))
const barsOf = ({ price, miles }: Line) =>
  barOf(price, findPriceStep * centsPerDollar) * barCount + barOf(miles, findMilesStep)
const yearOf = (year: number) => (Number.isNaN(year) ? 0 : Math.min(years - 1, Math.max(1, year - yearZero)))

/** Whole numbers with `|` between them, one line a row; empty is NaN. Each number is read once, and no text is made of it. */
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
  /** The mean of their reviews. */
  rating: number | undefined
  /** Nothing of them is found until then. */
  hiddenUntil: number
}

/** What distances are worked out from, by the number of the place; NaN: there is none. */
export interface Places {
  sinLat: Float64Array
  cosLat: Float64Array
  lat: Float64Array
  lng: Float64Array
}

/** Vehicles on offer, a column each for what is asked of them: rows in the order of their numbers, those that are gone among them. */
export class Columns {
  of = arrays(startRows)
  length = 0
  /** Of words, and of sellers. */
  mostWord = 0
  mostSeller = 0
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

  /** Lines of vehicles: each takes the place of what was known of it. */
  write(lines: string): void {
    const added: Line[] = []
    readLines(lines, (line) => {
      if (!this.#put(line)) added.push({ ...line })
    })
    this.#insert(added)
    if (this.#gone > Math.max(tidyAfter, this.length / 4)) this.#tidy()
  }

  /** `seller|rating|hidden until`. */
  writeSellers(lines: string): void {
    for (const line of lines.split('\n')) {
      if (line === '') continue
      const [seller, rating = '', until = ''] = line.split('|')
      const known = { rating: rating === '' ? undefined : Number(rating), hiddenUntil: Number(until) }
      this.sellers.set(Number(seller), known)
      this.mostSeller = Math.max(this.mostSeller, Number(seller))
    }
  }

  /** `place|lat|lng`, all there are. */
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

  /** False: it has no place yet. */
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
    if (!isKnown) of.came[slot] = line.came
    this.mostWord = Math.max(this.mostWord, line.make, line.model, line.trim)
    this.mostSeller = Math.max(this.mostSeller, line.seller)
  }

  /** Where the row is, or would be: most are newer than all others. */
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

  /** Puts them where their numbers say: what stands behind each moves once. */
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

  /** Takes out those that are gone, a column after the other. */
  #tidy(): void {
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
