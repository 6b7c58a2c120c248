import Type, { type Static } from 'typebox'
import { laneFlagsMax, lanePageSize, lanePinsMax, lanePositionsMax } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { AuctionState, OwnPreset } from './auctions.ts'
import { AuctionFlag } from './moderation.ts'

const Dollars = Type.Number({ description: 'US dollars' })

/** Describes the post's first vehicle. If the post has no vehicles, `year` to `state` are null, and `title` is the post's title. */
export const LaneRow = Type.Object({
  postId: Id,
  title: Type.String(),
  year: Nullable(Type.Integer()),
  make: Nullable(Type.String()),
  model: Nullable(Type.String()),
  trim: Nullable(Type.String()),
  mileage: Nullable(Type.Integer()),
  color: Nullable(Type.String()),
  /** The seller's words about the vehicle's title document. Null if the post does not mention it. */
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
  /** The auction's state without its bids. Panes load bids from GET /api/inventory/{id}/auction and receive new bids as events. */
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

/** `slot` is the pane, 1 to 6; null means only in the strip. The client chooses it, because only the client knows the focused pane. */
export const LanePin = Type.Object(
  { postId: Id, slot: Nullable(Type.Integer({ minimum: 1, maximum: lanePositionsMax })) },
  { additionalProperties: false },
)
export type LanePin = Static<typeof LanePin>

/** Replaces all pins; the last write wins. Returns 400 if a slot or post is listed twice. Pins expire a day after the auction ends. */
export const LanePins = Type.Object({ pins: Type.Array(LanePin, { maxItems: lanePinsMax }) })
export type LanePins = Static<typeof LanePins>

/** Amounts since midnight in the dealer's time zone. A bid that would raise `used` above `limit` is rejected with `LIMIT`. */
const LaneDay = Type.Object({
  limit: Nullable(Dollars),
  used: Dollars,
  /** Total of today's deals from won auctions, without canceled deals. */
  won: Dollars,
  /** Total of the current prices of auctions that the dealer leads, including those that wait for the seller's decision. */
  committed: Dollars,
  headroom: Dollars,
})
export type LaneDay = Static<typeof LaneDay>

/** The ETag of GET /api/lane does not depend on `serverNow`. */
export const Lane = Type.Object({
  serverNow: Timestamp,
  running: Type.Array(LaneRow),
  coming: Type.Array(LaneRow),
  /** Cursors for the next page of GET /api/lane/run. Null if there is no next page. */
  behind: Type.Object({ running: Nullable(Type.String()), coming: Nullable(Type.String()) }),
  /** Auctions with a bid or preset of the dealer: open auctions first, sorted by end, then auctions that ended today. */
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

/** An auction of the dealer's own that is scheduled, running, undecided, or ended since midnight. */
const LaneSale = Type.Object({
  row: LaneRow,
  /** If this is null and `row.auction.reserve` is not `none`, the seller decides on any highest bid. */
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

/** Totals of all running auctions, including auctions that are not listed. */
const LaneOverview = Type.Object({
  running: Type.Integer(),
  bidsPerMinute: Type.Integer(),
  watchers: Nullable(Type.Integer()),
  /** Flags from the last 24 hours, newest first, including those of ended auctions. */
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
      /** Number of dealers who have the auction on screen. Null if it is unavailable. */
      watchers: Nullable(Type.Integer()),
      bidders: Type.Integer(),
      seller: Type.Object({ id: Id, name: Type.String(), dealershipName: Type.String() }),
      leader: Nullable(Type.Object({ id: Id, name: Type.String(), dealershipName: Type.String() })),
      /** Bidders who have data in common with the seller or another bidder, newest first. */
      flags: Type.Array(AuctionFlag),
    }),
  ),
  overview: Nullable(LaneOverview),
  /** 99th percentile of the delay between deciding and broadcasting a bid, in this process's last minutes. Null without recent bids. */
  delayP99Ms: Nullable(Type.Integer()),
  next: Nullable(Type.String()),
  serverNow: Timestamp,
})
export type LaneAll = Static<typeof LaneAll>
