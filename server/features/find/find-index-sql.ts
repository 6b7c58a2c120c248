import type { FindRange, FindSale, FindSort } from '#shared/find-query.ts'
import { findBars, findMilesStep, findPriceStep, findRating } from '#shared/schemas/find.ts'
import { centsPerDollar } from '#server/platform/money.ts'

/** A search as numbers. What is absent asks for nothing; an empty list asks for what nobody has. */
export interface Criteria {
  /** Each a make, or a model of it, or a trim of that; 0 is not stated, -1 what nobody has. */
  words?: readonly (readonly [make: number, model?: number, trim?: number])[]
  year: FindRange
  priceCents: FindRange
  miles: FindRange
  near?: { lat: number; lng: number }
  within?: number
  body?: readonly number[]
  drive?: readonly number[]
  fuel?: readonly number[]
  sale?: readonly FindSale[]
  /** Numbers of the sellers in the caller's network, where only these are asked for. */
  network?: readonly number[]
  rating?: number
  /** Milliseconds since 1970, as is `now`. */
  postedSince?: number
  photos: boolean
  /** Sellers who are not there for the caller. */
  excluded: readonly number[]
  now: number
}

export interface PageAsk {
  criteria: Criteria
  sort: FindSort
  after?: { key: number; rowNo: number }
  limit: number
}

export interface FacetAsk {
  criteria: Criteria
  /** Numbers of the sellers in the caller's network. */
  network: readonly number[]
}

/** What was known when an answer was given: whatever a transaction brought that is not in the snapshot has not been seen. */
export interface Head {
  /** Milliseconds since 1970. */
  at: number
  /** As PostgreSQL writes it: `xmin:xmax:xip,xip`. */
  snapshot: string
}

type Group =
  'mmt' | 'year' | 'price' | 'miles' | 'body' | 'drive' | 'fuel' | 'sale' | 'network' | 'rated' | 'posted' | 'photos'

const earthMiles = 3_958.8
const milesPerDegree = 69
const dayMs = 24 * 3_600_000
/** None of the product is open for so long. */
const longestTransactionMs = 3_600_000
/** Keys of what has no value, so that it comes last. */
const last = 9_007_199_254_740_991

/** Only numbers come into the text: nothing that anybody typed. */
function number(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('a search holds numbers only')
  return String(value)
}
const list = (values: readonly number[]) => (values.length === 0 ? 'null' : values.map(number).join(', '))
const isIn = (column: string, values: readonly number[]) => `${column} in (${list(values)})`

function inRange(column: string, { from, to }: FindRange): string | undefined {
  if (from === undefined && to === undefined) return undefined
  const parts = [
    from === undefined ? [] : `${column} >= ${number(from)}`,
    to === undefined ? [] : `${column} <= ${number(to)}`,
  ]
  return `(${parts.flat().join(' and ')})`
}

const saleTerms = (now: number): Record<FindSale, string> => ({
  fixed: `(ends is null or ends <= ${number(now)})`,
  live: `(starts <= ${number(now)} and ends > ${number(now)})`,
  coming: `(starts > ${number(now)})`,
})

function wordTerm([make, model, trim]: readonly [number, number?, number?]): string {
  const parts = [`make = ${number(make)}`]
  if (model !== undefined) parts.push(`model = ${number(model)}`)
  if (trim !== undefined) parts.push(`trim = ${number(trim)}`)
  return `(${parts.join(' and ')})`
}

/** What each group asks of a row, by group. */
function termsOf(criteria: Criteria): Partial<Record<Group, string>> {
  const { words, body, drive, fuel, sale, network, rating, postedSince, now } = criteria
  const sales = saleTerms(now)
  const terms: Record<Group, string | undefined> = {
    mmt: words && `(${words.map(wordTerm).join(' or ') || 'false'})`,
    year: inRange('year', criteria.year),
    price: inRange('price', criteria.priceCents),
    miles: inRange('miles', criteria.miles),
    body: body && isIn('body', body),
    drive: drive && isIn('drive', drive),
    fuel: fuel && isIn('fuel', fuel),
    sale: sale && `(${sale.map((one) => sales[one]).join(' or ')})`,
    network: network && isIn('seller', network),
    rated:
      rating === undefined ? undefined : `seller in (select seller from sellers where rating >= ${number(rating)})`,
    posted: postedSince === undefined ? undefined : `posted >= ${number(postedSince)}`,
    photos: criteria.photos ? 'photos' : undefined,
  }
  return Object.fromEntries(Object.entries(terms).filter(([, term]) => term !== undefined))
}

/** What holds for every group: who is there for the caller, and the radius. */
function alwaysOf({ excluded, near, within }: Criteria): string[] {
  return [
    ...(excluded.length > 0 ? [`seller not in (${list(excluded)})`] : []),
    ...(near !== undefined && within !== undefined ? ['place in (select place from near)'] : []),
  ]
}

/** Great circle from the middle of the code, in miles; only places that a box around the radius holds are worked out. */
function nearTable({ near, within }: Criteria): string {
  if (near === undefined) return ''
  const { lat, lng } = near
  const from = `sin(radians(${number(lat)})) * sin(radians(lat)) + cos(radians(${number(lat)})) * cos(radians(lat)) * cos(radians(lng - ${number(lng)}))`
  const distance = `${earthMiles} * acos(least(1, greatest(-1, ${from})))`
  const box =
    within === undefined
      ? ''
      : `where lat between ${number(lat - within / milesPerDegree)} and ${number(lat + within / milesPerDegree)}`
  const radius = within === undefined ? '' : `where distance <= ${number(within)}`
  return `with near as materialized (select place, distance from (select place, ${distance} as distance from places ${box}) ${radius}) `
}

