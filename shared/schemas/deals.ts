import Type, { type Static } from 'typebox'
import { bidMaxDollars } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from './dealers.ts'

/** pending → approved → completed, pending|approved → cancelled. What is not completed counts as active (spec A §4). */
export const dealStatuses = ['pending', 'approved', 'cancelled', 'completed'] as const
export type DealStatus = (typeof dealStatuses)[number]

const Party = Type.Object({ id: Id, name: Type.String(), dealershipName: Type.String() })

/** GET /api/deals/{userId} (spec A §3 "Deal"). `price` in dollars. */
export const Deal = Type.Object({
  id: Id,
  status: oneOf(dealStatuses),
  year: Nullable(Type.Integer()),
  make: Type.String(),
  model: Type.String(),
  price: Type.Number(),
  vin: Nullable(Type.String()),
  location: Type.String(),
  sellerId: Id,
  buyer: Party,
  seller: Party,
  postId: Nullable(Id),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Deal = Static<typeof Deal>

export const offerStatuses = ['open', 'accepted', 'declined', 'withdrawn', 'expired'] as const
export type OfferStatus = (typeof offerStatuses)[number]
export const offerTurns = ['seller', 'buyer'] as const
export type OfferTurn = (typeof offerTurns)[number]
export const offerActs = ['accept', 'counter', 'decline', 'withdraw'] as const
export type OfferAct = (typeof offerActs)[number]

const Amount = Type.Number({ exclusiveMinimum: 0, maximum: bidMaxDollars, description: 'US dollars' })

/** POST /api/inventory/{id}/offers */
export const NewOffer = Type.Object({ vehicleId: Id, amount: Amount })
export type NewOffer = Static<typeof NewOffer>

/** POST /api/offers/{id}/{accept|counter|decline|withdraw}: `amount` for a counter. */
export const CounterOffer = Type.Object({ amount: Type.Optional(Amount) })

/** An offer on a vehicle, or the highest bid of an auction below its reserve. Open until `expiresAt`. */
export const Offer = Type.Object({
  id: Id,
  postId: Id,
  vehicleId: Nullable(Id),
  /** The vehicle's year, make and model; the post's title where there is none. */
  title: Type.String(),
  askingPrice: Nullable(Type.Number()),
  amount: Type.Number(),
  /** Who answers next. */
  turn: oneOf(offerTurns),
  status: oneOf(offerStatuses),
  source: oneOf(['offer', 'auction'] as const),
  seller: Party,
  buyer: Party,
  dealId: Nullable(Id),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
})
export type Offer = Static<typeof Offer>
