import Type, { type Static } from 'typebox'
import { findKeys, findSales } from '#shared/find-query.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { bodies, drives, fuels, notStated } from '#shared/vehicle-traits.ts'
import { Dealer } from './dealers.ts'
import { Vehicle } from './posts.ts'
import { findSinceMax, findTextMax } from '#shared/constants/find.ts'

export const findPageSize = 25
export const findBars = 24
/** Widths of the histogram bars, in dollars and in miles. */
export const findPriceStep = 3_000
export const findMilesStep = 10_000
export const findRelaxMax = 3
export const findWordHits = 12

const text = (description: string, maxLength: number) => Type.Optional(Type.String({ maxLength, description }))

/** Filters, written as in the URL of /find. `readFind` (shared/find-query.ts) parses them and ignores unknown values. */
const filters = {
  mmt: text('Makes, models and trims: `Ford~F-150~XLT,Toyota`; `-` means not stated', 3_500),
  year: text('`2019-2021`, `2019-`, `-2021`; `2019-,none` includes vehicles without a year, `none` only those', 40),
  price: text('US dollars: `-30000`; `-30000,none` includes vehicles without a price, `none` only those', 40),
  miles: text('Odometer miles: `-40000`; `-40000,none` includes vehicles without a mileage, `none` only those', 40),
  near: text('US ZIP or Canadian postal code', 20),
  within: text('Radius in miles around `near`', 10),
  body: text(`Comma-separated: ${[...bodies, notStated].join(', ')}`, 200),
  drive: text(`Comma-separated: ${[...drives, notStated].join(', ')}`, 200),
  fuel: text(`Comma-separated: ${[...fuels, notStated].join(', ')}`, 200),
  sale: text(`Comma-separated: ${findSales.join(', ')}`, 100),
  seller: text('`connected`: only from your connections', 20),
  rating: text('Minimum average rating of the seller', 10),
  posted: text('Posted within this many days: 1, 7 or 30', 10),
  photos: text('`1`: only with photos', 2),
  sort: text('newest, cheapest, dearest, mileage, year, nearest, ending', 20),
  as: text("The client's layout; ignored by the server", 10),
}

export const FindRequest = Type.Object({
  ...filters,
  cursor: Type.Optional(Type.String({ maxLength: 500, description: '`next` from the previous page' })),
  facets: Type.Optional(oneOf(['0', '1'], { description: '`1`: include the counts of all groups' })),
})
export type FindRequest = Static<typeof FindRequest>

/** Opaque position of the newest vehicle at the time of the response. */
const Head = Type.String({ maxLength: 1_000 })

/** Counts the vehicles that the search has gained since `after`, the `head` of an earlier response. */
export const FindSinceRequest = Type.Object({ ...filters, after: Head })
export type FindSinceRequest = Static<typeof FindSinceRequest>

export const FindSince = Type.Object({ count: Type.Integer({ maximum: findSinceMax }), head: Head })
export type FindSince = Static<typeof FindSince>

export const FindPlace = Type.Object({
  code: Type.String(),
  /** False if the postal code is unknown. The radius then has no effect, and distances are null. */
  known: Type.Boolean(),
  city: Type.String(),
  region: Type.String(),
})
export type FindPlace = Static<typeof FindPlace>

const FindHome = Type.Object({ code: Type.String(), city: Type.String(), region: Type.String() })
export type FindHome = Static<typeof FindHome>

const FoundPlace = Type.Object({ city: Type.String(), region: Type.String() })

/** The post's auction, which sells the post's first vehicle. */
const FoundAuction = Type.Object({
  seq: Type.Integer(),
  startsAt: Timestamp,
  endsAt: Timestamp,
  bidCount: Type.Integer(),
})