const where = (terms: readonly string[]) => (terms.length === 0 ? '' : `where ${terms.join(' and ')}`)
const allOf = (criteria: Criteria) => [...alwaysOf(criteria), ...Object.values(termsOf(criteria))]

export const countSql = (criteria: Criteria): string =>
  `${nearTable(criteria)}select count(*)::integer from stock ${where(allOf(criteria))}`

/**
 * By their transactions, not by when they were posted: what was begun before the head and committed after it has come since. Of what was
 * posted long before only a price or a state is new.
 */
export function sinceSql(criteria: Criteria, { at, snapshot }: Head): string {
  const [, xmax = '', open = ''] = snapshot.split(':')
  const under = open === '' ? [] : open.split(',').map(Number)
  const came = `(came >= ${number(Number(xmax))} or ${isIn('came', under)})`
  const terms = [...allOf(criteria), came, `posted > ${number(at - longestTransactionMs)}`]
  return `${nearTable(criteria)}select count(*)::integer from stock ${where(terms)}`
}

/** The number by which a page is sorted, and whether more comes first. Of equal ones the row that is newer here does. */
function orderOf(sort: FindSort, now: number): { key: string; descends: boolean } {
  if (sort === 'cheapest') return { key: `coalesce(price, ${last})`, descends: false }
  if (sort === 'dearest') return { key: 'coalesce(price, -1)', descends: true }
  if (sort === 'mileage') return { key: `coalesce(miles, ${last})`, descends: false }
  if (sort === 'year') return { key: 'coalesce(year, 0)', descends: true }
  if (sort === 'nearest') return { key: `coalesce(round(distance * 10)::bigint, ${last})`, descends: false }
  if (sort === 'ending') return { key: `case when ${saleTerms(now).live} then ends else ${last} end`, descends: false }
  return { key: 'posted', descends: true }
}

export function pageSql({ criteria, sort, after, limit }: PageAsk): string {
  const { key, descends } = orderOf(sort, criteria.now)
  const beyond =
    after === undefined
      ? ''
      : `where key ${descends ? '<' : '>'} ${number(after.key)} or key = ${number(after.key)} and row_no < ${number(after.rowNo)}`
  const source = criteria.near === undefined ? 'stock' : 'stock left join near using (place)'
  const miles = criteria.near === undefined ? 'null::integer' : 'round(distance)::integer'
  return `${nearTable(criteria)}select row_no, key, miles_away from (
      select row_no, (${key})::double as key, ${miles} as miles_away from ${source} ${where(allOf(criteria))}
    ) ${beyond} order by key ${descends ? 'desc' : 'asc'}, row_no desc limit ${number(limit)}`
}

/** `least` alone would pass over null. */
const barOf = (column: string, step: number) =>
  `case when ${column} is not null then least(${column} // ${number(step)}, ${findBars - 1})::integer end`

/** Makes by all, models of the makes that are chosen or of which something is, trims of such models. */
function wordCounts(words: NonNullable<Criteria['words']>, others: string[]): string[] {
  const makes = [...new Set(words.map(([make]) => make))]
  const models = words.flatMap(([make, model]) => (model === undefined ? [] : wordTerm([make, model])))
  const counted = (part: string, columns: string, asked: string[]) =>
    `select '${part}', ${columns}, count(*) from stock ${where([...others, ...asked])} group by all`
  return [
    counted('make', 'make, null, null', []),
    ...(makes.length > 0 ? [counted('model', 'make, model, null', [isIn('make', makes)])] : []),
    ...(models.length > 0 ? [counted('trim', 'make, model, trim', [`(${[...new Set(models)].join(' or ')})`])] : []),
  ]
}

/** One text: a count by each group's values, of what the other groups leave; and of what all of them leave. */
export function facetsSql({ criteria, network }: FacetAsk): string {
  const terms = termsOf(criteria)
  const always = alwaysOf(criteria)
  const without = (group?: Group) => [
    ...always,
    ...Object.entries(terms).flatMap(([name, term]) => (name === group ? [] : term)),
  ]
  const by = (group: Group, expression: string) =>
    `select '${group}', ${expression}, null, null, count(*) from stock ${where(without(group))} group by 2`
  const counted = (group: Group, value: number, term: string) =>
    `select '${group}', ${value}, null, null, count(*) from stock ${where([...without(group), term])}`
  const { now } = criteria
  const sales = saleTerms(now)
  return `${nearTable(criteria)}${[
    `select 'total' as part, null::integer as a, null::integer as b, null::integer as c, count(*)::integer as n from stock ${where(without())}`,
    ...wordCounts(criteria.words ?? [], without('mmt')),
    by('year', 'year'),
    by('price', barOf('price', findPriceStep * centsPerDollar)),
    by('miles', barOf('miles', findMilesStep)),
    by('body', 'body'),
    by('drive', 'drive'),
    by('fuel', 'fuel'),
    by('sale', `case when ${sales.coming} then 2 when ${sales.live} then 1 else 0 end`),
    counted('network', 1, isIn('seller', network)),
    counted('rated', 1, `seller in (select seller from sellers where rating >= ${findRating})`),
    ...[1, 7, 30].map((days) => counted('posted', days, `posted >= ${number(now - days * dayMs)}`)),
    counted('photos', 1, 'photos'),
  ].join('\nunion all ')}`
}
