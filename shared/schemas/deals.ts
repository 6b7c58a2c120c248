import Type, { type Static } from 'typebox'
import { BuyFee } from '#shared/buy-fee.ts'
import { bidMaxDollars, mileageMax, offersMax, openOffersMax } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'

/** pending → approved → completed, pending|approved → cancelled. What is not completed counts as active. */
const dealStatuses = ['pending', 'approved', 'cancelled', 'completed'] as const
export type DealStatus = (typeof dealStatuses)[number]

export const reviewStatuses = ['pending', 'approved', 'rejected'] as const
export type ReviewStatus = (typeof reviewStatuses)[number]

const Party = Type.Object({ id: Id, name: Type.String(), dealershipName: Type.String() })

/** GET /api/deals/{userId}. `price` in dollars. */
export const Deal = Type.Object({
  id: Id,
  status: oneOf(dealStatuses),
  year: Nullable(Type.Integer()),
  make: Type.String(),
  model: Type.String(),
  price: Type.Number(),
  /** What the buyer pays the network beside the price, in dollars, as it was agreed; absent: nothing. */
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

/** `ended`: bidding opened on the vehicle. */
const offerStatuses = ['open', 'accepted', 'declined', 'withdrawn', 'expired', 'ended'] as const
export type OfferStatus = (typeof offerStatuses)[number]
const offerTurns = ['seller', 'buyer'] as const
export type OfferTurn = (typeof offerTurns)[number]
export const offerActs = ['accept', 'counter', 'decline', 'withdraw'] as const
export type OfferAct = (typeof offerActs)[number]

const Amount = Type.Number({ exclusiveMinimum: 0, maximum: bidMaxDollars, description: 'US dollars' })

/** POST /api/inventory/{id}/offers */
export const NewOffer = Type.Object({
  vehicleId: Id,
  amount: Amount,
  /** One's own buy order that it answers a match of. */
  buyOrderId: Type.Optional(Id),
})
export type NewOffer = Static<typeof NewOffer>

/** GET /api/offers/terms: what an offer that is made now would cost its buyer beside the amount. */
export const OfferTerms = Type.Object({ buyFee: Nullable(BuyFee) })
export type OfferTerms = Static<typeof OfferTerms>

/** POST /api/offers/{id}/{accept|counter|decline|withdraw}: a counter and an acceptance name the amount; an acceptance of another amount is refused. */
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
  /** What the buyer pays the network beside the amount, as it was when the offer was made; absent: nothing. */
  buyFee: Type.Optional(BuyFee),
  /** Who answers next. */
  turn: oneOf(offerTurns),
  status: oneOf(offerStatuses),
  /** `order`: a buy order brought the two together. */
  source: oneOf(['offer', 'auction', 'order'] as const),
  seller: Party,
  buyer: Party,
  dealId: Nullable(Id),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
})
export type Offer = Static<typeof Offer>

/** GET /api/offers: the dealer's, or those on one post, or those that are open. */
export const OffersQuery = Type.Object({
  postId: Type.Optional(Id),
  open: Type.Optional(
    Type.Boolean({ description: `Only open offers: the ${openOffersMax} last changed; without this, ${offersMax}` }),
  ),
})
export type OffersQuery = Static<typeof OffersQuery>

export const dealStages = ['turn', 'waiting', 'completed', 'cancelled'] as const
/**
 * Where a deal or an offer stands for one dealer: `turn`, there is something for them to do; `waiting`, for the other side;
 * `cancelled`, also an offer that came to nothing. An accepted offer is its deal.
 */
export type DealStage = (typeof dealStages)[number]

const nextActs = ['answer', 'approve', 'mileage', 'sign', 'complete', 'review'] as const
/** What somebody does next: answers an offer; approves a deal, states its mileage, signs, completes or reviews it. */
export type NextAct = (typeof nextActs)[number]

/** Words, each part of a VIN, of a vehicle's year, make, model and trim, of an offer's post, or of the other dealer's names. */
const DealSearch = Type.Optional(Type.String({ maxLength: 100 }))

/** GET /api/deals/counts */
export const DealCountsQuery = Type.Object({ q: DealSearch })

