import Type, { type Static } from 'typebox'
import { findKeys, findSales } from '#shared/find-query.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { bodies, drives, fuels, notStated } from '#shared/vehicle-traits.ts'
import { Dealer } from './dealers.ts'
import { Vehicle } from './posts.ts'

/** Vehicles of one page. */
export const findPageSize = 25
/** Bars of a histogram; the last one holds all above. */
export const findBars = 24
/** Dollars, and miles, that one bar is wide. */
export const findPriceStep = 3_000
export const findMilesStep = 10_000
/** From this mean of reviews on a seller counts as well rated. */
export const findRating = 4.5
/** `GET /api/find/since` counts so far. */
export const findSinceMax = 99
/** Ways out of a search that finds nothing. */
export const findRelaxMax = 3
/** Longest text whose words are looked up, and most hits of a kind. */
export const findTextMax = 120
export const findWordHits = 12

const text = (description: string, maxLength: number) => Type.Optional(Type.String({ maxLength, description }))

/** The filters of /find as its URL says them; `readFind` of shared/find-query.ts reads them. What is unknown is ignored. */
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

/** GET /api/find. */
export const FindRequest = Type.Object({
  ...filters,
  cursor: Type.Optional(Type.String({ maxLength: 500, description: '`next` from the previous page' })),
  facets: Type.Optional(oneOf(['0', '1'], { description: '`1`: include the counts of all groups' })),
})
export type FindRequest = Static<typeof FindRequest>

/** What there was when an answer was given; opaque. */
const Head = Type.String({ maxLength: 1_000 })

/** GET /api/find/since: how many vehicles of this search came after `after`, the `head` of an earlier answer. */
export const FindSinceRequest = Type.Object({ ...filters, after: Head })
export type FindSinceRequest = Static<typeof FindSinceRequest>

export const FindSince = Type.Object({ count: Type.Integer({ maximum: findSinceMax }), head: Head })
export type FindSince = Static<typeof FindSince>

/** A ZIP or postal code. */
export const FindPlace = Type.Object({
  /** As it was asked for. */
  code: Type.String(),
  /** False: nobody knows it; the radius is off and distances are null, the rest of the search holds. */
  known: Type.Boolean(),
  city: Type.String(),
  region: Type.String(),
})
export type FindPlace = Static<typeof FindPlace>

/** Where the caller’s dealership is, whose `code` serves as `near`; null where its profile has no code that is known. */
const FindHome = Type.Object({ code: Type.String(), city: Type.String(), region: Type.String() })
export type FindHome = Static<typeof FindHome>

const FoundPlace = Type.Object({ city: Type.String(), region: Type.String() })

/** Of the first vehicle of a post, which is what an auction sells. Its end may move while it runs, and its price rises with every bid. */
const FoundAuction = Type.Object({
  /** Of the auction's state; what is heard of it later has a higher one. */
  seq: Type.Integer(),
  startsAt: Timestamp,
  endsAt: Timestamp,
  bidCount: Type.Integer(),
})

/** A vehicle that is on offer. */
export const FoundVehicle = Type.Object({
  vehicleId: Id,
  postId: Id,
  /** Of the post, when it was found: whoever follows it learns by this what was missed. */
  postVersion: Type.Integer(),
  /** `2021 Ford F-150 XLT`, as far as it is known; else the post's title. */
  title: Type.String(),
  year: Vehicle.properties.year,
  make: Vehicle.properties.make,
  model: Vehicle.properties.model,
  trim: Vehicle.properties.trim,
  vin: Vehicle.properties.vin,
  mileage: Vehicle.properties.mileage,
  /** Of an auction: what is bid now, else what it starts at. */
  price: Vehicle.properties.price,
  /** About so many miles from `near`, or, where none is asked for, from one’s own dealership; null without a place on either side. */
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
  /** The seller is in the caller's network. */
  connected: Type.Boolean(),
  postedAt: Timestamp,
  /** The caller's own. */
  yours: Type.Boolean(),
})
export type FoundVehicle = Static<typeof FoundVehicle>

/** A value and how many vehicles there would be with it: a group's counts ignore the group's own choice. */
const Count = <T extends string>(values: readonly T[]) => Type.Object({ value: oneOf(values), count: Type.Integer() })

const FoundTrim = Type.Object({ label: Type.String({ description: 'Empty: not stated' }), count: Type.Integer() })
const FoundModel = Type.Object({ ...FoundTrim.properties, trims: Type.Array(FoundTrim) })
const FoundMake = Type.Object({ ...FoundTrim.properties, models: Type.Array(FoundModel) })

/** `counts[i]` vehicles from `i * step` to below `(i + 1) * step`; the last holds all above. */
const Histogram = Type.Object({
  step: Type.Integer(),
  counts: Type.Array(Type.Integer()),
  /** Without this figure. */
  notStated: Type.Integer(),
})
export type Histogram = Static<typeof Histogram>

export const FindFacets = Type.Object({
  /**
   * The most frequent first. Makes: all, and what is chosen even where it counts 0. Models: of makes that are chosen or of which something
   * is; trims: of such models.
   */
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
  /** Each alone, beside what the other one of the two leaves. */
  seller: Type.Object({ connected: Type.Integer(), rated: Type.Integer() }),
  /** Within the last 1, 7 and 30 days. */
  posted: Type.Array(Type.Object({ days: Type.Integer(), count: Type.Integer() })),
  photos: Type.Integer(),
})
export type FindFacets = Static<typeof FindFacets>

/** A way out: `key` of the URL set to `value`, or taken out where that is null, finds `total`. */
export const FindRelax = Type.Object({
  key: oneOf(findKeys),
  value: Nullable(Type.String()),
  total: Type.Integer(),
})
export type FindRelax = Static<typeof FindRelax>

/** GET /api/find. `facets` with `facets=1`, `relax` where nothing is found. */
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

/** GET /api/find/words: what the words of a text may mean, one to four of them at a time. */
export const FindWordsRequest = Type.Object({ text: Type.String({ minLength: 1, maxLength: findTextMax }) })

/** `words`: those of the text that are meant, lower-case and with one blank between them. */
export const FindWords = Type.Object({
  /** A make alone, a model of it, or a trim of that; the most frequent first. Only of vehicles that are or were on offer. */
  vehicles: Type.Array(
    Type.Object({
      words: Type.String(),
      make: Type.String(),
      model: Nullable(Type.String()),
      trim: Nullable(Type.String()),
    }),
  ),
  /** A city by its name, or a code itself; the one with most codes first. `code` serves as `near`. */
  places: Type.Array(
    Type.Object({ words: Type.String(), code: Type.String(), city: Type.String(), region: Type.String() }),
  ),
})
export type FindWords = Static<typeof FindWords>
