import Type, { type Static } from 'typebox'
import { bidMaxDollars, mileageMax, vinLength, yearMax, yearMin } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { type Drive, drives } from '#shared/vehicle-traits.ts'
import { Offer } from './deals.ts'
import { FoundVehicle } from './find.ts'
import { visiblePattern } from '#shared/visible-text.ts'

/** Buy orders of one dealer that are not ended. */
export const buyOrdersMax = 50
export const orderTrimsMax = 10
export const orderNoteMax = 200
export const perMonthMax = 50
/** For so long an order stands unless it is renewed. */
export const orderDays = [30, 60, 90] as const
/** Miles around the buyer that an order offers. */
export const orderRadii = [25, 50, 100, 150, 200, 300, 500, 1_000] as const
/** A price is not changed again before. */
export const priceChangeMs = 60_000
/** So many matches in a row without an answer pause an order. */
export const unansweredMax = 10
/** A match counts as unanswered once its vehicle was on offer for so long. */
export const unansweredMs = 24 * 3_600_000
/** An order that runs out within so many days can be renewed. */
export const renewableDays = 7
/** Asked for so much more, a vehicle is a match all the same. */
export const askedAboveShare = 0.1
/** Below that share of the median asked an order is said to be too low. */
export const lowPriceShare = 0.4
/** Figures of the market are given from so many vehicles up. */
export const marketVehiclesMin = 5
/** Wanted by fewer dealers, a vehicle is not listed. */
export const demandDealersMin = 3
/** Distances of buyers are told in steps of so many miles. */
export const demandMilesStep = 10
/** Orders whose terms one vehicle's seller sees. */
export const demandOrdersMax = 5
/** Different questions about one VIN within ten minutes: a mileage may be corrected, an order's limits are not felt out. */
export const demandQuestionsMax = 3
/** So many VINs asked for and never posted in a week: numbers only from there on. */
export const demandVinsMax = 20
/** Above so many told in a day a dealer hears of matches once an hour. */
export const matchesToldMax = 50

const Price = Type.Number({ exclusiveMinimum: 0, maximum: bidMaxDollars, description: 'US dollars a vehicle' })
const Word = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: visiblePattern })
const Year = Type.Integer({ minimum: yearMin, maximum: yearMax })
const Miles = Type.Integer({ minimum: 1, maximum: mileageMax })
const Zip = Type.String({ maxLength: 10 })

const AnyDrive = Type.Unsafe<Drive | null>({ ...oneOf([...drives]), nullable: true, enum: [...drives, null] })

/** What is bought, of an order as of its preview. */
const lookedFor = {
  make: Word(60),
  model: Word(80),
  /** Empty: any trim. */
  trims: Type.Array(Word(80), { maxItems: orderTrimsMax }),
  yearFrom: Nullable(Year),
  yearTo: Nullable(Year),
  /** At most so many miles on the clock. */
  milesMax: Miles,
  /** A ZIP or postal code; empty: wherever it stands. */
  near: Zip,
  /** Miles around `near`. */
  within: Nullable(Type.Integer({ minimum: 1, maximum: 5_000 })),
  drive: AnyDrive,
  photosOnly: Type.Boolean(),
}

/** POST /api/buy-orders/preview: the same without a price. */
export const OrderSearch = Type.Object(lookedFor)
export type OrderSearch = Static<typeof OrderSearch>

/** POST /api/buy-orders. */
export const NewBuyOrder = Type.Object({
  ...lookedFor,
  price: Price,
  perMonth: Type.Integer({ minimum: 1, maximum: perMonthMax }),
  days: Type.Integer({ minimum: 1, maximum: 90 }),
  /** Sellers of a matching vehicle read whose order it is. */
  showName: Type.Boolean(),
  /** For sellers of a matching vehicle. */
  note: Type.String({ maxLength: orderNoteMax }),
})
export type NewBuyOrder = Static<typeof NewBuyOrder>

const orderActs = ['pause', 'resume', 'end', 'renew'] as const

/**
 * PATCH /api/buy-orders/{id}: terms that change, or what is done with it. `renew` gives it `days` from now; where none are named 30, or what is
 * left of it where that is more. New terms renew an order that has ended.
 */
export const BuyOrderPatch = Type.Object({
  ...Type.Partial(NewBuyOrder).properties,
  act: Type.Optional(oneOf(orderActs)),
})
export type BuyOrderPatch = Static<typeof BuyOrderPatch>

const orderStates = ['active', 'filled', 'paused', 'ended'] as const
/** `filled`: as many as it takes in a month were bought; active again with the next one. */
export type OrderState = (typeof orderStates)[number]

