import Type, { type Static } from 'typebox'
import { BuyFee } from '#shared/buy-fee.ts'
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
  /** The how-manieth bid of its auction: one that is skipped is missing. Of `seq` some are other changes. */
  no: Type.Integer(),
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
  /** What its buyer pays the network beside the price, as it was when bidding opened; absent: nothing. */
  buyFee: Type.Optional(BuyFee),
  /** Newest first; events carry the last `bidsTold` only. */
  bids: Type.Array(Bid),
  /** The database's clock when this was said. */
  serverNow: Timestamp,
})
export type AuctionState = Static<typeof AuctionState>

/**
 * The caller's maximum at the start: kept until then, and handed in as a maximum when bidding opens, before any other bid and in the order
 * in which they were set; a changed amount takes a new place. Null: none, or handed in.
 */
export const OwnPreset = Nullable(Dollars)

/** GET /api/inventory/{id}/auction: the state, and what only the caller may know. */
export const Auction = Type.Object({
  ...AuctionState.properties,
  you: Type.Object({
    isSeller: Type.Boolean(),
    /** The caller's own pseudonym, once they have bid. */
    number: Nullable(Type.Integer()),
    /** The caller's own maximum while they lead. */
    maximum: Nullable(Dollars),
    preset: OwnPreset,
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

const bidRefusals = ['TOO_LOW', 'CLOSED', 'OWN', 'LEADING', 'LIMIT'] as const
export type BidRefusal = (typeof bidRefusals)[number]

/** `details` of the 409: the true price, so that the next try can be right. */
export const RefusedBid = Type.Object({
  code: oneOf(bidRefusals),
  amount: Nullable(Dollars),
  minNext: Dollars,
  endsAt: Timestamp,
  serverNow: Timestamp,
  /** Of `LIMIT`: what the bid would have brought the dealer to today, and the dealer's own day limit. */
  used: Type.Optional(Dollars),
  limit: Type.Optional(Dollars),
})
export type RefusedBid = Static<typeof RefusedBid>

/** PUT /api/inventory/{id}/preset: 204; 400 below the starting amount, 409 once bidding is open. DELETE takes it away. */
export const NewPreset = Type.Object({ amount: Offered })
export type NewPreset = Static<typeof NewPreset>

/**
 * POST /api/inventory/{id}/auction/reserve, with an `Idempotency-Key`: the seller lowers the reserve, never raises or removes it. At or
 * under the highest bid it is met; with the highest bid as its amount it is the seller's acceptance, and the clock runs on.
 */
export const NewReserve = Type.Object({ amount: Offered })
export type NewReserve = Static<typeof NewReserve>

const reserveRefusals = ['RESERVE_HIGHER', 'BELOW_START', 'CLOSED'] as const
export type ReserveRefusal = (typeof reserveRefusals)[number]

/** `details` of its 409. `RESERVE_HIGHER` is also an equal one, and one where there is none. */
export const RefusedReserve = Type.Object({ code: oneOf(reserveRefusals) })
export type RefusedReserve = Static<typeof RefusedReserve>

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