export const FoundVehicle = Type.Object({
  vehicleId: Id,
  postId: Id,
  /** The post's version, which reveals changes that were missed since the search. */
  postVersion: Type.Integer(),
  /** As much as is known of year, make, model and trim. If none is known, the post's title. */
  title: Type.String(),
  year: Vehicle.properties.year,
  make: Vehicle.properties.make,
  model: Vehicle.properties.model,
  trim: Vehicle.properties.trim,
  vin: Vehicle.properties.vin,
  mileage: Vehicle.properties.mileage,
  price: Vehicle.properties.price,
  /** Approximate miles from `near` or, if it is empty, from the caller's dealership. Null if either location is unknown. */
  miles: Nullable(Type.Integer()),
  place: Nullable(FoundPlace),
  body: Nullable(oneOf(bodies)),
  drive: Nullable(oneOf(drives)),
  fuel: Nullable(oneOf(fuels)),
  sale: oneOf(findSales),
  auction: Nullable(FoundAuction),
  photoUrl: Nullable(Type.String()),
  photoCount: Type.Integer(),
  seller: Type.Object({
    id: Dealer.properties.id,
    name: Dealer.properties.name,
    dealershipName: Dealer.properties.dealershipName,
    rating: Dealer.properties.rating,
    verified: Dealer.properties.verified,
  }),
  connected: Type.Boolean(),
  postedAt: Timestamp,
  yours: Type.Boolean(),
})
export type FoundVehicle = Static<typeof FoundVehicle>

/** Number of vehicles that a value would match. Ignores the choices in the value's own group. */
const Count = <T extends string>(values: readonly T[]) => Type.Object({ value: oneOf(values), count: Type.Integer() })

const FoundTrim = Type.Object({ label: Type.String({ description: 'Empty: not stated' }), count: Type.Integer() })
const FoundModel = Type.Object({ ...FoundTrim.properties, trims: Type.Array(FoundTrim) })
const FoundMake = Type.Object({ ...FoundTrim.properties, models: Type.Array(FoundModel) })

/** `counts[i]` has the values from `i * step` (inclusive) to `(i + 1) * step` (exclusive). The last bar has all higher values, too. */
const Histogram = Type.Object({
  step: Type.Integer(),
  counts: Type.Array(Type.Integer()),
  notStated: Type.Integer(),
})
export type Histogram = Static<typeof Histogram>

export const FindFacets = Type.Object({
  mmt: Type.Array(FoundMake),
  year: Type.Object({
    counts: Type.Array(Type.Object({ year: Type.Integer(), count: Type.Integer() })),
    notStated: Type.Integer(),
  }),
  price: Histogram,
  miles: Histogram,
  body: Type.Array(Count([...bodies, notStated])),
  drive: Type.Array(Count([...drives, notStated])),
  fuel: Type.Array(Count([...fuels, notStated])),
  sale: Type.Array(Count(findSales)),
  /** `connected` ignores the connection filter, and `rated` ignores the rating filter. All other filters apply to both. */
  seller: Type.Object({ connected: Type.Integer(), rated: Type.Integer() }),
  posted: Type.Array(Type.Object({ days: Type.Integer(), count: Type.Integer() })),
  photos: Type.Integer(),
})
export type FindFacets = Static<typeof FindFacets>

/** A way to relax the search: with `key` set to `value`, or removed if `value` is null, it would find `total` vehicles. */
export const FindRelax = Type.Object({
  key: oneOf(findKeys),
  value: Nullable(Type.String()),
  total: Type.Integer(),
})
export type FindRelax = Static<typeof FindRelax>

/** GET /api/find. `facets` is sent only if `facets=1` was requested, and `relax` only if nothing was found. */
export const FindAnswer = Type.Object({
  total: Type.Integer(),
  items: Type.Array(FoundVehicle),
  facets: Type.Optional(FindFacets),
  place: Nullable(FindPlace),
  home: Nullable(FindHome),
  relax: Type.Optional(Type.Array(FindRelax, { maxItems: findRelaxMax })),
  next: Nullable(Type.String()),
  head: Head,
})
export type FindAnswer = Static<typeof FindAnswer>

/** GET /api/find/words. Returns the meanings that each sequence of one to four words in the text may have. */
export const FindWordsRequest = Type.Object({ text: Type.String({ minLength: 1, maxLength: findTextMax }) })

/** `words` are the matched words in lowercase, separated by single spaces. */
export const FindWords = Type.Object({
  /** Makes, models and trims of vehicles that are or were for sale. Longest match first, then most frequent. */
  vehicles: Type.Array(
    Type.Object({
      words: Type.String(),
      make: Type.String(),
      model: Nullable(Type.String()),
      trim: Nullable(Type.String()),
    }),
  ),
  /** Longest match first, then cities with the most postal codes. Pass `code` as the `near` filter of a search. */
  places: Type.Array(
    Type.Object({ words: Type.String(), code: Type.String(), city: Type.String(), region: Type.String() }),
  ),
  /** The caller's own location, for words such as `near me`. Null if the profile has no known postal code. */
  home: Nullable(FindHome),
})
export type FindWords = Static<typeof FindWords>
