import Type, { type Static } from 'typebox'
import { laneFlagsMax, lanePageSize, lanePinsMax, lanePlacesMax } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { AuctionState, OwnPreset } from './auctions.ts'
import { AuctionFlag } from './moderation.ts'

const Dollars = Type.Number({ description: 'US dollars' })

/**
 * An auction as the Lane lists it: what is sold, by whom, how it stands, and the caller's own side. Of a post with several vehicles it is
 * the first; of one without, `year` to `state` are null and `title` says what it is.
 */
export const LaneRow = Type.Object({
  postId: Id,
  title: Type.String(),
  year: Nullable(Type.Integer()),
  make: Nullable(Type.String()),
  model: Nullable(Type.String()),
  trim: Nullable(Type.String()),
  /** In miles. */
  mileage: Nullable(Type.Integer()),
  city: Nullable(Type.String()),
  state: Nullable(Type.String()),
  /** The address of its first picture. */
  photoUrl: Nullable(Type.String()),
  seller: Type.Object({
    id: Id,
    dealershipName: Type.String(),
    /** Mean of received reviews out of 5; null before the first. */
    rating: Nullable(Type.Number()),
  }),
  /** Without bids: those of a place come by GET /api/inventory/{id}/auction and its events. */
  auction: AuctionState,
  you: Type.Object({
    isSeller: Type.Boolean(),
    /** The caller's own pseudonym, once they have bid. */
    number: Nullable(Type.Integer()),
    /** The caller's own maximum while they lead. */
    maximum: Nullable(Dollars),
    preset: OwnPreset,
    /** On the caller's watchlist. */
    watching: Type.Boolean(),
  }),
})
export type LaneRow = Static<typeof LaneRow>

/**
 * An auction that the dealer has pinned. `slot` is the place on the screen, 1 to 6, or null: in the strip alone. The server keeps what it is
 * told; which place a bid takes, or an auction that follows one that ended, is decided by the screen, which knows what has the focus.
 */
export const LanePin = Type.Object(
  { postId: Id, slot: Nullable(Type.Integer({ minimum: 1, maximum: lanePlacesMax })) },
  { additionalProperties: false },
)
export type LanePin = Static<typeof LanePin>

/**
 * PUT /api/lane/pins: the whole list, in the place of the one before: the last word wins. 400 where a place or a post is named twice, or
 * above so many. What has no auction that the dealer may see is left out of the answer. A pin goes a day after its auction has ended.
 */
export const LanePins = Type.Object({ pins: Type.Array(LanePin, { maxItems: lanePinsMax }) })
export type LanePins = Static<typeof LanePins>

/**
 * What the dealer has spent and bound since midnight of their own time zone. `limit` is the setting `lane.dayLimit`; null: none. A bid
 * that would bring `used` above it is refused with `LIMIT`.
 */
const LaneDay = Type.Object({
  limit: Nullable(Dollars),
  /** `won` + `committed` + `headroom`. */
  used: Dollars,
  /** Deals of auctions made today that were not cancelled. */
  won: Dollars,
  /** The prices where the dealer leads, also where a seller decides. */
  committed: Dollars,
  /** From those prices up to the dealer's own maximums there. */
  headroom: Dollars,
})
export type LaneDay = Static<typeof LaneDay>

/** GET /api/lane. With an ETag, in which `serverNow` does not count: 304 while nothing moved. */
export const Lane = Type.Object({
  serverNow: Timestamp,
  /** Soonest ending first; at most a hundred, as of `coming`: `counts` has them all. */
  running: Type.Array(LaneRow),
  /** Soonest beginning first. */
  coming: Type.Array(LaneRow),
  /** The cursors with which GET /api/lane/run goes on behind these; null: they are all. */
  behind: Type.Object({ running: Nullable(Type.String()), coming: Nullable(Type.String()) }),
  /**
   * What the dealer has bid on and is open, to be decided or ended since midnight, and what they have a maximum at the start for: open
   * first, by end.
   */
  mine: Type.Array(LaneRow),
  pins: Type.Array(LanePin),
  /** A row for each of `pins`. */
  pinned: Type.Array(LaneRow),
  counts: Type.Object({
    running: Type.Integer(),
    coming: Type.Integer(),
    watching: Type.Integer(),
    selling: Type.Integer(),
  }),
  wonToday: Type.Object({ count: Type.Integer(), amount: Dollars }),
  day: LaneDay,
  /** When the next auction begins, where one is coming. */
  next: Nullable(Timestamp),
})
export type Lane = Static<typeof Lane>

