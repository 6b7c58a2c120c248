import { findSales, type FindRange } from '#shared/find-query.ts'
import { findRating } from '#shared/constants/find.ts'
import { allKinds, years, yearZero, type Arrays, type Columns, type Kind } from './table.ts'
import { type Criteria, type Group, groups, type Head } from './search-format.ts'

const bitOf = (group: Group): number => 1 << groups.indexOf(group)
/** Two bits that no filter uses. A row with both bits counts as failing two filters, so every count excludes the row. */
const never = (1 << 14) | (1 << 15)

/** Number of rows in a block. The data of a block fits in the CPU cache. */
export const block = 4_096

/** The candidate rows are the first `count` entries of `rows`. `fails` has one bit for each filter that a row has failed so far. */
export interface Candidates {
  rows: Uint32Array
  fails: Uint16Array
  count: number
  spare: number
}
/** Values of `spare`: keep rows that fail at most one filter, or only rows that pass all filters. */
export const keepNearMisses = 0
export const keepPassing = -1

/** Marks the rows that fail a filter and returns how many remain. Branch-free, because branch mispredictions made loops 4 times slower. */
export type Mark = (left: Candidates) => number

const keepFlag = (failed: number, spare: number) => ((failed & ((failed - 1) | spare)) - 1) >>> 31

const longestTransactionMs = 3_600_000

// Loop inputs are parameters, because reading closure variables in a loop is slower.

function markValues({ rows, fails, count, spare }: Candidates, column: Uint16Array, table: Uint16Array): number {
  let left = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const failed = (fails[at] ?? 0) | (table[column[row] ?? 0] ?? 0)
    rows[left] = row
    fails[left] = failed
    left += keepFlag(failed, spare)
  }
  return left
}

/** Like markValues, for 32-bit columns. A single loop over both array types would take twice as long. */
function markNumbers({ rows, fails, count, spare }: Candidates, column: Uint32Array, table: Uint16Array): number {
  let left = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const failed = (fails[at] ?? 0) | (table[column[row] ?? 0] ?? 0)
    rows[left] = row
    fails[left] = failed
    left += keepFlag(failed, spare)
  }
  return left
}

interface Range {
  low: number
  high: number
  bit: number
}

function markRange({ rows, fails, count, spare }: Candidates, column: Float64Array, { low, high, bit }: Range): number {
  let left = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const value = column[row] ?? 0
    const failed = (fails[at] ?? 0) | ((Number(value < low) | Number(value > high)) * bit)
    rows[left] = row
    fails[left] = failed
    left += keepFlag(failed, spare)
  }
  return left
}

/** Like markRange, but rows without a value (below 0) pass. */
function markRangeOrNone(
  { rows, fails, count, spare }: Candidates,
  column: Float64Array,
  { low, high, bit }: Range,
): number {
  let left = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const value = column[row] ?? 0
    const isOutside = (Number(value < low) | Number(value > high)) & Number(value >= 0)
    const failed = (fails[at] ?? 0) | (isOutside * bit)
    rows[left] = row
    fails[left] = failed
    left += keepFlag(failed, spare)
  }
  return left
}

const byValue =
  (column: Uint16Array, table: Uint16Array): Mark =>
  (left) =>
    markValues(left, column, table)
const byNumber =
  (column: Uint32Array, table: Uint16Array): Mark =>
  (left) =>
    markNumbers(left, column, table)
const byRange =
  (column: Float64Array, range: Range): Mark =>
  (left) =>
    markRange(left, column, range)
const byRangeOrNone =
  (column: Float64Array, range: Range): Mark =>
  (left) =>
    markRangeOrNone(left, column, range)

/** Builds a lookup table. Uses a loop, because `Uint16Array.from` takes twenty times as long. */
function tableOf(size: number, failsOf: (number: number) => number): Uint16Array {
  const table = new Uint16Array(size)
  for (let number = 0; number < size; number++) table[number] = failsOf(number)
  return table
}

/** Rows without a value fail the filter unless `none` is set. If only `none` is set, rows with a value fail. */
function rangeMarks(column: Float64Array, { from, to, none }: FindRange, group: Group): Mark[] {
  const isOpen = from === undefined && to === undefined
  const range = { low: from ?? 0, high: to ?? Infinity, bit: bitOf(group) }
  if (none) return [byRangeOrNone(column, isOpen ? { ...range, low: Infinity } : range)]
  return isOpen ? [] : [byRange(column, range)]
}

