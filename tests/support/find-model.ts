import { sql } from 'kysely'
import { parseFind, type FindQuery, type FindRange } from '#shared/find-query.ts'
import { findRating } from '#shared/constants/find.ts'
import {
  findBars,
  findMilesStep,
  findPriceStep,
  findRelaxMax,
  type FindFacets,
  type FindRelax,
} from '#shared/schemas/find.ts'
import { bodies, drives, fuels, notStated, wordKey } from '#shared/vehicle-traits.ts'
import type { Db } from '#server/platform/database/db.ts'

export interface ModelRow {
  vehicleId: string
  rowNo: number
  sellerId: string
  make: string
  model: string
  trim: string
  year: number | null
  cents: number | null
  miles: number | null
  body: number
  drive: number
  fuel: number
  starts: number | null
  ends: number | null
  photos: boolean
  lat: number | null
  lng: number | null
  posted: number
  rating: number | null
  hidden: boolean
}

export async function readModel(db: Db): Promise<ModelRow[]> {
  const { rows } = await sql<ModelRow>`
    select f.vehicle_id, f.row_no, f.seller_id, coalesce(make.key, '') as make, coalesce(model.key, '') as model,
      coalesce(t.key, '') as trim, f.year, case when a.post_id is null then f.price_cents else coalesce(a.amount_cents, a.start_cents) end as cents,
      f.mileage as miles, f.body, f.drive, f.fuel, extract(epoch from f.starts_at)::float8 * 1000 as starts,
      extract(epoch from f.ends_at)::float8 * 1000 as ends, f.has_photos as photos, pl.lat::float8 as lat, pl.lng::float8 as lng,
      floor(extract(epoch from f.posted_at) * 1000)::float8 as posted, d.rating::float8 as rating,
      d.suspended_at is not null or d.deleted_at is not null as hidden
    from find_vehicles f join dealers d on d.id = f.seller_id
    left join find_words make on make.id = f.make_id left join find_words model on model.id = f.model_id
    left join find_words t on t.id = f.trim_id left join postal_places pl on pl.id = f.place_id
    left join vehicles v on v.id = f.vehicle_id left join auctions a on a.post_id = f.post_id and a.status = 'open'
      and v.position = (select min(one.position) from vehicles one where one.post_id = f.post_id)
    where not f.gone`.execute(db)
  return rows
}

interface Reader {
  network: ReadonlySet<string>
  blocked: ReadonlySet<string>
  near: { lat: number; lng: number } | undefined
  now: number
}

type Group =
  | 'mmt'
  | 'year'
  | 'price'
  | 'miles'
  | 'body'
  | 'drive'
  | 'fuel'
  | 'sale'
  | 'network'
  | 'rated'
  | 'posted'
  | 'photos'
type Test = (row: ModelRow) => boolean

const dayMs = 24 * 3_600_000
const rad = (degrees: number) => (degrees * Math.PI) / 180

function distance(row: ModelRow, near: Reader['near']): number | undefined {
  if (near === undefined || row.lat === null || row.lng === null) return undefined
  const [a, b] = [rad(near.lat), rad(row.lat)]
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(rad(row.lng - near.lng))
  return 3_958.8 * Math.acos(Math.min(1, Math.max(-1, cosine)))
}

/** True if the value matches the range. Null matches only if `none` is set. A range without bounds matches nothing but null. */
function inside(value: number | null, { from, to, none }: FindRange): boolean {
  if (value === null) return none === true
  return (from ?? to) !== undefined && (from === undefined || value >= from) && (to === undefined || value <= to)
}

function saleOf({ starts, ends }: ModelRow, now: number): FindQuery['sale'][number] {
  if (starts === null || ends === null || ends <= now) return 'fixed'
  return starts > now ? 'coming' : 'live'
}

const traitName = (list: readonly string[], number: number) => list[number - 1] ?? notStated

