import type { FindSort } from '#shared/find-query.ts'
import { countersOf, type Counter } from './counts.ts'
import {
  block,
  live,
  marksOf,
  keepPassing,
  keepNearMisses,
  saleAt,
  sellerTables,
  type Candidates,
  type Mark,
} from './filters.ts'
import { type Columns, yearZero, radians } from './table.ts'
import {
  type FindRequest,
  type FindReply,
  type FoundRow,
  type Group,
  groups,
  type RelaxedSearch,
  type Criteria,
} from './search-format.ts'

const last = Number.MAX_SAFE_INTEGER

/** The first `count` entries are the rows with a sort key below `worst`. */
interface Picked {
  rows: Uint32Array
  keys: Float64Array
  count: number
  worst: number
}

type Pick = (rows: Uint32Array, count: number, picked: Picked) => void

/** Picks rows by ascending value. Rows without a value (below 0) come last. */
function pickFrom(column: Float64Array, rows: Uint32Array, count: number, picked: Picked): void {
  const { rows: chosen, keys, worst } = picked
  let found = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const value = column[row] ?? -1
    const key = value < 0 ? last : value
    if (key >= worst) continue
    chosen[found] = row
    keys[found] = key
    found += 1
  }
  picked.count = found
}

function pickDown(column: Float64Array, rows: Uint32Array, count: number, picked: Picked): void {
  const { rows: chosen, keys, worst } = picked
  let found = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const key = -(column[row] ?? -1)
    if (key >= worst) continue
    chosen[found] = row
    keys[found] = key
    found += 1
  }
  picked.count = found
}

function pickBy(keyOf: (row: number) => number): Pick {
  return (rows, count, picked) => {
    picked.count = 0
    for (let at = 0; at < count; at++) {
      const row = rows[at] ?? 0
      const key = keyOf(row)
      if (key >= picked.worst) continue
      picked.rows[picked.count] = row
      picked.keys[picked.count] = key
      picked.count += 1
    }
  }
}

function pickOf({ of }: Columns, sort: FindSort, now: number, distances: Float64Array | undefined): Pick {
  const from =
    (column: Float64Array): Pick =>
    (...offered) =>
      pickFrom(column, ...offered)
  const down =
    (column: Float64Array): Pick =>
    (...offered) =>
      pickDown(column, ...offered)
  const distanceOf = (row: number) => distances?.[of.place[row] ?? 0] ?? Number.NaN
  const picks: Record<FindSort, Pick> = {
    newest: down(of.posted),
    cheapest: from(of.price),
    dearest: down(of.price),
    mileage: from(of.miles),
    year: pickBy((row) => -(of.year[row] ?? 0)),
    nearest: pickBy((row) => (Number.isNaN(distanceOf(row)) ? last : Math.round(distanceOf(row) * 10))),
    ending: pickBy((row) => (saleAt(of.starts, of.ends, row, now) === live ? (of.ends[row] ?? 0) : last)),
  }
  return picks[sort]
}

/** Keeps the rows with the lowest sort keys. Of rows with equal keys, the newer row comes first. */
class Top {
  readonly keys: Float64Array
  readonly #rows: Uint32Array
  readonly #pick: Pick
  readonly #picked: Picked = { rows: new Uint32Array(block), keys: new Float64Array(block), count: 0, worst: Infinity }
  readonly #rowNo: Uint32Array
  readonly #after: { key: number; rowNo: number }
  #size = 0

  constructor(rowNo: Uint32Array, pick: Pick, { limit, after }: NonNullable<FindRequest['page']>) {
    this.#pick = pick
    this.#rowNo = rowNo
    this.#after = after ?? { key: -Infinity, rowNo: 0 }
    this.#rows = new Uint32Array(limit)
    this.keys = new Float64Array(limit).fill(Infinity)
  }

  get rows(): Uint32Array {
    return this.#rows.subarray(0, this.#size)
  }