/** How many of the dealer's deals and offers are at each stage. */
export const DealCounts = Type.Object({
  turn: Type.Integer(),
  waiting: Type.Integer(),
  completed: Type.Integer(),
  cancelled: Type.Integer(),
})
export type DealCounts = Static<typeof DealCounts>

/** GET /api/deals/pipeline: one stage, the last changed first. */
export const DealPipelineQuery = Type.Object({
  stage: oneOf(dealStages),
  q: DealSearch,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
})
export type DealPipelineQuery = Static<typeof DealPipelineQuery>

/** A deal or an offer, the other one null. */
export const DealPipelineItem = Type.Object({
  deal: Nullable(Deal),
  offer: Nullable(Offer),
  /** Of the vehicle, or of its post; null where neither has one that may be seen. */
  photo: Nullable(Type.String()),
  /** What the caller does next. */
  next: Nullable(oneOf(nextActs)),
  /** What the other side does next. */
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

/** A numbered paper of a deal; every signature makes a new version. */
export const DealDocument = Type.Object({
  id: Id,
  kind: oneOf(documentKinds),
  number: Type.String(),
  version: Type.Integer(),
  /** The PDF can be downloaded; a job is making it while this is false. */
  ready: Type.Boolean(),
  createdAt: Timestamp,
})
export type DealDocument = Static<typeof DealDocument>

/** A typed name, when and from which network address. */
export const Signature = Type.Object({
  kind: oneOf(documentKinds),
  dealerId: Id,
  name: Type.String(),
  address: Type.String(),
  signedAt: Timestamp,
})
export type Signature = Static<typeof Signature>

/** One line of a deal's timeline; `by` is null where time or an auction's end did it. */
export const DealStep = Type.Object({
  kind: Type.String(),
  amount: Nullable(Type.Number()),
  at: Timestamp,
  by: Nullable(Type.String()),
  /** Why, where a reason was given. */
  note: Nullable(Type.String()),
})
export type DealStep = Static<typeof DealStep>

export const dealActs = ['approve', 'cancel', 'complete'] as const
export type DealAct = (typeof dealActs)[number]

/** GET /api/deal/{id}: for its two parties and admins. */
export const DealDetail = Type.Object({
  ...Deal.properties,
  trim: Nullable(Type.String()),
  mileage: Nullable(Type.Integer()),
  color: Nullable(Type.String()),
  source: oneOf(['offer', 'auction'] as const),
  /**
   * The network's own review, for which a party has submitted the deal; null where none has. It is decided by an admin alone and
   * changes nothing about where the parties stand. `reason`: the admin's, as both parties read it.
   */
  review: Nullable(
    Type.Object({
      /** pending: in review. */
      status: oneOf(reviewStatuses),
      submittedAt: Timestamp,
      reason: Type.String(),
      at: Nullable(Timestamp),
    }),
  ),
  steps: Type.Array(DealStep),
  /** The newest version of each kind. */
  documents: Type.Array(DealDocument),
  signatures: Type.Array(Signature),
  /** What lifts it that neither party's plan has the bill of sale, in words for the caller; null where one has. */
  billOfSaleNeeds: Nullable(Type.String()),
  /** Who has given no dealer license number: the bill of sale says so in its place. */
  withoutLicense: Type.Array(oneOf(['seller', 'buyer'] as const)),
  /** What the caller may do now. */
  may: Type.Object({
    approve: Type.Boolean(),
    cancel: Type.Boolean(),
    complete: Type.Boolean(),
    /** The seller: the mileage statement waits for it. */
    giveMileage: Type.Boolean(),
    sign: Type.Array(oneOf(documentKinds)),
    review: Type.Boolean(),
    /** To the network's review. */
    submit: Type.Boolean(),
  }),
})
export type DealDetail = Static<typeof DealDetail>

/** PUT /api/deal/{id}/mileage: what the seller reads off the odometer, in miles. */
export const DealMileage = Type.Object({ mileage: Type.Integer({ minimum: 0, maximum: mileageMax }) })
export type DealMileage = Static<typeof DealMileage>

/** POST /api/deal/{id}/documents/{kind}/signature */
export const NewSignature = Type.Object({ name: Type.String({ minLength: 2, maxLength: 120 }) })
