import Type, { type Static } from 'typebox'
import { BuyFee } from './dealers.ts'
import { bidMaxDollars, mileageMax, offersMax, openOffersMax } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { dealStages } from '#shared/constants/deals.ts'

/** pending → approved → completed, or pending or approved → cancelled. Pending and approved deals count as active. */
const dealStatuses = ['pending', 'approved', 'cancelled', 'completed'] as const
export type DealStatus = (typeof dealStatuses)[number]

export const reviewStatuses = ['pending', 'approved', 'rejected'] as const
export type ReviewStatus = (typeof reviewStatuses)[number]

const Party = Type.Object({ id: Id, name: Type.String(), dealershipName: Type.String() })

export const Deal = Type.Object({
  id: Id,
  status: oneOf(dealStatuses),
  year: Nullable(Type.Integer()),
  make: Type.String(),
  model: Type.String(),
  price: Type.Number(),
  /** Fee that the buyer pays, in dollars, fixed when the deal was made. Absent if there is none. */
  buyFee: Type.Optional(Type.Number()),
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

/** `ended`: the offer ended because bidding opened on the vehicle. */
const offerStatuses = ['open', 'accepted', 'declined', 'withdrawn', 'expired', 'ended'] as const
export type OfferStatus = (typeof offerStatuses)[number]
const offerTurns = ['seller', 'buyer'] as const
export type OfferTurn = (typeof offerTurns)[number]
export const offerActs = ['accept', 'counter', 'decline', 'withdraw'] as const
export type OfferAct = (typeof offerActs)[number]

const Amount = Type.Number({ exclusiveMinimum: 0, maximum: bidMaxDollars, description: 'US dollars' })

export const NewOffer = Type.Object({
  vehicleId: Id,
  amount: Amount,
  /** Set if the caller makes this offer for a vehicle that matches the caller's buy order. */
  buyOrderId: Type.Optional(Id),
})
export type NewOffer = Static<typeof NewOffer>

export const OfferTerms = Type.Object({ buyFee: Nullable(BuyFee) })
export type OfferTerms = Static<typeof OfferTerms>

/** `amount` is required to accept or counter. Accepting fails if `amount` is not the offer's current amount. */
export const CounterOffer = Type.Object({ amount: Type.Optional(Amount) })

/** An offer on a vehicle, or an auction's highest bid below the reserve. It is open until `expiresAt`. */
export const Offer = Type.Object({
  id: Id,
  postId: Id,
  vehicleId: Nullable(Id),
  title: Type.String(),
  askingPrice: Nullable(Type.Number()),
  amount: Type.Number(),
  /** Fee that the buyer pays, fixed when the offer was made. Absent if there is none. */
  buyFee: Type.Optional(BuyFee),
  turn: oneOf(offerTurns),
  status: oneOf(offerStatuses),
  source: oneOf(['offer', 'auction', 'order'] as const),
  seller: Party,
  buyer: Party,
  dealId: Nullable(Id),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
})
export type Offer = Static<typeof Offer>

export const OffersQuery = Type.Object({
  postId: Type.Optional(Id),
  open: Type.Optional(
    Type.Boolean({
      description: `Only open offers, the last changed first, up to ${openOffersMax}; without this, up to ${offersMax} offers`,
    }),
  ),
})
export type OffersQuery = Static<typeof OffersQuery>
/** A deal's stage for one party. `turn`: this party must act. `waiting`: the other party must act. `cancelled` includes failed offers. */
export type DealStage = (typeof dealStages)[number]

const nextActs = ['answer', 'approve', 'mileage', 'sign', 'complete', 'review'] as const
export type NextAct = (typeof nextActs)[number]

/** Words to find in the vehicle, its VIN, the post's title or the other dealer's names. */
const DealSearch = Type.Optional(Type.String({ maxLength: 100 }))

export const DealCountsQuery = Type.Object({ q: DealSearch })

export const DealCounts = Type.Object({
  turn: Type.Integer(),
  waiting: Type.Integer(),
  completed: Type.Integer(),
  cancelled: Type.Integer(),
})
export type DealCounts = Static<typeof DealCounts>

export const DealPipelineQuery = Type.Object({
  stage: oneOf(dealStages),
  q: DealSearch,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type DealPipelineQuery = Static<typeof DealPipelineQuery>

export const DealPipelineItem = Type.Object({
  deal: Nullable(Deal),
  offer: Nullable(Offer),
  photo: Nullable(Type.String()),
  next: Nullable(oneOf(nextActs)),
  waitsFor: Nullable(oneOf(nextActs)),
})
export type DealPipelineItem = Static<typeof DealPipelineItem>

export const DealPipelinePage = Type.Object({
  items: Type.Array(DealPipelineItem),
  nextCursor: Nullable(Type.String()),
})
export type DealPipelinePage = Static<typeof DealPipelinePage>

export const documentKinds = ['bill_of_sale', 'odometer'] as const
export type DocumentKind = (typeof documentKinds)[number]

export const DealDocument = Type.Object({
  id: Id,
  kind: oneOf(documentKinds),
  number: Type.String(),
  version: Type.Integer(),
  ready: Type.Boolean(),
  createdAt: Timestamp,
})
export type DealDocument = Static<typeof DealDocument>

export const Signature = Type.Object({
  kind: oneOf(documentKinds),
  dealerId: Id,
  name: Type.String(),
  address: Type.String(),
  signedAt: Timestamp,
})
export type Signature = Static<typeof Signature>

/** An entry in the deal's timeline. `by` is null for automatic steps. */
export const DealStep = Type.Object({
  kind: Type.String(),
  amount: Nullable(Type.Number()),
  at: Timestamp,
  by: Nullable(Type.String()),
  note: Nullable(Type.String()),
})
export type DealStep = Static<typeof DealStep>

const PaperRow = Type.Object({ label: Type.String(), value: Type.String() })

/** The text of one version of a document, as printed in its PDF. */
export const DealPaper = Type.Object({
  title: Type.String(),
  reference: Type.String(),
  issued: Type.String(),
  parties: Type.Array(Type.Object({ role: Type.String(), rows: Type.Array(PaperRow) })),
  vehicle: Type.Array(PaperRow),
  /** The price on a bill of sale. Null for other documents. */
  price: Nullable(Type.String()),
  statement: Type.String(),
  signatures: Type.Array(
    Type.Object({ by: Type.String(), name: Nullable(Type.String({ description: 'As typed' })), note: Type.String() }),
  ),
})
export type DealPaper = Static<typeof DealPaper>

const dealSides = ['seller', 'buyer'] as const

/** A party who cannot act, because the account is suspended (`unavailable`) or deleted. */
const AbsentParty = Type.Object({ side: oneOf(dealSides), is: oneOf(['unavailable', 'deleted'] as const) })
export type AbsentParty = Static<typeof AbsentParty>

export const dealActs = ['approve', 'cancel', 'complete'] as const
export type DealAct = (typeof dealActs)[number]

export const DealDetail = Type.Object({
  ...Deal.properties,
  trim: Nullable(Type.String()),
  mileage: Nullable(Type.Integer()),
  color: Nullable(Type.String()),
  source: oneOf(['offer', 'auction'] as const),
  /** Null if the vehicle has no photo, or the post is deleted or hidden. */
  photo: Nullable(Type.String()),
  /** The other party's next action, or null if the other party has nothing to do. */
  waitsFor: Nullable(oneOf(nextActs)),
  absent: Type.Array(AbsentParty),
  /** Null if the parties have no chat yet. Always null for admins. */
  chatId: Nullable(Id),
  /** The network's review, if a party has submitted the deal. It does not affect the deal's status. Both parties see `reason`. */
  review: Nullable(
    Type.Object({
      status: oneOf(reviewStatuses),
      submittedAt: Timestamp,
      reason: Type.String(),
      at: Nullable(Timestamp),
    }),
  ),
  steps: Type.Array(DealStep),
  documents: Type.Array(DealDocument),
  signatures: Type.Array(Signature),
  /** Says how to unlock the bill of sale. Null if either party's plan includes it. */
  billOfSaleNeeds: Nullable(Type.String()),
  /** Parties without a dealer license number. */
  withoutLicense: Type.Array(oneOf(dealSides)),
  may: Type.Object({
    approve: Type.Boolean(),
    cancel: Type.Boolean(),
    complete: Type.Boolean(),
    /** True if the odometer statement still needs a mileage from the seller. */
    giveMileage: Type.Boolean(),
    sign: Type.Array(oneOf(documentKinds)),
    review: Type.Boolean(),
    submit: Type.Boolean(),
  }),
})
export type DealDetail = Static<typeof DealDetail>

/** Odometer reading in miles, as the seller states it. */
export const DealMileage = Type.Object({ mileage: Type.Integer({ minimum: 0, maximum: mileageMax }) })
export type DealMileage = Static<typeof DealMileage>

export const NewSignature = Type.Object({ name: Type.String({ minLength: 2, maxLength: 120, trim: true }) })