function testsOf(query: FindQuery, { network, now }: Reader): Partial<Record<Group, Test>> {
  const tests: Partial<Record<Group, Test>> = {}
  const asks = ({ from, to, none }: FindRange) => from !== undefined || to !== undefined || none === true
  if (query.mmt.length > 0)
    tests.mmt = (row) =>
      query.mmt.some(
        ({ make, model, trim }) =>
          wordKey(make) === row.make &&
          (model === undefined || wordKey(model) === row.model) &&
          (trim === undefined || wordKey(trim) === row.trim),
      )
  if (asks(query.year)) tests.year = ({ year }) => inside(year, query.year)
  if (asks(query.price)) tests.price = ({ cents }) => inside(cents === null ? null : cents / 100, query.price)
  if (asks(query.miles)) tests.miles = ({ miles }) => inside(miles, query.miles)
  if (query.body.length > 0) tests.body = ({ body }) => (query.body as string[]).includes(traitName(bodies, body))
  if (query.drive.length > 0) tests.drive = ({ drive }) => (query.drive as string[]).includes(traitName(drives, drive))
  if (query.fuel.length > 0) tests.fuel = ({ fuel }) => (query.fuel as string[]).includes(traitName(fuels, fuel))
  if (query.sale.length > 0) tests.sale = (row) => query.sale.includes(saleOf(row, now))
  return { ...tests, ...togglesOf(query, network, now) }
}

function togglesOf(query: FindQuery, network: Reader['network'], now: number): Partial<Record<Group, Test>> {
  const tests: Partial<Record<Group, Test>> = {}
  if (query.connected) tests.network = ({ sellerId }) => network.has(sellerId)
  const { rating, posted: days } = query
  if (rating !== undefined) tests.rated = (row) => row.rating !== null && row.rating >= rating
  if (days !== undefined) tests.posted = ({ posted }) => posted >= now - days * dayMs
  if (query.photos) tests.photos = ({ photos }) => photos
  return tests
}

function keyOf(row: ModelRow, query: FindQuery, reader: Reader): number {
  const away = distance(row, reader.near)
  const keys: Record<FindQuery['sort'], number> = {
    newest: -row.posted,
    cheapest: row.cents ?? Infinity,
    dearest: -(row.cents ?? -1),
    mileage: row.miles ?? Infinity,
    year: -(row.year ?? 0),
    nearest: away === undefined ? Infinity : Math.round(away * 10),
    ending: saleOf(row, reader.now) === 'live' ? (row.ends ?? 0) : Infinity,
  }
  return query.sort === 'nearest' && reader.near === undefined ? keys.newest : keys[query.sort]
}

type Counts = Map<string | number | null, number>
function countBy(rows: readonly ModelRow[], value: (row: ModelRow) => string | number | null): Counts {
  const counts: Counts = new Map()
  for (const row of rows) {
    const counted = value(row)
    counts.set(counted, (counts.get(counted) ?? 0) + 1)
  }
  return counts
}