function yearMarks(column: Uint16Array, { from, to, none }: FindRange): Mark[] {
  const isOpen = from === undefined && to === undefined
  if (isOpen && !none) return []
  const passes = (year: number) => !isOpen && year >= (from ?? 0) && year <= (to ?? Infinity)
  const failsOf = (year: number) => ((year === 0 ? none : passes(year + yearZero)) ? 0 : bitOf('year'))
  return [byValue(column, tableOf(years, failsOf))]
}

function kindMarks(column: Uint16Array, { body, drive, fuel, photos }: Criteria): Mark[] {
  const chosen = { body, drive, fuel, photos: photos ? [1] : undefined }
  const asked = Object.entries(chosen).flatMap(([trait, values]) =>
    values === undefined ? [] : [[trait as keyof typeof chosen, values] as const],
  )
  if (asked.length === 0) return []
  const failsOf = (kind: Kind) =>
    asked.reduce((fails, [trait, values]) => fails | (values.includes(kind[trait]) ? 0 : bitOf(trait)), 0)
  return [byValue(column, Uint16Array.from(allKinds, failsOf))]
}

export const live = findSales.indexOf('live')

/** Returns the row's sale type at time `now`, as an index in `findSales` (fixed, live, coming). */
export const saleAt = (starts: Float64Array, ends: Float64Array, row: number, now: number): number =>
  Number((ends[row] ?? 0) > now) + Number((starts[row] ?? 0) > now)

function markSales(
  { rows, fails, count, spare }: Candidates,
  { starts, ends }: Arrays,
  { now, table }: { now: number; table: Uint16Array },
): number {
  let left = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const failed = (fails[at] ?? 0) | (table[saleAt(starts, ends, row, now)] ?? 0)
    rows[left] = row
    fails[left] = failed
    left += keepFlag(failed, spare)
  }
  return left
}

function saleMarks({ of }: Columns, { sale, now }: Criteria): Mark[] {
  if (sale === undefined) return []
  const table = Uint16Array.from(findSales, (one) => (sale.includes(one) ? 0 : bitOf('sale')))
  return [(left) => markSales(left, of, { now, table })]
}

export interface SellerTables {
  fails: Uint16Array
  connected: Uint8Array
  rated: Uint8Array
}

export function sellerTables({ sellers, maxSellerId: mostSeller }: Columns, criteria: Criteria): SellerTables {
  const { now, network, excluded, rating: asked } = criteria
  const size = mostSeller + 1
  const connected = new Uint8Array(size)
  const rated = new Uint8Array(size)
  for (const seller of network) connected[seller] = 1
  const notConnected = criteria.connected ? bitOf('connected') : 0
  const notRated = asked === undefined ? 0 : bitOf('rated')
  const fails = tableOf(size, (seller) => (connected[seller] === 1 ? 0 : notConnected) | notRated)
  for (const [seller, { rating = 0, hiddenUntil }] of sellers) {
    if (rating >= findRating) rated[seller] = 1
    if (asked !== undefined && rating >= asked) fails[seller] = (fails[seller] ?? 0) & ~notRated
    if (hiddenUntil > now) fails[seller] = never
  }
  for (const seller of [0, ...excluded]) fails[seller] = never
  return { fails, connected, rated }
}

/** Chosen words by id. `noModel` marks makes chosen with "no model stated", and `noTrim` marks models with "no trim stated". */
type WordTables = Record<'makes' | 'models' | 'trims' | 'noModel' | 'noTrim', Uint8Array>

function markWords(
  { rows, fails, count, spare }: Candidates,
  { make, model, trim }: Arrays,
  { makes, models, trims, noModel, noTrim }: WordTables,
): number {
  const bit = bitOf('words')
  let left = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const ofMake = make[row] ?? 0
    const ofModel = model[row] ?? 0
    const ofTrim = trim[row] ?? 0
    const stated = (makes[ofMake] ?? 0) | (models[ofModel] ?? 0) | (trims[ofTrim] ?? 0)
    const not = (Number(ofModel === 0) & (noModel[ofMake] ?? 0)) | (Number(ofTrim === 0) & (noTrim[ofModel] ?? 0))
    const failed = (fails[at] ?? 0) | (bit * (1 - (stated | not)))
    rows[left] = row
    fails[left] = failed
    left += keepFlag(failed, spare)
  }
  return left
}

