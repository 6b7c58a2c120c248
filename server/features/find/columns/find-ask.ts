import type { FindRange, FindSale, FindSort } from '#shared/find-query.ts'

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
  /** Only of sellers in the caller's network. */
  connected: boolean
  rating?: number
  /** Milliseconds since 1970, as is `now`. */
  postedSince?: number
  photos: boolean
  /** Numbers of the sellers in the caller's network. */
  network: readonly number[]
  /** Of those who are not there for the caller. */
  excluded: readonly number[]
  now: number
}

/** What was known when an answer was given: whatever a transaction brought that is not in the snapshot has not been seen. */
export interface Head {
  /** Milliseconds since 1970. */
  at: number
  /** As PostgreSQL writes it: `xmin:xmax:xip,xip`. */
  snapshot: string
}

/** The filters of a search. */
export const groups = [
  'words', 'year', 'price', 'miles', 'body', 'drive', 'fuel', 'sale', 'connected', 'rated', 'posted', 'photos', 'within',
] as const // oxfmt-ignore
export type Group = (typeof groups)[number]

/** The same search without one of its filters, or with this range in its place: of years, cents or miles. */
export interface WayOut {
  group: Group
  range?: FindRange
}

/** How many are found, and of these what else is asked for. */
export interface FindAsk {
  criteria: Criteria
  /** Only what has come since. */
  since?: Head
  /** The first of them in that order, behind `after`. */
  page?: { sort: FindSort; limit: number; after?: { key: number; rowNo: number } }
  /** How many there are of each value. */
  counts?: true
  /** How many each of these finds. */
  ways?: readonly WayOut[]
}

/** `key` is what the page is sorted by, ascending; `miles` from the middle of where it is looked for. */
export type FoundRow = [rowNo: number, key: number, miles: number | null]

/** By group, each without the group's own choice. */
export interface FindCounts {
  /** Makes by all, models of the makes that are chosen or of which something is, trims of such models. */
  words: { ids: [make: number, model?: number, trim?: number]; count: number }[]
  /** By year; undefined: not stated. */
  year: [year: number | undefined, count: number][]
  /** By bar, and behind the last one what is not stated. */
  price: number[]
  miles: number[]
  /** By the number of the trait; 0 is not stated. */
  body: number[]
  drive: number[]
  fuel: number[]
  /** In the order of their list. */
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
  /** In the order of the question. */
  ways: number[]
}