const laneRunKinds = ['running', 'coming', 'watching', 'ended'] as const
export type LaneRunKind = (typeof laneRunKinds)[number]

/**
 * GET /api/lane/run: `running` and `watching` by their end, `coming` by their beginning, `ended` (of the last week) the last ended first.
 * `q` finds parts of make, model, title, seller, city.
 */
export const LaneRunQuery = Type.Object({
  kind: oneOf(laneRunKinds),
  q: Type.Optional(Type.String({ maxLength: 100 })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type LaneRunQuery = Static<typeof LaneRunQuery>

export const LaneRun = Type.Object({
  rows: Type.Array(LaneRow, { maxItems: lanePageSize }),
  /** The cursor of the rows behind these; null: these are the last. */
  next: Nullable(Type.String()),
  serverNow: Timestamp,
})
export type LaneRun = Static<typeof LaneRun>

/** One lowering of a reserve, for its seller alone. `from` is null where the seller had kept the decision to themselves. */
export const ReserveChange = Type.Object({ seq: Type.Integer(), at: Timestamp, from: Nullable(Dollars), to: Dollars })
export type ReserveChange = Static<typeof ReserveChange>

/** GET /api/lane/selling: one's own auctions that are coming, running, to be decided, or ended since midnight. */
const LaneSale = Type.Object({
  row: LaneRow,
  /** Null with `row.auction.reserve` other than `none`: the seller decides, whatever is bid. */
  reserveAmount: Nullable(Dollars),
  /** Dealers who have bid. Their names are in GET /api/inventory/{id}/auction. */
  bidders: Type.Integer(),
  /** Dealers who have the post on their watchlist. */
  watching: Type.Integer(),
  /** The offer that waits for the seller's answer, where the reserve was not met. */
  offerId: Nullable(Id),
  /** What became of it, where it was sold. */
  dealId: Nullable(Id),
  /** Newest first. */
  reserveChanges: Type.Array(ReserveChange),
})
export type LaneSale = Static<typeof LaneSale>
export const LaneSelling = Type.Array(LaneSale)
export type LaneSelling = Static<typeof LaneSelling>

/** GET /api/lane/all, for ops and admin alone. */
export const LaneAllQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 200 })) })
export type LaneAllQuery = Static<typeof LaneAllQuery>

/** Of all that runs, however much of it is listed. */
const LaneOverview = Type.Object({
  running: Type.Integer(),
  /** Of the last minute. */
  bidsPerMinute: Type.Integer(),
  /** Each auction's, added up; null while they cannot be counted. */
  watchers: Nullable(Type.Integer()),
  /** What was noticed within a day, also of auctions that are over, newest first. */
  flags: Type.Array(Type.Object({ ...AuctionFlag.properties, postId: Id, title: Type.String() }), {
    maxItems: laneFlagsMax,
  }),
})
export type LaneOverview = Static<typeof LaneOverview>

/** Every running auction as staff see it, soonest ending first. */
export const LaneAll = Type.Object({
  rows: Type.Array(
    Type.Object({
      row: LaneRow,
      /** Of the last minute. */
      bidsPerMinute: Type.Integer(),
      /** Dealers who have the auction on screen; null while that cannot be counted. */
      watchers: Nullable(Type.Integer()),
      bidders: Type.Integer(),
      seller: Type.Object({ id: Id, name: Type.String(), dealershipName: Type.String() }),
      leader: Nullable(Type.Object({ id: Id, name: Type.String(), dealershipName: Type.String() })),
      /** Bidders who have something in common with the seller or with each other, newest first; their case is in moderation. */
      flags: Type.Array(AuctionFlag),
    }),
  ),
  /** With the first page alone; null with those behind it. */
  overview: Nullable(LaneOverview),
  /** From a bid's decision until the state that its watchers are told, of the last minutes on the node that answers. Null: no bid lately. */
  delayP99Ms: Nullable(Type.Integer()),
  next: Nullable(Type.String()),
  serverNow: Timestamp,
})
export type LaneAll = Static<typeof LaneAll>
