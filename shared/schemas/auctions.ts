import Type, { type Static } from 'typebox'
import { BuyFee } from './dealers.ts'
import { bidMaxDollars, endReasonMax } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'

/** `open` includes auctions that have not started. `deciding`: the reserve was not met, and the seller has 24 hours to decide. */
const auctionStatuses = ['open', 'deciding', 'sold', 'no_sale'] as const
export type AuctionStatus = (typeof auctionStatuses)[number]

const reserveStates = ['none', 'not_met', 'met'] as const
export type ReserveState = (typeof reserveStates)[number]

const Dollars = Type.Number({ description: 'US dollars' })
const Offered = Type.Number({ exclusiveMinimum: 0, maximum: bidMaxDollars, description: 'US dollars' })

export const Bid = Type.Object({
  seq: Type.Integer(),
  /** Position among the auction's bids, which reveals missing bids. (`seq` also counts other changes.) */
  no: Type.Integer(),
  amount: Dollars,
  bidder: Type.Integer(),
  auto: Type.Boolean(),
  at: Timestamp,
})
export type Bid = Static<typeof Bid>

export const AuctionState = Type.Object({
  postId: Id,
  seq: Type.Integer(),
  status: oneOf(auctionStatuses),
  endReason: Nullable(Type.String()),
  amount: Nullable(Dollars),
  startAmount: Dollars,
  increment: Dollars,
  minNext: Dollars,
  bidCount: Type.Integer(),
  leader: Nullable(Type.Integer()),
  reserve: oneOf(reserveStates),
  startsAt: Timestamp,
  endsAt: Timestamp,
  hardEndsAt: Timestamp,
  /** Fee that the buyer pays, fixed when bidding opened. Absent if there is none. */
  buyFee: Type.Optional(BuyFee),
  bids: Type.Array(Bid),
  /** Database time at which this state was read. */
  serverNow: Timestamp,
})
export type AuctionState = Static<typeof AuctionState>

/** The caller's maximum set before the start; null once it is placed. When bidding opens, the preset unchanged for longest goes first. */
export const OwnPreset = Nullable(Dollars)

export const Auction = Type.Object({
  ...AuctionState.properties,
  you: Type.Object({
    isSeller: Type.Boolean(),
    /** The caller's pseudonym, or null before the caller's first bid. */
    number: Nullable(Type.Integer()),
    maximum: Nullable(Dollars),
    preset: OwnPreset,
  }),
  seller: Nullable(
    Type.Object({
      reserveAmount: Nullable(Dollars),
      bidders: Type.Array(Type.Object({ number: Type.Integer(), name: Type.String(), dealershipName: Type.String() })),
    }),
  ),
})
export type Auction = Static<typeof Auction>

/** POST /api/inventory/{id}/bids and PUT …/max-bid. Both require an `Idempotency-Key`. */
export const NewBid = Type.Object({ amount: Offered })
export type NewBid = Static<typeof NewBid>

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

/** `details` of the 409 response to a rejected bid. It contains the current price for the next attempt. */
export const RefusedBid = Type.Object({
  code: oneOf(bidRefusals),
  amount: Nullable(Dollars),
  minNext: Dollars,
  endsAt: Timestamp,
  serverNow: Timestamp,
  /** Only for `LIMIT`. `used` is today's total if this bid counted; `limit` is the dealer's daily limit. */
  used: Type.Optional(Dollars),
  limit: Type.Optional(Dollars),
})
export type RefusedBid = Static<typeof RefusedBid>

/** PUT /api/inventory/{id}/preset. Returns 400 if the amount is below the starting amount, and 409 once bidding is open. */
export const NewPreset = Type.Object({ amount: Offered })
export type NewPreset = Static<typeof NewPreset>

/** The seller can lower the reserve, but not raise or remove it. If the highest bid reaches it, it is met, and bidding continues. */
export const NewReserve = Type.Object({ amount: Offered })
export type NewReserve = Static<typeof NewReserve>

const reserveRefusals = ['RESERVE_HIGHER', 'BELOW_START', 'CLOSED'] as const
export type ReserveRefusal = (typeof reserveRefusals)[number]

/** `details` of the 409 response to a rejected reserve. `RESERVE_HIGHER` includes an equal amount, and auctions without a reserve. */
export const RefusedReserve = Type.Object({ code: oneOf(reserveRefusals) })
export type RefusedReserve = Static<typeof RefusedReserve>

/** POST /api/inventory/{id}/auction/end. The bidders receive a notification that contains the reason. */
export const EndAuction = Type.Object({ reason: Type.String({ minLength: 1, maxLength: endReasonMax }) })
export type EndAuction = Static<typeof EndAuction>

/** Terms of a new auction, or new terms before the first bid. Omitted fields have default values. */
export const AuctionTerms = Type.Object({
  startAmount: Type.Optional(Offered),
  reserveAmount: Type.Optional(Nullable(Offered)),
  startsAt: Type.Optional(Timestamp),
  endsAt: Type.Optional(Timestamp),
})
export type AuctionTerms = Static<typeof AuctionTerms>
