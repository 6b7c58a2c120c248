import { findPosted, findSales } from '#shared/find-query.ts'
import { bodies, drives, fuels } from '#shared/vehicle-traits.ts'
import { allKinds, barCount, isAuction, kinds, years, yearZero, type Arrays, type Columns } from './table.ts'
import { block, saleAt, type SellerTables } from './filters.ts'
import { wordCounter } from './word-counts.ts'
import type { Criteria, FindCounts, Group } from './search-format.ts'

const dayMs = 24 * 3_600_000
const fixed = findSales.indexOf('fixed')

// Loop inputs are parameters here, because reading closure variables in a loop is slower (see filters.ts).

function countValues(rows: Uint32Array, count: number, column: Uint16Array, counts: Uint32Array): void {
  for (let at = 0; at < count; at++) {
    const value = column[rows[at] ?? 0] ?? 0
    counts[value] = (counts[value] ?? 0) + 1
  }
}

function countNumbers(rows: Uint32Array, count: number, column: Uint32Array, counts: Uint32Array): void {
  for (let at = 0; at < count; at++) {
    const value = column[rows[at] ?? 0] ?? 0
    counts[value] = (counts[value] ?? 0) + 1
  }
}

function countSince(rows: Uint32Array, count: number, posted: Float64Array, times: Float64Array, counts: Uint32Array) {
  const [one = 0, two = 0, three = 0] = times
  let first = 0
  let second = 0
  let third = 0
  for (let at = 0; at < count; at++) {
    const time = posted[rows[at] ?? 0] ?? 0
    first += Number(time >= one)
    second += Number(time >= two)
    third += Number(time >= three)
  }
  for (const [place, sum] of [first, second, third].entries()) counts[place] = (counts[place] ?? 0) + sum
}

/** Counts rows by sale type. Reads few auction times, because most vehicles were never in an auction. */
function countSales(
  rows: Uint32Array,
  count: number,
  { kind, starts, ends }: Arrays,
  now: number,
  counts: Uint32Array,
) {
  let auctions = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    if (!isAuction(kind[row] ?? 0)) continue
    auctions += 1
    const place = saleAt(starts, ends, row, now)
    counts[place] = (counts[place] ?? 0) + 1
  }
  counts[fixed] = (counts[fixed] ?? 0) + count - auctions
}

/** Counts years, histogram bars and traits in one pass. Lists the rows with an auction in `auctions` and returns their number. */
function countShapes(
  rows: Uint32Array,
  count: number,
  { year, bars, kind }: Arrays,
  [inYears, inAllBars, ofKinds]: readonly [Uint32Array, Uint32Array, Uint32Array],
  auctions: Uint32Array,
): number {
  let found = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const inYear = year[row] ?? 0
    const inBars = bars[row] ?? 0
    const ofKind = kind[row] ?? 0
    inYears[inYear] = (inYears[inYear] ?? 0) + 1
    inAllBars[inBars] = (inAllBars[inBars] ?? 0) + 1
    ofKinds[ofKind] = (ofKinds[ofKind] ?? 0) + 1
    auctions[found] = row
    found += Number(isAuction(ofKind))
  }
  return found
}

/** Counts the first `count` rows by their value in a column, and adds the results to `counts`. */
type Tally = (rows: Uint32Array, count: number, counts: Uint32Array) => void

export class Counter {
  readonly groups: readonly Group[]
  readonly passing: Uint32Array
  readonly #tally: Tally
  /** For each facet, the counts of the rows that fail only this facet's filter. */
  readonly #near = new Map<Group, Uint32Array>()

  constructor(groups: readonly Group[], size: number, tally: Tally) {
    this.groups = groups
    this.passing = new Uint32Array(size)
    this.#tally = tally
  }

  addPassing(rows: Uint32Array, count: number): void {
    this.#tally(rows, count, this.passing)
  }

