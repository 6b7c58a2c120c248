import { findSales, type FindRange } from '#shared/find-query.ts'
import { findRating } from '#shared/schemas/find.ts'
import { allKinds, years, yearZero, type Arrays, type Columns, type Kind } from './find-columns.ts'
import { type Criteria, type Group, groups, type Head } from './find-ask.ts'

/** The bit of what a row fails by. */
const bitOf = (group: Group): number => 1 << groups.indexOf(group)
/** Two bits that no group has: a row that fails by them counts for none. */
const never = (1 << 14) | (1 << 15)

/**
 * Adds to each of the rows from `from` on what it fails by. Without a branch in its loop, here and where rows are chosen and counted: a
 * processor that guesses wrong at every other row takes four times as long.
 */
export type Mark = (fails: Uint16Array, from: number, count: number) => void

/** None of the product is open for so long. */
const longestTransactionMs = 3_600_000

// What a loop reads is handed to it: what it takes from around it is looked up at every turn.

/** By a table of what each value fails by. */
function markValues(fails: Uint16Array, from: number, count: number, column: Uint16Array, table: Uint16Array): void {
  for (let row = 0; row < count; row++) fails[row] = (fails[row] ?? 0) | (table[column[from + row] ?? 0] ?? 0)
}

/** The same by a number of four bytes: a loop over arrays of two kinds takes twice as long. */
function markNumbers(fails: Uint16Array, from: number, count: number, column: Uint32Array, table: Uint16Array): void {
  for (let row = 0; row < count; row++) fails[row] = (fails[row] ?? 0) | (table[column[from + row] ?? 0] ?? 0)
}

interface Range {
  low: number
  high: number
  bit: number
}

/** Both ends included. */
function markRange(fails: Uint16Array, from: number, count: number, column: Float64Array, { low, high, bit }: Range) {
  for (let row = 0; row < count; row++) {
    const value = column[from + row] ?? 0
    fails[row] = (fails[row] ?? 0) | ((Number(value < low) | Number(value > high)) * bit)
  }
}

/** The same, but what has no figure, which is below 0, is in each. */
function markRangeOrNone(
  fails: Uint16Array,
  from: number,
  count: number,
  column: Float64Array,
  { low, high, bit }: Range,
) {
  for (let row = 0; row < count; row++) {
    const value = column[from + row] ?? 0
    const isOutside = (Number(value < low) | Number(value > high)) & Number(value >= 0)
    fails[row] = (fails[row] ?? 0) | (isOutside * bit)
  }
}

const byValue =
  (column: Uint16Array, table: Uint16Array): Mark =>
  (fails, from, count) =>
    markValues(fails, from, count, column, table)
const byNumber =
  (column: Uint32Array, table: Uint16Array): Mark =>
  (fails, from, count) =>
    markNumbers(fails, from, count, column, table)
const byRange =
  (column: Float64Array, range: Range): Mark =>
  (fails, from, count) =>
    markRange(fails, from, count, column, range)
const byRangeOrNone =
  (column: Float64Array, range: Range): Mark =>
  (fails, from, count) =>
    markRangeOrNone(fails, from, count, column, range)

/** What has no figure is in no range, but where it is asked for; alone, then no figure is. */
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
  const failsOf = (_: unknown, year: number) => ((year === 0 ? none : passes(year + yearZero)) ? 0 : bitOf('year'))
  return [byValue(column, Uint16Array.from({ length: years }, failsOf))]
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

/** How a row is sold at that moment: the place in the list of sales, fixed, live and coming. */
export const saleAt = (starts: Float64Array, ends: Float64Array, row: number, now: number): number =>
  Number((ends[row] ?? 0) > now) + Number((starts[row] ?? 0) > now)

function markSales(
  fails: Uint16Array,
  from: number,
  count: number,
  { starts, ends }: Arrays,
  { now, table }: { now: number; table: Uint16Array },
): void {
  for (let row = 0; row < count; row++)
    fails[row] = (fails[row] ?? 0) | (table[saleAt(starts, ends, from + row, now)] ?? 0)
}

function saleMarks({ of }: Columns, { sale, now }: Criteria): Mark[] {
  if (sale === undefined) return []
  const table = Uint16Array.from(findSales, (one) => (sale.includes(one) ? 0 : bitOf('sale')))
  return [(fails, from, count) => markSales(fails, from, count, of, { now, table })]
}

/** What is known of sellers for this search, by their numbers. */
export interface SellerTables {
  fails: Uint16Array
  connected: Uint8Array
  rated: Uint8Array
}

