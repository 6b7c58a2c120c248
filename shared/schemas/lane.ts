import Type, { type Static } from 'typebox'
import { laneFlagsMax, lanePageSize, lanePinsMax, lanePlacesMax } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { AuctionState, OwnPreset } from './auctions.ts'
import { AuctionFlag } from './moderation.ts'

const Dollars = Type.Number({ description: 'US dollars' })

/** The fields describe the post's first vehicle. Without vehicles, `year` to `state` are null and `title` describes the post. */
export const LaneRow = Type.Object({
  postId: Id,
  title: Type.String(),
  year: Nullable(Type.Integer()),
  make: Nullable(Type.String()),
  model: Nullable(Type.String()),
  trim: Nullable(Type.String()),
  mileage: Nullable(Type.Integer()),
  color: Nullable(Type.String()),
  /** The seller's words about the vehicle's title document. Null if the post does not mention a title. */
  titleWords: Nullable(Type.String()),
  city: Nullable(Type.String()),
  state: Nullable(Type.String()),
  photoUrl: Nullable(Type.String()),
  photoCount: Type.Integer(),
  seller: Type.Object({
    id: Id,
    dealershipName: Type.String(),
    rating: Nullable(Type.Number()),
  }),
  /** The state without its bids. Panes load the bids from GET /api/inventory/{id}/auction and receive new bids as events. */
  auction: AuctionState,
  you: Type.Object({
    isSeller: Type.Boolean(),
    number: Nullable(Type.Integer()),
    maximum: Nullable(Dollars),
    preset: OwnPreset,
    watching: Type.Boolean(),
  }),
})
export type LaneRow = Static<typeof LaneRow>

/** `slot` is the pane, 1 to 6; null means only in the strip. The client chooses the pane, because it knows the focused pane. */
export const LanePin = Type.Object(
  { postId: Id, slot: Nullable(Type.Integer({ minimum: 1, maximum: lanePlacesMax })) },
  { additionalProperties: false },
)
export type LanePin = Static<typeof LanePin>

/** Replaces all pins; the last write wins. Returns 400 for a duplicate slot or post. Pins expire a day after the auction ends. */
export const LanePins = Type.Object({ pins: Type.Array(LanePin, { maxItems: lanePinsMax }) })
export type LanePins = Static<typeof LanePins>

/** Amounts since midnight in the dealer's time zone. A bid that would raise `used` above `limit` is rejected with `LIMIT`. */
const LaneDay = Type.Object({
  limit: Nullable(Dollars),
  used: Dollars,
  /** Total of today's auction deals that were not canceled. */
  won: Dollars,
  /** Total of the current prices of auctions in which the dealer leads, including auctions that the seller still has to decide. */
  committed: Dollars,
  headroom: Dollars,
})
export type LaneDay = Static<typeof LaneDay>

/** The ETag of GET /api/lane ignores `serverNow`. */
export const Lane = Type.Object({
  serverNow: Timestamp,
  running: Type.Array(LaneRow),
  coming: Type.Array(LaneRow),
  /** Cursors for the next page of GET /api/lane/run; null if there is no next page. */
  behind: Type.Object({ running: Nullable(Type.String()), coming: Nullable(Type.String()) }),
  /** Auctions with a bid or preset of the dealer, including auctions that ended today. Open auctions come first, sorted by end. */
  mine: Type.Array(LaneRow),
  pins: Type.Array(LanePin),
  pinned: Type.Array(LaneRow),
  counts: Type.Object({
    running: Type.Integer(),
    coming: Type.Integer(),
    watching: Type.Integer(),
    selling: Type.Integer(),
  }),
  wonToday: Type.Object({ count: Type.Integer(), amount: Dollars }),
  day: LaneDay,
  next: Nullable(Timestamp),
})
export type Lane = Static<typeof Lane>

const laneRunKinds = ['running', 'coming', 'watching', 'ended'] as const
export type LaneRunKind = (typeof laneRunKinds)[number]

/** `running` and `watching` are sorted by end, and `coming` by start. `ended` covers the last week, latest first. */
export const LaneRunQuery = Type.Object({
  kind: oneOf(laneRunKinds),
  q: Type.Optional(Type.String({ maxLength: 100 })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type LaneRunQuery = Static<typeof LaneRunQuery>

export const LaneRun = Type.Object({
  rows: Type.Array(LaneRow, { maxItems: lanePageSize }),
  next: Nullable(Type.String()),
  serverNow: Timestamp,
})
export type LaneRun = Static<typeof LaneRun>

export const ReserveChange = Type.Object({ seq: Type.Integer(), at: Timestamp, from: Nullable(Dollars), to: Dollars })
export type ReserveChange = Static<typeof ReserveChange>

/** The dealer's own auctions that are scheduled, running, undecided, or ended since midnight. */
const LaneSale = Type.Object({
  row: LaneRow,
  /** If this is null but `row.auction.reserve` is not `none`, the seller decides after any bid. */
  reserveAmount: Nullable(Dollars),
  bidders: Type.Integer(),
  watching: Type.Integer(),
  offerId: Nullable(Id),
  dealId: Nullable(Id),
  reserveChanges: Type.Array(ReserveChange),
})
export type LaneSale = Static<typeof LaneSale>
export const LaneSelling = Type.Array(LaneSale)
export type LaneSelling = Static<typeof LaneSelling>

export const LaneAllQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 200 })) })
export type LaneAllQuery = Static<typeof LaneAllQuery>

/** Totals over all running auctions, including those that are not listed. */
const LaneOverview = Type.Object({
  running: Type.Integer(),
  bidsPerMinute: Type.Integer(),
  watchers: Nullable(Type.Integer()),
  /** From the last 24 hours, newest first, including flags of ended auctions. */
  flags: Type.Array(Type.Object({ ...AuctionFlag.properties, postId: Id, title: Type.String() }), {
    maxItems: laneFlagsMax,
  }),
})
export type LaneOverview = Static<typeof LaneOverview>

export const LaneAll = Type.Object({
  rows: Type.Array(
    Type.Object({
      row: LaneRow,
      bidsPerMinute: Type.Integer(),
      /** Dealers who have the auction on screen; null if unavailable. */
      watchers: Nullable(Type.Integer()),
      bidders: Type.Integer(),
      seller: Type.Object({ id: Id, name: Type.String(), dealershipName: Type.String() }),
      leader: Nullable(Type.Object({ id: Id, name: Type.String(), dealershipName: Type.String() })),
      /** Bidders who share data with the seller or each other, newest first. */
      flags: Type.Array(AuctionFlag),
    }),
  ),
  overview: Nullable(LaneOverview),
  /** 99th percentile of the delay from deciding a bid to broadcasting it, over the last minutes on this node. Null without recent bids. */
  delayP99Ms: Nullable(Type.Integer()),
  next: Nullable(Type.String()),
  serverNow: Timestamp,
})
export type LaneAll = Static<typeof LaneAll>
