import type { FindRange, FindSale, FindSort } from '#shared/find-query.ts'

/** A search in numeric form. An absent field means no filter; an empty list matches nothing. */
export interface Criteria {
  /** Each entry selects a make, one of its models, or a trim of that model. 0 means not stated; -1 means a word that no vehicle has. */
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

/** State of the index when it answered a search. Transactions outside the snapshot are new to the caller. */
export interface Head {
  at: number
  /** A snapshot in PostgreSQL's format, `xmin:xmax:xip,xip`. */
  snapshot: string
}

export const groups = [
  'words', 'year', 'price', 'miles', 'body', 'drive', 'fuel', 'sale', 'connected', 'rated', 'posted', 'photos', 'within',
] as const // oxfmt-ignore
export type Group = (typeof groups)[number]

/** A search with one filter removed, or with `range` as that filter's wider range (years, cents or miles). */
export interface RelaxedSearch {
  group: Group
  range?: FindRange
}

export interface FindRequest {
  criteria: Criteria
  since?: Head
  page?: { sort: FindSort; limit: number; after?: { key: number; rowNo: number } }
  counts?: true
  relaxed?: readonly RelaxedSearch[]
}

/** Pages are sorted by ascending `key`. `miles` is the distance from the center of the search. */
export type FoundRow = [rowNo: number, key: number, miles: number | null]

/** The counts of each facet ignore that facet's own filter. */
export interface FindCounts {
  /** Counts of all makes, of the models of each chosen make, and of the trims of each chosen model. */
  words: { ids: [make: number, model?: number, trim?: number]; count: number }[]
  year: [year: number | undefined, count: number][]
  /** Counts by histogram bar. The last entry counts vehicles without a value. */
  price: number[]
  miles: number[]
  /** Counts by trait number. 0 means not stated. */
  body: number[]
  drive: number[]
  fuel: number[]
  /** Counts in the order of `findSales`. */
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
  relaxed: number[]
}