/** Number 0 is a row that is gone. */
export function sellerTables({ sellers, mostSeller }: Columns, criteria: Criteria): SellerTables {
  const { now, network, excluded, rating: asked } = criteria
  const size = mostSeller + 1
  const connected = new Uint8Array(size)
  const rated = new Uint8Array(size)
  for (const seller of network) connected[seller] = 1
  const notConnected = criteria.connected ? bitOf('connected') : 0
  const notRated = asked === undefined ? 0 : bitOf('rated')
  const fails = Uint16Array.from(
    { length: size },
    (_, seller) => (connected[seller] === 1 ? 0 : notConnected) | notRated,
  )
  for (const [seller, { rating = 0, hiddenUntil }] of sellers) {
    if (rating >= findRating) rated[seller] = 1
    if (asked !== undefined && rating >= asked) fails[seller] = (fails[seller] ?? 0) & ~notRated
    if (hiddenUntil > now) fails[seller] = never
  }
  for (const seller of [0, ...excluded]) fails[seller] = never
  return { fails, connected, rated }
}

/** Which are chosen, by their numbers; of a make what has no model, of a model what has no trim. */
type WordTables = Record<'makes' | 'models' | 'trims' | 'noModel' | 'noTrim', Uint8Array>

function markWords(
  fails: Uint16Array,
  from: number,
  count: number,
  { make, model, trim }: Arrays,
  { makes, models, trims, noModel, noTrim }: WordTables,
): void {
  const bit = bitOf('words')
  for (let row = 0; row < count; row++) {
    const ofMake = make[from + row] ?? 0
    const ofModel = model[from + row] ?? 0
    const ofTrim = trim[from + row] ?? 0
    const stated = (makes[ofMake] ?? 0) | (models[ofModel] ?? 0) | (trims[ofTrim] ?? 0)
    const not = (Number(ofModel === 0) & (noModel[ofMake] ?? 0)) | (Number(ofTrim === 0) & (noTrim[ofModel] ?? 0))
    fails[row] = (fails[row] ?? 0) | (bit * (1 - (stated | not)))
  }
}

function wordMarks({ of, mostWord }: Columns, words: Criteria['words']): Mark[] {
  if (words === undefined) return []
  const table = () => new Uint8Array(mostWord + 1)
  const tables: WordTables = { makes: table(), models: table(), trims: table(), noModel: table(), noTrim: table() }
  for (const [make, model, trim] of words) {
    if (model === undefined) tables.makes[make] = 1
    else if (model === 0) tables.noModel[make] = 1
    else if (trim === undefined) tables.models[model] = 1
    else if (trim === 0) tables.noTrim[model] = 1
    else tables.trims[trim] = 1
  }
  return [(fails, from, count) => markWords(fails, from, count, of, tables)]
}

/** 0 stands for no place. */
function placeMarks({ of }: Columns, distances: Float64Array | undefined, { within }: Criteria): Mark[] {
  if (distances === undefined || within === undefined) return []
  // What has no distance is not within any.
  const failsOf = (distance: number) => (distance <= within ? 0 : bitOf('within'))
  return [byNumber(of.place, Uint16Array.from(distances, failsOf))]
}

/**
 * What has come since by its transaction, not by when it was posted: what was begun before the head and committed after it has. Of what
 * was posted long before only a price or a state is new.
 */
function sinceMarks({ of }: Columns, since: Head | undefined): Mark[] {
  if (since === undefined) return []
  const [, xmax = '', open = ''] = since.snapshot.split(':')
  const underWay = new Set(open === '' ? [] : open.split(',').map(Number))
  const cameLate = (transaction: number) => transaction >= Number(xmax) || underWay.has(transaction)
  return [
    byRange(of.posted, { low: since.at - longestTransactionMs, high: Infinity, bit: never }),
    (fails, from, count) => {
      for (let row = 0; row < count; row++) if (!cameLate(of.came[from + row] ?? 0)) fails[row] = never
    },
  ]
}

/** All that a row has to pass. */
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
    byNumber(of.seller, sellers.fails),
    ...placeMarks(columns, distances, criteria),
    ...wordMarks(columns, criteria.words),
    ...yearMarks(of.year, criteria.year),
    ...rangeMarks(of.price, criteria.priceCents, 'price'),
    ...rangeMarks(of.miles, criteria.miles, 'miles'),
    ...kindMarks(of.kind, criteria),
    ...saleMarks(columns, criteria),
    ...rangeMarks(of.posted, postedSince === undefined ? {} : { from: postedSince }, 'posted'),
    ...sinceMarks(columns, since),
  ]
}