/** One's own. */
export const BuyOrder = Type.Object({
  id: Id,
  ...lookedFor,
  price: Price,
  perMonth: Type.Integer(),
  showName: Type.Boolean(),
  note: Type.String(),
  state: oneOf(orderStates),
  /** `unanswered`: too many matches in a row had no answer; `plan`: its dealer's plan lets them make no offers. */
  pauseReason: Nullable(oneOf(['self', 'unanswered', 'plan'] as const)),
  expiresAt: Timestamp,
  /** When the month of the dealer's own time zone begins anew. */
  nextMonthAt: Timestamp,
  /** That time zone: of the quiet hours where they were set, else of the dealer's place. */
  timeZone: Type.String(),
  /** Deals of this month that came of it. */
  bought: Type.Integer(),
  /** Matches that were not looked at. */
  newMatches: Type.Integer(),
  /** Vehicles on offer now that it looks for, whatever they cost. */
  onOffer: Type.Integer(),
  /** Far below what is asked for such vehicles. */
  isLow: Type.Boolean(),
  version: Type.Integer(),
})
export type BuyOrder = Static<typeof BuyOrder>

/** GET /api/buy-orders: one's own, the newest first, ended ones of the last 90 days last. */
export const BuyOrders = Type.Object({
  orders: Type.Array(BuyOrder),
  /** The dealer's own ZIP or postal code, with which a new order begins; empty where the profile has none. */
  zip: Type.String(),
  totals: Type.Object({
    active: Type.Integer(),
    matchesToday: Type.Integer(),
    newMatches: Type.Integer(),
    /** Open offers that came of orders, on either side's turn. */
    offers: Type.Integer(),
    /** When the first of them runs out. */
    nextAnswerAt: Nullable(Timestamp),
    bought: Type.Integer(),
    /** All orders' together. */
    perMonth: Type.Integer(),
  }),
})
export type BuyOrders = Static<typeof BuyOrders>

/** GET /api/admin/users/{id}/buy-orders: a dealer's, for who moderates; ended ones of the last 90 days last. */
export const DealersOrders = Type.Object({ orders: Type.Array(BuyOrder) })
export type DealersOrders = Static<typeof DealersOrders>

/** What is on offer and was sold of what an order would look for. Figures are null below five vehicles. */
export const OrderPreview = Type.Object({
  onOffer: Type.Integer(),
  newIn7Days: Type.Integer(),
  /** Asked, in dollars: lower quartile, median, upper quartile. */
  askedQuartiles: Nullable(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 })),
  sold90: Nullable(Type.Object({ count: Type.Integer(), median: Type.Number() })),
  /** False: `near` is no code that anybody knows, so distance is left out. */
  placeKnown: Type.Boolean(),
})
export type OrderPreview = Static<typeof OrderPreview>

/** `offered`: `lastOffer` says by whom, and how it stands. */
export const matchStates = ['new', 'seen', 'offered', 'dismissed'] as const

/** A vehicle that an order was looking for. */
export const OrderMatch = Type.Object({
  orderId: Id,
  at: Timestamp,
  state: oneOf(matchStates),
  /** What one press offers: the lower of asked and the order's own price. */
  offer: Type.Number(),
  /** The last that was offered for it between the two, by whichever of them; null: nothing, or it was taken back. */
  lastOffer: Nullable(Type.Pick(Offer, ['id', 'status', 'turn'])),
  vehicle: FoundVehicle,
})
export type OrderMatch = Static<typeof OrderMatch>

export const matchesPage = 25
/** GET /api/buy-orders/matches: what waits for an answer or is offered for, the newest first; without vehicles that are gone. */
export const OrderMatchesQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 300 })) })
export const OrderMatches = Type.Object({ items: Type.Array(OrderMatch), next: Nullable(Type.String()) })
export type OrderMatches = Static<typeof OrderMatches>

/** POST /api/buy-orders/matches/seen: those that are up to then new are so no more. */
export const MatchesSeen = Type.Object({ until: Timestamp })

/** POST /api/demand: a vehicle that one is about to post. */
export const DemandRequest = Type.Object({
  vin: Type.String({ minLength: vinLength, maxLength: vinLength }),
  year: Year,
  make: Word(60),
  model: Word(80),
  trim: Type.String({ maxLength: 80 }),
  mileage: Type.Integer({ minimum: 0, maximum: mileageMax }),
  /** Where it stands; empty: by city and state, and without these where its dealer is. */
  zip: Zip,
  city: Type.Optional(Type.String({ maxLength: 80 })),
  state: Type.Optional(Type.String({ maxLength: 2 })),
})
export type DemandRequest = Static<typeof DemandRequest>