/** Computes Find's expected response row by row: the ordered ids and all counts. */
export function expected(rows: readonly ModelRow[], query: FindQuery, reader: Reader) {
  const { within } = query
  const there = rows.filter((row) => {
    const away = distance(row, reader.near)
    const isNear = reader.near === undefined || within === undefined || (away !== undefined && away <= within)
    return isNear && !row.hidden && !reader.blocked.has(row.sellerId)
  })
  const tests = Object.entries(testsOf(query, reader))
  const failed = there.map((row) => ({ row, by: tests.flatMap(([name, test]) => (test(row) ? [] : name)) }))
  const without = (group?: Group) => failed.flatMap(({ row, by }) => (by.every((name) => name === group) ? row : []))
  const found = without()
  const ids = found
    .map((row) => ({ row, key: keyOf(row, query, reader) }))
    .toSorted((a, b) => (a.key === b.key ? b.row.rowNo - a.row.rowNo : a.key - b.key))
    .map(({ row }) => row.vehicleId)
  const bars = (counts: Counts) => Array.from({ length: findBars }, (_, bar) => counts.get(bar) ?? 0)
  const bar = (value: number | null, step: number) =>
    value === null ? null : Math.min(findBars - 1, Math.floor(value / step))
  const prices = countBy(without('price'), ({ cents }) => bar(cents, findPriceStep * 100))
  const miles = countBy(without('miles'), (row) => bar(row.miles, findMilesStep))
  const named = (group: 'body' | 'drive' | 'fuel', list: readonly string[]) => {
    const counts = countBy(without(group), (row) => traitName(list, row[group]))
    return [...list, notStated].map((value) => ({ value, count: counts.get(value) ?? 0 }))
  }
  const sales = countBy(without('sale'), (row) => saleOf(row, reader.now))
  const years = countBy(without('year'), ({ year }) => year)
  const facets: Omit<FindFacets, 'mmt' | 'body' | 'drive' | 'fuel'> & Record<'body' | 'drive' | 'fuel', unknown> = {
    year: {
      counts: [...years]
        .flatMap(([year, count]) => (typeof year === 'number' ? { year, count } : []))
        .toSorted((a, b) => b.year - a.year),
      notStated: years.get(null) ?? 0,
    },
    price: { step: findPriceStep, counts: bars(prices), notStated: prices.get(null) ?? 0 },
    miles: { step: findMilesStep, counts: bars(miles), notStated: miles.get(null) ?? 0 },
    body: named('body', bodies),
    drive: named('drive', drives),
    fuel: named('fuel', fuels),
    sale: (['fixed', 'live', 'coming'] as const).map((value) => ({ value, count: sales.get(value) ?? 0 })),
    seller: {
      connected: without('network').filter(({ sellerId }) => reader.network.has(sellerId)).length,
      rated: without('rated').filter(({ rating }) => rating !== null && rating >= findRating).length,
    },
    posted: [1, 7, 30].map((days) => ({
      days,
      count: without('posted').filter(({ posted }) => posted >= reader.now - days * dayMs).length,
    })),
    photos: without('photos').filter(({ photos }) => photos).length,
  }
  return { total: ids.length, ids, facets, words: without('mmt') }
}

/** Flattens a response's tree of makes, models and trims to counts by normalized key. */
export function treeOf(facets: Pick<FindFacets, 'mmt'>): Map<string, number> {
  const counts = new Map<string, number>()
  const set = (count: number, ...labels: string[]) => count > 0 && counts.set(labels.map(wordKey).join('~'), count)
  for (const { label: make, count, models } of facets.mmt) {
    set(count, make)
    for (const { label: model, count: ofModel, trims } of models) {
      set(ofModel, make, model)
      for (const { label: trim, count: ofTrim } of trims) set(ofTrim, make, model, trim)
    }
  }
  return counts
}

/** Returns the expected counts by make. A selected make also has counts by model, and a selected model has counts by trim. */
export function expectedTree(rows: readonly ModelRow[], query: FindQuery): Map<string, number> {
  const makes = new Set(query.mmt.map(({ make }) => wordKey(make)))
  const models = new Set(
    query.mmt.flatMap(({ make, model }) => (model === undefined ? [] : `${wordKey(make)}~${wordKey(model)}`)),
  )
  const counts = new Map<string, number>()
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const { make, model, trim } of rows) {
    add(make)
    if (makes.has(make)) add(`${make}~${model}`)
    if (models.has(`${make}~${model}`)) add(`${make}~${model}~${trim}`)
  }
  return counts
}

/** Returns wrong suggestions for an empty result: those with a wrong total, and filters whose removal would help but is not suggested. */
export function waysOutAmiss(
  search: string,
  relax: readonly FindRelax[],
  totalOf: (query: FindQuery) => number,
): string[] {
  const totalWith = (key: string, value: string | null) => {
    const params = new URLSearchParams(search)
    if (value === null) params.delete(key)
    else params.set(key, value)
    return totalOf(parseFind(params.toString()))
  }
  const untrue = relax.filter(({ key, value, total }) => totalWith(key, value) !== total).map(({ key }) => key)
  const keys = [...new URLSearchParams(search).keys()].filter((key) => key !== 'near' && totalWith(key, null) > 0)
  return Math.min(findRelaxMax, keys.length) === relax.length ? untrue : [...untrue, ...keys]
}
