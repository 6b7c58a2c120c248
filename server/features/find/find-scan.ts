import type { FindSort } from '#shared/find-query.ts'
import { countersOf, type Counter } from './find-counters.ts'
import { distancesOf } from './find-distances.ts'
import { groups, live, marksOf, saleAt, sellerTables } from './find-marks.ts'
import type { Columns } from './find-columns.ts'
import type { FindAsk, FindReply, FoundRow } from './find-ask.ts'

/** So many rows are looked at together: what is noted of them stays near the processor. */
const block = 4_096
/** Keys of what has no value, so that it comes last. */
const last = Number.MAX_SAFE_INTEGER

/** By what a page is sorted, ascending. */
function keyOf(
  columns: Columns,
  sort: FindSort,
  now: number,
  distances: Float64Array | undefined,
): (row: number) => number {
  const { of } = columns
  const stated = (value: number) => (value < 0 ? last : value)
  const away = (row: number) => distances?.[of.place[row] ?? 0] ?? Number.NaN
  const keys: Record<FindSort, (row: number) => number> = {
    newest: (row) => -(of.posted[row] ?? 0),
    cheapest: (row) => stated(of.price[row] ?? -1),
    dearest: (row) => -(of.price[row] ?? -1),
    mileage: (row) => stated(of.miles[row] ?? -1),
    year: (row) => -(of.year[row] ?? 0),
    nearest: (row) => (Number.isNaN(away(row)) ? last : Math.round(away(row) * 10)),
    ending: (row) => (saleAt(columns, row, now) === live ? (of.ends[row] ?? 0) : last),
  }
  return keys[sort]
}

/** The first rows by their keys; of equal ones the newer, which is offered before. */
class Top {
  readonly #key: (row: number) => number
  readonly #rows: Uint32Array
  readonly #rowNo: Uint32Array
  readonly #after: { key: number; rowNo: number }
  readonly keys: Float64Array
  size = 0

  constructor(rowNo: Uint32Array, key: (row: number) => number, { limit, after }: NonNullable<FindAsk['page']>) {
    this.#key = key
    this.#rowNo = rowNo
    this.#after = after ?? { key: -Infinity, rowNo: 0 }
    this.#rows = new Uint32Array(limit)
    this.keys = new Float64Array(limit).fill(Infinity)
  }

  get rows(): Uint32Array {
    return this.#rows.subarray(0, this.size)
  }

  offer(rows: Uint32Array, count: number): void {
    const worst = this.keys.length - 1
    for (let at = 0; at < count; at++) {
      const row = rows[at] ?? 0
      const key = this.#key(row)
      if (key < (this.keys[worst] ?? 0) && this.#isBehind(row, key)) this.#insert(row, key)
    }
  }

  #isBehind(row: number, key: number): boolean {
    const { key: after, rowNo } = this.#after
    return key > after || (key === after && (this.#rowNo[row] ?? 0) < rowNo)
  }

  #insert(row: number, key: number): void {
    let place = Math.min(this.size, this.keys.length - 1)
    for (; place > 0 && (this.keys[place - 1] ?? 0) > key; place--) {
      this.keys[place] = this.keys[place - 1] ?? 0
      this.#rows[place] = this.#rows[place - 1] ?? 0
    }
    this.keys[place] = key
    this.#rows[place] = row
    this.size = Math.min(this.size + 1, this.keys.length)
  }
}

/** Rows of a block that pass, and of each group those that fail by it alone. */
class Selection {
  readonly hits = new Uint32Array(block)
  readonly near = groups.map(() => new Uint32Array(block))
  readonly nearCounts = new Uint32Array(groups.length)
  readonly #fails = new Uint16Array(block)

  /** The newest first. Answers how many pass. */
  select(marks: ReturnType<typeof marksOf>, from: number, count: number): number {
    this.#fails.fill(0)
    for (const mark of marks) mark(this.#fails, from, count)
    this.nearCounts.fill(0)
    let passing = 0
    for (let row = count - 1; row >= 0; row--) {
      const fails = this.#fails[row] ?? 0
      if (fails === 0) this.hits[passing++] = from + row
      else if ((fails & (fails - 1)) === 0) this.#note(31 - Math.clz32(fails), from + row)
    }
    return passing
  }

  #note(group: number, row: number): void {
    const rows = this.near[group]
    const count = this.nearCounts[group] ?? 0
    if (rows !== undefined) rows[count] = row
    this.nearCounts[group] = count + 1
  }

  tally({ group, tally }: Counter, passing: number): void {
    tally(this.hits, passing)
    const place = groups.indexOf(group)
    const rows = this.near[place]
    if (rows !== undefined) tally(rows, this.nearCounts[place] ?? 0)
  }
}

/** One pass over all rows: how many pass, the page, and the counts of each group by what the others leave. */
export function scan(columns: Columns, { criteria, since, page, counts }: FindAsk): FindReply {
  const { of, length } = columns
  const sellers = sellerTables(columns, criteria)
  const distances = distancesOf(columns, criteria)
  const marks = marksOf(columns, criteria, { since, sellers, distances })
  const counting = counts === true ? countersOf(columns, criteria, sellers) : undefined
  const top = page && new Top(of.rowNo, keyOf(columns, page.sort, criteria.now, distances), page)
  const selection = new Selection()
  let total = 0
  for (let end = length; end > 0; end -= block) {
    const from = Math.max(0, end - block)
    const passing = selection.select(marks, from, end - from)
    total += passing
    top?.offer(selection.hits, passing)
    for (const counter of counting?.counters ?? []) selection.tally(counter, passing)
  }
  const milesOf = (row: number) => {
    const miles = distances?.[of.place[row] ?? 0] ?? Number.NaN
    return Number.isNaN(miles) ? null : Math.round(miles)
  }
  const rows = [...(top?.rows ?? [])].map((row, place): FoundRow => [
    of.rowNo[row] ?? 0,
    top?.keys[place] ?? 0,
    milesOf(row),
  ])
  return { total, rows, ...(counting !== undefined && { counts: counting.read() }) }
}