  offer(rows: Uint32Array, count: number): void {
    const picked = this.#picked
    const place = this.keys.length - 1
    picked.worst = this.keys[place] ?? 0
    this.#pick(rows, count, picked)
    for (let at = 0; at < picked.count; at++) {
      const [row, key] = [picked.rows[at] ?? 0, picked.keys[at] ?? 0]
      // Check the key again, because this loop inserts rows, which lowers the limit below `worst`.
      if (key >= (this.keys[place] ?? 0) || !this.#isBehind(row, key)) continue
      this.#insert(row, key)
    }
  }

  #isBehind(row: number, key: number): boolean {
    const { key: after, rowNo } = this.#after
    return key > after || (key === after && (this.#rowNo[row] ?? 0) < rowNo)
  }

  #insert(row: number, key: number): void {
    let place = Math.min(this.#size, this.keys.length - 1)
    for (; place > 0 && (this.keys[place - 1] ?? 0) > key; place--) {
      this.keys[place] = this.keys[place - 1] ?? 0
      this.#rows[place] = this.#rows[place - 1] ?? 0
    }
    this.keys[place] = key
    this.#rows[place] = row
    this.#size = Math.min(this.#size + 1, this.keys.length)
  }
}

function sortByGroup({ rows, fails, count }: Candidates, sorted: Uint32Array, counts: Uint32Array): void {
  for (let at = 0; at < count; at++) {
    // 0 if the row passes, otherwise the number of the filter that it fails, from 1.
    const group = 32 - Math.clz32(fails[at] ?? 0)
    const place = counts[group] ?? 0
    sorted[group * block + place] = rows[at] ?? 0
    counts[group] = place + 1
  }
}

/** Selects the rows of a block that pass all filters. `withNear` also selects, for each filter, the rows that fail only that filter. */
class Selection {
  /** One block of slots for passing rows, followed by one block for each filter. */
  readonly #sorted: Uint32Array
  readonly #counts = new Uint32Array(groups.length + 1)
  readonly #marks: readonly Mark[]
  readonly #left: Candidates

  constructor(marks: readonly Mark[], withNear: boolean) {
    const rows = new Uint32Array(block)
    this.#marks = marks
    this.#left = { rows, fails: new Uint16Array(block), count: 0, spare: withNear ? keepNearMisses : keepPassing }
    this.#sorted = withNear ? new Uint32Array(this.#counts.length * block) : rows
  }

  /** Filters the rows, newest first. Returns the number of rows that pass. */
  select(from: number, end: number): number {
    const left = this.#left
    const { rows, fails } = left
    for (let row = end - 1; row >= from; row--) rows[end - 1 - row] = row
    fails.fill(0)
    left.count = end - from
    for (const mark of this.#marks) left.count = mark(left)
    if (left.spare === keepPassing) return left.count
    sortByGroup(left, this.#sorted, this.#counts.fill(0))
    return this.#counts[0] ?? 0
  }

  get hits(): Uint32Array {
    return this.#sorted
  }

  nearOf(group: Group): Uint32Array {
    const place = groups.indexOf(group) + 1
    return this.#sorted.subarray(place * block, place * block + (this.#counts[place] ?? 0))
  }

  tallyNear(counter: Counter): void {
    for (const group of counter.groups) {
      const near = this.nearOf(group)
      counter.addNear(group, near, near.length)
    }
  }
}

/** Counts the results of relaxed searches: rows that pass, plus rows that fail only the relaxed filter. */
class RelaxedCounts {
  readonly found: number[]
  readonly #relaxed: readonly (RelaxedSearch & { valueOf: (row: number) => number })[]

  constructor({ of }: Columns, distances: Float64Array | undefined, relaxed: readonly RelaxedSearch[]) {
    const values: Partial<Record<Group, (row: number) => number>> = {
      year: (row) => ((of.year[row] ?? 0) === 0 ? Number.NaN : (of.year[row] ?? 0) + yearZero),
      price: (row) => of.price[row] ?? -1,
      miles: (row) => of.miles[row] ?? -1,
      within: (row) => distances?.[of.place[row] ?? 0] ?? Number.NaN,
    }
    this.#relaxed = relaxed.map((way) => ({ ...way, valueOf: values[way.group] ?? (() => Number.NaN) }))
    this.found = relaxed.map(() => 0)
  }

  tally(selection: Selection, passing: number): void {
    for (const [place, { group, range, valueOf }] of this.#relaxed.entries()) {
      const near = selection.nearOf(group)
      // Rows without a value (NaN or -1) are in no range.
      const isIn = (row: number) => valueOf(row) >= (range?.from ?? 0) && valueOf(row) <= (range?.to ?? Infinity)
      const more = range === undefined ? near.length : near.reduce((count, row) => count + Number(isIn(row)), 0)
      this.found[place] = (this.found[place] ?? 0) + passing + more
    }
  }
}

function shownRows({ of }: Columns, top: Top | undefined, distances: Float64Array | undefined): FoundRow[] {
  if (top === undefined) return []
  const milesOf = (row: number) => {
    const miles = distances?.[of.place[row] ?? 0] ?? Number.NaN
    return Number.isNaN(miles) ? null : Math.round(miles)
  }
  return Array.from(top.rows, (row, place): FoundRow => [of.rowNo[row] ?? 0, top.keys[place] ?? 0, milesOf(row)])
}

export function scan(columns: Columns, { criteria, since, page, counts, relaxed = [] }: FindRequest): FindReply {
  const { of, length } = columns
  const sellers = sellerTables(columns, criteria)
  // A relaxed search may have a wider radius, so it needs the distances beyond the current one.
  const distances = distancesOf(columns, criteria.near, relaxed.length === 0 ? criteria.within : undefined)
  const marks = marksOf(columns, criteria, { since, sellers, distances })
  const counting = counts && countersOf(columns, criteria, sellers)
  const counters = counting?.counters ?? []
  const relaxedSearches = new RelaxedCounts(columns, distances, relaxed)
  const selection = new Selection(marks, counters.length + relaxed.length > 0)
  const top = page && new Top(of.rowNo, pickOf(columns, page.sort, criteria.now, distances), page)
  let total = 0
  for (let end = length; end > 0; end -= block) {
    const passing = selection.select(Math.max(0, end - block), end)
    total += passing
    top?.offer(selection.hits, passing)
    relaxedSearches.tally(selection, passing)
    counting?.addPassing(selection.hits, passing)
    for (const counter of counters) selection.tallyNear(counter)
  }
  return {
    total,
    rows: shownRows(columns, top, distances),
    relaxed: relaxedSearches.found,
    ...(counting !== undefined && { counts: counting.read() }),
  }
}

const earthMiles = 3_958.8
const milesPerDegree = 69

/** Returns great-circle miles from the center of the search, by place id. NaN if the place is unknown or outside the radius. */
function distancesOf({ places }: Columns, near: Criteria['near'], within?: number): Float64Array | undefined {
  if (near === undefined) return undefined
  const { sinLat, cosLat, lat, lng } = places
  const distances = new Float64Array(lat.length).fill(Number.NaN)
  const [sin, cos] = [Math.sin(radians(near.lat)), Math.cos(radians(near.lat))]
  const least = within === undefined ? Infinity : within / milesPerDegree
  for (let place = 0; place < lat.length; place++) {
    if (Math.abs((lat[place] ?? 0) - near.lat) > least) continue
    const turn = Math.cos(radians((lng[place] ?? 0) - near.lng))
    const from = sin * (sinLat[place] ?? 0) + cos * (cosLat[place] ?? 0) * turn
    const distance = earthMiles * Math.acos(Math.min(1, Math.max(-1, from)))
    if (within === undefined || distance <= within) distances[place] = distance
  }
  return distances
}