  addNear(group: Group, rows: Uint32Array, count: number): void {
    if (count === 0) return
    const counts = this.#near.get(group) ?? new Uint32Array(this.passing.length)
    this.#near.set(group, counts)
    this.#tally(rows, count, counts)
  }

  /** Returns the count for each value of the column, ignoring the facet's own filter. */
  read(group: Group): number[] {
    return this.readBy(group, this.passing.length, (number) => number)
  }

  /** Like `read`, but maps column values with `valueOf` and adds up the counts that map to the same result. */
  readBy(group: Group, size: number, valueOf: (number: number) => number): number[] {
    const { passing } = this
    const near = this.#near.get(group)
    const sums = Array.from({ length: size }, () => 0)
    for (let number = 0; number < passing.length; number++) {
      const count = (passing[number] ?? 0) + (near?.[number] ?? 0)
      if (count > 0) sums[valueOf(number)] = (sums[valueOf(number)] ?? 0) + count
    }
    return sums
  }
}

export function countersOf(
  columns: Columns,
  { words: chosen = [], now }: Criteria,
  { connected, rated }: SellerTables,
): { counters: Counter[]; addPassing: (rows: Uint32Array, count: number) => void; read: () => FindCounts } {
  const { of } = columns
  const times = Float64Array.from(findPosted, (days) => now - days * dayMs)
  const word = wordCounter(columns, chosen)
  const words = new Counter(['words'], 0, word.tally)
  const year = new Counter(['year'], years, (rows, count, counts) => countValues(rows, count, of.year, counts))
  const bars = new Counter(['price', 'miles'], barCount * barCount, (rows, count, counts) =>
    countValues(rows, count, of.bars, counts),
  )
  const traits = new Counter(['body', 'drive', 'fuel', 'photos'], kinds, (rows, count, counts) =>
    countValues(rows, count, of.kind, counts),
  )
  const seller = new Counter(['connected', 'rated'], connected.length, (rows, count, counts) =>
    countNumbers(rows, count, of.seller, counts),
  )
  const sale = new Counter(['sale'], findSales.length, (rows, count, counts) =>
    countSales(rows, count, of, now, counts),
  )
  const posted = new Counter(['posted'], findPosted.length, (rows, count, counts) =>
    countSince(rows, count, of.posted, times, counts),
  )
  const auctions = new Uint32Array(block)
  const addPassing = (rows: Uint32Array, count: number) => {
    for (const counter of [words, seller, posted]) counter.addPassing(rows, count)
    const found = countShapes(rows, count, of, [year.passing, bars.passing, traits.passing], auctions)
    sale.passing[fixed] = (sale.passing[fixed] ?? 0) + count - found
    sale.addPassing(auctions, found)
  }
  const byTrait = (trait: 'body' | 'drive' | 'fuel' | 'photos', size: number) =>
    traits.readBy(trait, size, (number) => allKinds[number]?.[trait] ?? 0)
  const bySeller = (group: 'connected' | 'rated', named: Uint8Array) =>
    seller.readBy(group, 2, (number) => named[number] ?? 0)[1] ?? 0
  const read = (): FindCounts => ({
    words: word.read(),
    year: year
      .read('year')
      .flatMap((count, value): FindCounts['year'] =>
        count === 0 ? [] : [[value === 0 ? undefined : value + yearZero, count]],
      ),
    price: bars.readBy('price', barCount, (number) => Math.floor(number / barCount)),
    miles: bars.readBy('miles', barCount, (number) => number % barCount),
    body: byTrait('body', bodies.length + 1),
    drive: byTrait('drive', drives.length + 1),
    fuel: byTrait('fuel', fuels.length + 1),
    photos: byTrait('photos', 2)[1] ?? 0,
    connected: bySeller('connected', connected),
    rated: bySeller('rated', rated),
    sale: sale.read('sale'),
    posted: posted.read('posted'),
  })
  return { counters: [words, year, bars, traits, seller, sale, posted], addPassing, read }
}
