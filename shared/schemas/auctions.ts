import Type, { type Static } from 'typebox'
import { bidMaxDollars, endReasonMax } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'

/** `open` covers coming and running; `deciding`: the reserve was not met and the seller has 24 hours. */
const auctionStatuses = ['open', 'deciding', 'sold', 'no_sale'] as const
export type AuctionStatus = (typeof auctionStatuses)[number]

/** All that others learn of a reserve. */
const reserveStates = ['none', 'not_met', 'met'] as const
export type ReserveState = (typeof reserveStates)[number]

/** US dollars with at most two decimals. */
const Dollars = Type.Number({ description: 'US dollars' })
const Offered = Type.Number({ exclusiveMinimum: 0, maximum: bidMaxDollars, description: 'US dollars' })

/** One bid. `bidder` is the number of a pseudonym: "Bidder 4". */
export const Bid = Type.Object({
  seq: Type.Integer(),
  amount: Dollars,
  bidder: Type.Integer(),
  /** Made from a maximum, not by hand. */
  auto: Type.Boolean(),
  at: Timestamp,
})
export type Bid = Static<typeof Bid>

/** What everybody may know of an auction; events carry the same. `seq` rises with every change. */
export const AuctionState = Type.Object({
  postId: Id,
  seq: Type.Integer(),
  status: oneOf(auctionStatuses),
  /** Why its seller ended it before its time; null where the time ended it. */
  endReason: Nullable(Type.String()),
  /** Null before the first bid. */
  amount: Nullable(Dollars),
  startAmount: Dollars,
  increment: Dollars,
  /** The lowest amount that the next bid may name. */
  minNext: Dollars,
  bidCount: Type.Integer(),
  leader: Nullable(Type.Integer()),
  reserve: oneOf(reserveStates),
  startsAt: Timestamp,
  endsAt: Timestamp,
  hardEndsAt: Timestamp,
  /** Newest first; events carry the last few only. */
  bids: Type.Array(Bid),
  /** The database's clock when this was said. */
  serverNow: Timestamp,
})
export type AuctionState = Static<typeof AuctionState>

/** GET /api/inventory/{id}/auction: the state, and what only the caller may know. */
export const Auction = Type.Object({
  ...AuctionState.properties,
  you: Type.Object({
    isSeller: Type.Boolean(),
    /** The caller's own pseudonym, once they have bid. */
    number: Nullable(Type.Integer()),
    /** The caller's own maximum while they lead. */
    maximum: Nullable(Dollars),
  }),
  /** The seller's own terms and who the bidders are; null for everybody else. */
  seller: Nullable(
    Type.Object({
      reserveAmount: Nullable(Dollars),
      bidders: Type.Array(Type.Object({ number: Type.Integer(), name: Type.String(), dealershipName: Type.String() })),
    }),
  ),
})
export type Auction = Static<typeof Auction>

/** POST /api/inventory/{id}/bids and PUT …/max-bid, with an `Idempotency-Key`. */
export const NewBid = Type.Object({ amount: Offered })
export type NewBid = Static<typeof NewBid>

/** An accepted bid. `leading` is false when another's maximum was higher. */
export const PlacedBid = Type.Object({
  seq: Type.Integer(),
  amount: Dollars,
  endsAt: Timestamp,
  leading: Type.Boolean(),
  number: Type.Integer(),
})
export type PlacedBid = Static<typeof PlacedBid>

const bidRefusals = ['TOO_LOW', 'CLOSED', 'OWN', 'LEADING'] as const
export type BidRefusal = (typeof bidRefusals)[number]

/** `details` of the 409: the true price, so that the next try can be right. */
export const RefusedBid = Type.Object({
  code: oneOf(bidRefusals),
  amount: Nullable(Dollars),
  minNext: Dollars,
  endsAt: Timestamp,
  serverNow: Timestamp,
})
export type RefusedBid = Static<typeof RefusedBid>

/** POST /api/inventory/{id}/auction/end: the reason, which bidders are told. */
export const EndAuction = Type.Object({ reason: Type.String({ minLength: 1, maxLength: endReasonMax }) })
export type EndAuction = Static<typeof EndAuction>

/** `auction` of a new post, and PATCH /api/inventory/{id}/auction while there is no bid. What is absent has a default. */
export const AuctionTerms = Type.Object({
  startAmount: Type.Optional(Offered),
  /** Null: none. Absent on a new post: the asking price. */
  reserveAmount: Type.Optional(Nullable(Offered)),
  startsAt: Type.Optional(Timestamp),
  endsAt: Type.Optional(Timestamp),
})
export type AuctionTerms = Static<typeof AuctionTerms>
