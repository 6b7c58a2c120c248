import Type from 'typebox'
import { isOpen } from '#shared/find-labels.ts'
import { readFind, writeFind, type FindKey, type FindQuery, type FindRange } from '#shared/find-query.ts'
import { findSinceMax } from '#shared/constants/find.ts'
import {
  findPageSize,
  findRelaxMax,
  type FindAnswer,
  type FindFacets,
  type FindHome,
  type FindPlace,
  type FindRelax,
  type FindRequest,
  type FindSince,
  type FindSinceRequest,
  type FindWords,
  type FoundVehicle,
} from '#shared/schemas/find.ts'
import type { Context } from '#server/platform/process/context.ts'
import { stated } from '#server/platform/http/request-fields.ts'
import { countRead } from '#server/platform/http/guards.ts'
import { decodeCursor, encodeCursor } from '#server/platform/http/page-cursors.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { cents, criteriaOf } from './find-criteria.ts'
import { Dictionary, type ChosenWord } from './find-dictionary.ts'
import { toFacets } from './columns/facets.ts'
import type { Criteria, FindCounts, FoundRow, Group, RelaxedSearch } from './columns/search-format.ts'
import type { FindIndex } from './columns/find-index.ts'
import { findHome, findReader, findWordsBy, listFound } from './find.repository.ts'

const PageKey = Type.Object({ key: Type.Number(), rowNo: Type.Integer() })
const HeadKey = Type.Object({
  at: Type.Number(),
  snapshot: Type.String({ pattern: '^\\d{1,15}:\\d{1,15}:(\\d{1,15}(,\\d{1,15})*)?$' }),
})
const secondMs = 1_000
/** Maximum number of words in one make, model and trim, such as `grand cherokee l limited`. */
const wordsTogether = 4

interface Parts {
  ctx: Context
  index: FindIndex
  dictionary: Dictionary
}

interface Search {
  criteria: Criteria
  words: ChosenWord[]
  place: FindPlace | null
  home: FindHome | null
}

export interface Find {
  find(actor: Actor, request: FindRequest, signal?: AbortSignal): Promise<FindAnswer>
  since(actor: Actor, request: FindSinceRequest, signal?: AbortSignal): Promise<FindSince>
  words(actor: Actor, text: string): Promise<FindWords>
}

function placeOf(code: string, found: { city: string; region: string } | undefined): FindPlace | null {
  if (code === '') return null
  return { code, known: found !== undefined, city: found?.city ?? '', region: found?.region ?? '' }
}

async function prepare({ ctx, index, dictionary }: Parts, actor: Actor, query: FindQuery): Promise<Search> {
  await index.ready()
  // Round up to the full second, so that identical searches share one answer and auctions that just started count.
  const now = Math.ceil(ctx.now().getTime() / secondMs) * secondMs
  const [{ network, blocked, home }, found, words] = await Promise.all([
    findReader(ctx.db, actor.dealerId),
    query.near === '' ? undefined : dictionary.place(query.near),
    dictionary.chosen(query.mmt),
  ])
  const near = found && { lat: found.lat, lng: found.lng }
  const ids = words.map((word) => word.ids)
  const criteria = criteriaOf(query, { words: ids, near, network, excluded: blocked, now })
  return { criteria, words, place: placeOf(query.near, found), home }
}

async function listItems(
  { ctx }: Parts,
  { dealerId }: Actor,
  { criteria: { network, near }, place }: Search,
  rows: readonly FoundRow[],
): Promise<FoundVehicle[]> {
  const rowNos = rows.map(([rowNo]) => rowNo)
  const shown = await listFound(ctx.db, { dealerId, network }, rowNos, ctx.now())
  return rows.flatMap(([rowNo, , miles]) => {
    const vehicle = shown.get(rowNo)
    if (vehicle === undefined) return []
    if (near !== undefined) return { ...vehicle, miles }
    // If the search has a center with an unknown location, the miles from the dealer's own location would be misleading.
    return place === null ? vehicle : { ...vehicle, miles: null }
  })
}

/** Returns the relaxed searches that have results. Prefers widening a filter to removing it. */
async function relax(
  index: FindIndex,
  criteria: Criteria,
  query: FindQuery,
  signal?: AbortSignal,
): Promise<FindRelax[]> {
  const relaxed = relaxedSearches(query)
  const { relaxed: totals } = await index.ask({ criteria, relaxed: relaxed.map(({ way }) => way) }, signal)
  const best = new Map<FindKey, FindRelax>()
  for (const [place, { key, value }] of relaxed.entries()) {
    const total = totals[place] ?? 0
    if (total > 0 && !best.has(key)) best.set(key, { key, value, total })
  }
  return [...best.values()].toSorted((one, other) => other.total - one.total).slice(0, findRelaxMax)
}

