import type { FindRange, FindSale, FindSort } from '#shared/find-query.ts'

/** A search in numeric form. An absent field means no filter; an empty list matches nothing. */
export interface Criteria {
  /** Each entry is a make, a make with one of its models, or both with a trim of that model. 0: not stated; -1: unknown word. */
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
  connected: boolean
  rating?: number
  postedSince?: number
  photos: boolean
  network: readonly number[]
  excluded: readonly number[]
  now: number
}

/** State of the index when an answer was given. Transactions that are not in the snapshot are new to the caller. */
export interface Head {
  at: number
  /** In PostgreSQL's format, `xmin:xmax:xip,xip`. */
  snapshot: string
}

export const groups = [
  'words', 'year', 'price', 'miles', 'body', 'drive', 'fuel', 'sale', 'connected', 'rated', 'posted', 'photos', 'within',
] as const // oxfmt-ignore
export type Group = (typeof groups)[number]

/** A relaxed search: without one filter, or with this wider range (years, cents or miles). */
export interface RelaxedSearch {
  group: Group
  range?: FindRange
}

/** Selects what to compute: the total, and optionally a page, facet counts and relaxed totals. */
export interface FindRequest {
  criteria: Criteria
  since?: Head
  page?: { sort: FindSort; limit: number; after?: { key: number; rowNo: number } }
  counts?: true
  ways?: readonly RelaxedSearch[]
}

/** `key` is the ascending sort key. `miles` is the distance from the center of the search. */
export type FoundRow = [rowNo: number, key: number, miles: number | null]

/** Counts per facet. Each ignores the facet's own filter. */
export interface FindCounts {
  /** All makes; the models of a make that is chosen or has a chosen model; trims by the same rule. */
  words: { ids: [make: number, model?: number, trim?: number]; count: number }[]
  /** By year; undefined: not stated. */
  year: [year: number | undefined, count: number][]
  /** By histogram bar; the last entry counts vehicles without a value. */
  price: number[]
  miles: number[]
  /** By trait number; 0: not stated. */
  body: number[]
  drive: number[]
  fuel: number[]
  /** In the order of `findSales`. */
  sale: number[]
  posted: number[]
  connected: number
  rated: number
  photos: number
}

export interface FindReply {
  total: number
  rows: FoundRow[]
  counts?: FindCounts
  ways: number[]
}