/** Terms of a buy order that takes the vehicle, for its seller alone. */
export const DemandOrder = Type.Object({
  /** For `POST /api/demand/offer`, half an hour long, with this vehicle only. */
  ref: Type.String(),
  price: Price,
  /** About so far from the vehicle, in steps of ten. */
  miles: Nullable(Type.Integer()),
  perMonth: Type.Integer(),
  rating: Nullable(Type.Number()),
  /** What it has to be; whether it is, is known when it is posted. */
  drive: AnyDrive,
  photosOnly: Type.Boolean(),
  note: Type.String(),
  /** The dealership, where it shows its name. */
  name: Nullable(Type.String()),
})
export type DemandOrder = Static<typeof DemandOrder>

/** Why there are no terms: one buys such vehicles oneself, or has asked for many that were never posted. */
const withheld = ['order', 'asked'] as const

/** Who wants a vehicle. `best`, `nearest` and `orders` are there where nothing withholds them. */
export const Demand = Type.Object({
  dealers: Type.Integer(),
  perMonth: Type.Integer(),
  best: Nullable(Price),
  nearest: Nullable(Type.Integer()),
  orders: Type.Array(DemandOrder, { maxItems: demandOrdersMax }),
  withheld: Nullable(oneOf(withheld)),
  /** The figures are those of an earlier question about this VIN: it is asked for with other figures too often. */
  isEarlier: Type.Boolean(),
})
export type Demand = Static<typeof Demand>

/** POST /api/demand/offer: to the order behind `ref`, at its price; its dealer has 24 hours to answer. */
export const DemandOffer = Type.Object({ ref: Type.String({ minLength: 1, maxLength: 400 }), vehicleId: Id })
export type DemandOffer = Static<typeof DemandOffer>

/** GET /api/demand/list. */
export const DemandListQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100, description: 'Words from the make, model or trim' })),
  make: Type.Optional(Type.String({ maxLength: 60 })),
  near: Type.Optional(
    Type.String({ maxLength: 10, description: "A ZIP or postal code; defaults to the caller's own" }),
  ),
  within: Type.Optional(Type.Integer({ enum: [...orderRadii], description: 'Radius in miles around that place' })),
  have: Type.Optional(oneOf(['1'], { description: 'Only models the caller has for sale' })),
  cursor: Type.Optional(Type.String({ maxLength: 300 })),
})
export type DemandListQuery = Static<typeof DemandListQuery>

/** One of the caller's vehicles that somebody wants. */
export const WantedVehicle = Type.Object({
  vehicleId: Id,
  postId: Id,
  title: Type.String(),
  year: Nullable(Type.Integer()),
  mileage: Nullable(Type.Integer()),
  /** Asked. */
  price: Nullable(Type.Number()),
  dealers: Type.Integer(),
  /** The best that is paid for it. */
  best: Price,
  ref: Type.String(),
  /** An offer of it is open already. */
  offered: Type.Boolean(),
})
export type WantedVehicle = Static<typeof WantedVehicle>

/**
 * Why of the caller's own vehicles some are left out: the VIN is none, of another make or in another dealer's post; many were asked for in
 * this hour or day; many were asked for that were never posted.
 */
const notTold = ['vin', 'limit', 'asked'] as const

/** Orders of at least three dealers for a model whose years overlap. */
export const DemandGroup = Type.Object({
  make: Type.String(),
  model: Type.String(),
  /** Empty where one of them takes any. */
  trims: Type.Array(Type.String()),
  yearFrom: Nullable(Type.Integer()),
  yearTo: Nullable(Type.Integer()),
  /** The lowest and the highest mileage that they take. */
  milesFrom: Type.Integer(),
  milesTo: Type.Integer(),
  /** What more than half of them ask for; null: they differ, or take any. */
  mostlyDrive: AnyDrive,
  dealers: Type.Integer(),
  perMonth: Type.Integer(),
  nearest: Nullable(Type.Integer()),
  /** The caller buys these too: no prices. */
  isRival: Type.Boolean(),
  yours: Type.Array(WantedVehicle),
  /** Null: all that is wanted is in `yours`. */
  notTold: Nullable(oneOf(notTold)),
})
export type DemandGroup = Static<typeof DemandGroup>

export const DemandList = Type.Object({
  items: Type.Array(DemandGroup),
  /** Of all pages. */
  dealers: Type.Integer(),
  perMonth: Type.Integer(),
  /** Makes that are wanted, for the filter. */
  makes: Type.Array(Type.String()),
  /** False: nobody knows `near`, or the code of the caller's profile, so distance is left out. */
  placeKnown: Type.Boolean(),
  next: Nullable(Type.String()),
})
export type DemandList = Static<typeof DemandList>
