import { findSales, type FindRange } from '#shared/find-query.ts'
import { findRating } from '#shared/schemas/find.ts'
import { yearZero, type Columns } from './find-columns.ts'
import type { Criteria, Head } from './find-ask.ts'

/** Groups of a search: each is a bit of what a row fails by. */
export const groups = [
  'words', 'year', 'price', 'miles', 'body', 'drive', 'fuel', 'sale', 'connected', 'rated', 'posted', 'photos',
] as const // prettier-ignore
export type Group = (typeof groups)[number]
export const bitOf = (group: Group): number => 1 << groups.indexOf(group)
/** Two bits that no group has: a row that fails by them counts for none. */
const never = (1 << 14) | (1 << 15)

/** Adds to each of the rows from `from` on what it fails by. */
export type Mark = (fails: Uint16Array, from: number, count: number) => void

/** None of the product is open for so long. */
const longestTransactionMs = 3_600_000
const values = 256

/** By a table of what each value fails by. */
function byTable(column: Uint8Array | Uint32Array, table: Uint16Array): Mark {
  return (fails, from, count) => {
    for (let row = 0; row < count; row++) fails[row] = (fails[row] ?? 0) | (table[column[from + row] ?? 0] ?? 0)
  }
}

/** Both ends included. */
function byRange(column: Float64Array, low: number, high: number, bit: number): Mark {
  return (fails, from, count) => {
    for (let row = 0; row < count; row++) {
      const value = column[from + row] ?? 0
      if (value < low || value > high) fails[row] = (fails[row] ?? 0) | bit
    }
  }
}

/** What has no figure, which is below 0, is in no range. */
function rangeMarks(column: Float64Array, { from, to }: FindRange, group: Group): Mark[] {
  return from === undefined && to === undefined ? [] : [byRange(column, from ?? 0, to ?? Infinity, bitOf(group))]
}

function yearMarks(column: Uint8Array, { from, to }: FindRange): Mark[] {
  if (from === undefined && to === undefined) return []
  const passes = (_: unknown, year: number) =>
    year > 0 && year + yearZero >= (from ?? 0) && year + yearZero <= (to ?? Infinity) ? 0 : bitOf('year')
  return [byTable(column, Uint16Array.from({ length: values }, passes))]
}

function choiceMarks(column: Uint8Array, chosen: readonly number[] | undefined, group: Group): Mark[] {
  if (chosen === undefined) return []
  const table = new Uint16Array(values).fill(bitOf(group))
  for (const value of chosen) table[value] = 0
  return [byTable(column, table)]
}

const fixed = findSales.indexOf('fixed')
const coming = findSales.indexOf('coming')
export const live = findSales.indexOf('live')

/** How a row is sold at that moment: the place in the list of sales. */
export function saleAt({ of }: Columns, row: number, now: number): number {
  if ((of.ends[row] ?? 0) <= now) return fixed
  return (of.starts[row] ?? 0) > now ? coming : live
}

function saleMarks(columns: Columns, { sale, now }: Criteria): Mark[] {
  if (sale === undefined) return []
  const passes = findSales.map((one) => sale.includes(one))
  const bit = bitOf('sale')
  return [
    (fails, from, count) => {
      for (let row = 0; row < count; row++)
        if (passes[saleAt(columns, from + row, now)] !== true) fails[row] = (fails[row] ?? 0) | bit
    },
  ]
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
  const fails = Uint16Array.from({ length: size }, (_, seller) => (connected[seller] === 1 ? 0 : notConnected) | notRated)
  for (const [seller, { rating = 0, hiddenUntil }] of sellers) {
    if (rating >= findRating) rated[seller] = 1
    if (asked !== undefined && rating >= asked) fails[seller] = (fails[seller] ?? 0) & ~notRated
    if (hiddenUntil > now) fails[seller] = never
  }
  for (const seller of [0, ...excluded]) fails[seller] = never
  return { fails, connected, rated }
}

type Word = NonNullable<Criteria['words']>[number]

/** By the number of the make: 1 all of it is chosen, 2 some of it. */
export function chosenMakes(words: readonly Word[], mostWord: number): Uint8Array {
  const makes = new Uint8Array(mostWord + 1)
  for (const [make, model] of words) makes[make] = model === undefined || makes[make] === 1 ? 1 : 2
  return makes
}

function wordMarks({ of, mostWord }: Columns, words: Criteria['words']): Mark[] {
  if (words === undefined) return []
  const makes = chosenMakes(words, mostWord)
  const parts = words.filter(([, model]) => model !== undefined)
  const bit = bitOf('words')
  const isPart = (row: number) =>
    parts.some(
      ([make, model, trim]) =>
        make === of.make[row] && model === of.model[row] && (trim === undefined || trim === of.trim[row]),
    )
  return [
    (fails, from, count) => {
      for (let row = 0; row < count; row++) {
        const chosen = makes[of.make[from + row] ?? 0] ?? 0
        if (chosen === 0 || (chosen === 2 && !isPart(from + row))) fails[row] = (fails[row] ?? 0) | bit
      }
    },
  ]
}

/** 0 stands for no place. */
function placeMarks({ of }: Columns, distances: Float64Array | undefined, { within }: Criteria): Mark[] {
  if (distances === undefined || within === undefined) return []
  return [byTable(of.place, Uint16Array.from(distances, (distance) => (Number.isNaN(distance) ? never : 0)))]
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
    byRange(of.posted, since.at - longestTransactionMs, Infinity, never),
    (fails, from, count) => {
      for (let row = 0; row < count; row++) if (!cameLate(of.came[from + row] ?? 0)) fails[row] = never
    },
  ]
}

/** All that a row has to pass. */
export function marksOf(
  columns: Columns,
  criteria: Criteria,
  { since, sellers, distances }: { since: Head | undefined; sellers: SellerTables; distances: Float64Array | undefined },
): Mark[] {
  const { of } = columns
  const { postedSince } = criteria
  return [
    byTable(of.seller, sellers.fails),
    ...placeMarks(columns, distances, criteria),
    ...wordMarks(columns, criteria.words),
    ...yearMarks(of.year, criteria.year),
    ...rangeMarks(of.price, criteria.priceCents, 'price'),
    ...rangeMarks(of.miles, criteria.miles, 'miles'),
    ...choiceMarks(of.body, criteria.body, 'body'),
    ...choiceMarks(of.drive, criteria.drive, 'drive'),
    ...choiceMarks(of.fuel, criteria.fuel, 'fuel'),
    ...saleMarks(columns, criteria),
    ...rangeMarks(of.posted, postedSince === undefined ? {} : { from: postedSince }, 'posted'),
    ...choiceMarks(of.photos, criteria.photos ? [1] : undefined, 'photos'),
    ...sinceMarks(columns, since),
  ]
}