function wordMarks({ of, maxWordId: mostWord }: Columns, words: Criteria['words']): Mark[] {
  if (words === undefined) return []
  const bit = bitOf('words')
  const oneOf = (column: Uint32Array, numbers: readonly number[]) => {
    const table = new Uint16Array(mostWord + 1).fill(bit)
    for (const number of numbers) table[number] = 0
    return byNumber(column, table)
  }
  // Fast path: most searches choose only makes or only models. A model belongs to one make, so its id is enough.
  if (words.every(([, model]) => model === undefined))
    return [
      oneOf(
        of.make,
        words.map(([make]) => make),
      ),
    ]
  if (words.every(([, model = 0, trim]) => model !== 0 && trim === undefined))
    return [
      oneOf(
        of.model,
        words.map(([, model = 0]) => model),
      ),
    ]
  const table = () => new Uint8Array(mostWord + 1)
  const tables: WordTables = { makes: table(), models: table(), trims: table(), noModel: table(), noTrim: table() }
  for (const [make, model, trim] of words) {
    if (model === undefined) tables.makes[make] = 1
    else if (model === 0) tables.noModel[make] = 1
    else if (trim === undefined) tables.models[model] = 1
    else if (trim === 0) tables.noTrim[model] = 1
    else tables.trims[trim] = 1
  }
  return [(left) => markWords(left, of, tables)]
}

function placeMarks({ of }: Columns, distances: Float64Array | undefined, { within }: Criteria): Mark[] {
  if (distances === undefined || within === undefined) return []
  const bit = bitOf('within')
  // The distance of an unknown location is NaN, so the comparison fails.
  return [
    byNumber(
      of.place,
      tableOf(distances.length, (place) => ((distances[place] ?? NaN) <= within ? 0 : bit)),
    ),
  ]
}

function markByTransaction(
  { rows, fails, count, spare }: Candidates,
  addedIn: Float64Array,
  isNew: (transaction: number) => boolean,
) {
  let left = 0
  for (let at = 0; at < count; at++) {
    const row = rows[at] ?? 0
    const failed = isNew(addedIn[row] ?? 0) ? (fails[at] ?? 0) : never
    rows[left] = row
    fails[left] = failed
    left += keepFlag(failed, spare)
  }
  return left
}

/**
 * Keeps only vehicles that are new since `since`. Compares transactions instead of times, because a transaction may start before `since`
 * and commit after it. Vehicles posted long before have only a new price or state.
 */
function sinceMarks({ of }: Columns, since: Head | undefined): Mark[] {
  if (since === undefined) return []
  const [, xmax = '', open = ''] = since.snapshot.split(':')
  const underWay = new Set(open === '' ? [] : open.split(',').map(Number))
  const committedLate = (transaction: number) => transaction >= Number(xmax) || underWay.has(transaction)
  return [
    byRange(of.posted, { low: since.at - longestTransactionMs, high: Infinity, bit: never }),
    (left) => markByTransaction(left, of.addedIn, committedLate),
  ]
}

/** Returns the filters. Those that usually exclude the most rows come first, so that later filters process fewer rows. */
export function marksOf(
  columns: Columns,
  criteria: Criteria,
  {
    since,
    sellers,
    distances,
  }: { since: Head | undefined; sellers: SellerTables; distances: Float64Array | undefined },
): Mark[] {
  const { of } = columns
  const { postedSince } = criteria
  return [
    ...sinceMarks(columns, since),
    ...wordMarks(columns, criteria.words),
    ...placeMarks(columns, distances, criteria),
    ...rangeMarks(of.posted, postedSince === undefined ? {} : { from: postedSince }, 'posted'),
    ...yearMarks(of.year, criteria.year),
    ...rangeMarks(of.price, criteria.priceCents, 'price'),
    ...rangeMarks(of.miles, criteria.miles, 'miles'),
    ...kindMarks(of.kind, criteria),
    ...saleMarks(columns, criteria),
    byNumber(of.seller, sellers.fails),
  ]
}