async function facetsOf(dictionary: Dictionary, counts: FindCounts, words: ChosenWord[]): Promise<FindFacets> {
  const ids = [...counts.words, ...words].flatMap((one) => one.ids.flatMap((id) => id ?? []))
  return toFacets(counts, await dictionary.labels([...new Set(ids)]), words)
}

export function createFind(ctx: Context, index: FindIndex): Find {
  const parts = { ctx, index, dictionary: new Dictionary(ctx.db) }
  return {
    async find(actor, { cursor, facets, ...params }, signal) {
      await countRead(ctx, actor, 'find')
      const query = readFind(params)
      const after = cursor === undefined ? undefined : decodeCursor(PageKey, cursor)
      const search = await prepare(parts, actor, query)
      const { criteria, words, place, home } = search
      const sort = query.sort === 'nearest' && criteria.near === undefined ? 'newest' : query.sort
      // Read the head before the search. A vehicle that arrives in between may be reported twice, but is never missed.
      const head = encodeCursor(index.head())
      const page = { sort, limit: findPageSize + 1, ...stated({ after }) }
      const { total, rows, counts } = await index.ask(
        { criteria, page, ...(facets === '1' && { counts: true }) },
        signal,
      )
      const shown = rows.slice(0, findPageSize)
      const last = rows.length > findPageSize ? shown.at(-1) : undefined
      const [items, counted, relaxed] = await Promise.all([
        listItems(parts, actor, search, shown),
        counts && facetsOf(parts.dictionary, counts, words),
        total === 0 ? relax(index, criteria, query, signal) : undefined,
      ])
      return {
        total,
        items,
        place,
        home,
        ...stated({ facets: counted, relax: relaxed }),
        next: last === undefined ? null : encodeCursor({ key: last[1], rowNo: last[0] }),
        head,
      }
    },
    async since(actor, { after, ...params }, signal) {
      await countRead(ctx, actor, 'find')
      const seen = decodeCursor(HeadKey, after)
      const { criteria } = await prepare(parts, actor, readFind(params))
      const head = encodeCursor(index.head())
      const { total } = await index.ask({ criteria, since: seen }, signal)
      return { count: Math.min(findSinceMax, total), head }
    },
    async words(actor, text) {
      await countRead(ctx, actor, 'find-words')
      const [words, home] = await Promise.all([findWordsBy(ctx.db, textsIn(text)), findHome(ctx.db, actor.dealerId)])
      return { ...words, home }
    },
  }
}

function textsIn(text: string): string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const texts = words.flatMap((_, from) =>
    Array.from({ length: wordsTogether }, (_none, more) => words.slice(from, from + more + 1).join(' ')),
  )
  return [...new Set(texts)]
}

const wider = { price: 1.05, miles: 5_000, year: 1 }
const radii = [50, 100, 200, 300, 500, 1_000]

const widened = ({ price, miles, year, within = Infinity }: FindQuery) =>
  stated({
    price: price.to === undefined ? undefined : { ...price, to: Math.round((price.to * wider.price) / 100) * 100 },
    miles: miles.to === undefined ? undefined : { ...miles, to: miles.to + wider.miles },
    year: isOpen(year)
      ? undefined
      : stated({ ...year, from: year.from && year.from - wider.year, to: year.to && year.to + wider.year }),
    within: radii.find((radius) => radius > within),
  })

const groupOfKey = {
  mmt: 'words',
  year: 'year',
  price: 'price',
  miles: 'miles',
  body: 'body',
  drive: 'drive',
  fuel: 'fuel',
  sale: 'sale',
  seller: 'connected',
  photos: 'photos',
  within: 'within',
  rating: 'rated',
  posted: 'posted',
} as const satisfies Partial<Record<FindKey, Group>>

/** Lists searches with one filter widened or removed, widened first. `value` replaces the filter's parameter. */
function relaxedSearches(query: FindQuery): { key: FindKey; value: string | null; way: RelaxedSearch }[] {
  const wide = widened(query)
  const [set, wideSet] = [writeFind(query), writeFind({ ...query, ...wide })]
  const ranges: Partial<Record<Group, FindRange>> = stated({
    price: wide.price && cents(wide.price),
    miles: wide.miles,
    year: wide.year,
    within: wide.within === undefined ? undefined : { to: wide.within },
  })
  return (Object.entries(groupOfKey) as [FindKey, Group][]).flatMap(([key, group]) => {
    if (set[key] === undefined) return []
    const range = ranges[group]
    const more = range === undefined ? [] : [{ key, value: wideSet[key] ?? null, way: { group, range } }]
    return [...more, { key, value: null, way: { group } }]
  })
}
