import Type, { type Static } from 'typebox'
import { bidMaxDollars, mileageMax, vinLength, yearMax, yearMin } from '#shared/limits.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { type Drive, drives } from '#shared/vehicle-traits.ts'
import { Offer } from './deals.ts'
import { FoundVehicle } from './find.ts'
import { visiblePattern } from '#shared/visible-text.ts'
import { matchesSeenMax, orderTrimsMax, perMonthMax, orderNoteMax, orderRadii } from '#shared/constants/wanted.ts'
export const priceChangeMs = 60_000
/** A match without an answer counts as unanswered once its vehicle has been for sale this long. */
export const unansweredMs = 24 * 3_600_000
export const marketVehiclesMin = 5
/** Distances to buyers are rounded to this many miles. */
export const demandMilesStep = 10
export const demandOrdersMax = 5
/** Distinct requests allowed per VIN in ten minutes: enough to correct a mileage, but too few to probe an order's limits. */
export const demandQuestionsMax = 3
/** A dealer who asked about more than this many VINs in a week without posting them sees only counts. */
export const demandVinsMax = 20
/** A dealer with more match notifications than this in a day gets an hourly summary instead. */
export const matchNoticesPerDay = 50

const Price = Type.Number({ exclusiveMinimum: 0, maximum: bidMaxDollars, description: 'US dollars a vehicle' })
const Word = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: visiblePattern })
const Year = Type.Integer({ minimum: yearMin, maximum: yearMax })
const Miles = Type.Integer({ minimum: 1, maximum: mileageMax })
const Zip = Type.String({ maxLength: 10 })

const AnyDrive = Type.Unsafe<Drive | null>({ ...oneOf([...drives]), nullable: true, enum: [...drives, null] })

const lookedFor = {
  make: Word(60),
  model: Word(80),
  trims: Type.Array(Word(80), { maxItems: orderTrimsMax }),
  yearFrom: Nullable(Year),
  yearTo: Nullable(Year),
  milesMax: Miles,
  near: Zip,
  within: Nullable(Type.Integer({ minimum: 1, maximum: 5_000 })),
  drive: AnyDrive,
  photosOnly: Type.Boolean(),
}

export const OrderSearch = Type.Object(lookedFor)
export type OrderSearch = Static<typeof OrderSearch>

export const NewBuyOrder = Type.Object({
  ...lookedFor,
  price: Price,
  perMonth: Type.Integer({ minimum: 1, maximum: perMonthMax }),
  days: Type.Integer({ minimum: 1, maximum: 90 }),
  showName: Type.Boolean(),
  note: Type.String({ maxLength: orderNoteMax }),
})
export type NewBuyOrder = Static<typeof NewBuyOrder>

const orderActs = ['pause', 'resume', 'end', 'renew'] as const

/** `renew` extends the order to `days` from now (default: 30, or the days left if more). New terms renew an ended order, too. */
export const BuyOrderPatch = Type.Object({
  ...Type.Partial(NewBuyOrder).properties,
  act: Type.Optional(oneOf(orderActs)),
})
export type BuyOrderPatch = Static<typeof BuyOrderPatch>

const orderStates = ['active', 'filled', 'paused', 'ended'] as const
/** `filled`: the monthly limit is reached, and the order is active again next month. */
export type OrderState = (typeof orderStates)[number]

export const BuyOrder = Type.Object({
  id: Id,
  ...lookedFor,
  price: Price,
  perMonth: Type.Integer(),
  showName: Type.Boolean(),
  note: Type.String(),
  state: oneOf(orderStates),
  /** `self`: the dealer paused it. `unanswered`: too many unanswered matches in a row. `plan`: the dealer's plan does not allow offers. */
  pauseReason: Nullable(oneOf(['self', 'unanswered', 'plan'] as const)),
  expiresAt: Timestamp,
  nextMonthAt: Timestamp,
  /** The time zone of the dealer's quiet hours or, if there are none, of the dealer's location. */
  timeZone: Type.String(),
  bought: Type.Integer(),
  newMatches: Type.Integer(),
  onOffer: Type.Integer(),
  /** True if the order's price is far below the asking prices of matching vehicles. */
  isLow: Type.Boolean(),
  version: Type.Integer(),
})
export type BuyOrder = Static<typeof BuyOrder>

/** The caller's orders, newest first. Orders that ended in the last 90 days come last. */
export const BuyOrders = Type.Object({
  orders: Type.Array(BuyOrder),
  zip: Type.String(),
  totals: Type.Object({
    active: Type.Integer(),
    matchesToday: Type.Integer(),
    newMatches: Type.Integer(),
    offers: Type.Integer(),
    nextAnswerAt: Nullable(Timestamp),
    bought: Type.Integer(),
    perMonth: Type.Integer(),
  }),
})
export type BuyOrders = Static<typeof BuyOrders>

export const DealersOrders = Type.Object({ orders: Type.Array(BuyOrder) })
export type DealersOrders = Static<typeof DealersOrders>

/** Statistics on vehicles that match an order. A statistic is null if it would cover fewer than five vehicles. */
export const OrderPreview = Type.Object({
  onOffer: Type.Integer(),
  newIn7Days: Type.Integer(),
  /** In dollars: the lower quartile, median and upper quartile of the asking prices. */
  askedQuartiles: Nullable(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 })),
  sold90: Nullable(Type.Object({ count: Type.Integer(), median: Type.Number() })),
  placeKnown: Type.Boolean(),
})
export type OrderPreview = Static<typeof OrderPreview>

/** For `offered`, `lastOffer` says who made the offer and what became of it. */
export const matchStates = ['new', 'seen', 'offered', 'dismissed'] as const

export const OrderMatch = Type.Object({
  orderId: Id,
  at: Timestamp,
  state: oneOf(matchStates),
  /** Amount of a one-click offer: the asking price or the order's price, whichever is lower. */
  offer: Type.Number(),
  /** The last offer that either dealer made to the other for this vehicle. Null if there is none or it was withdrawn. */
  lastOffer: Nullable(Type.Pick(Offer, ['id', 'status', 'turn'])),
  vehicle: FoundVehicle,
})
export type OrderMatch = Static<typeof OrderMatch>

export const matchesPage = 25
/** Matches that wait for an answer or have an offer, newest first. Omits vehicles that are no longer for sale. */
export const OrderMatchesQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 300 })) })
export const OrderMatches = Type.Object({ items: Type.Array(OrderMatch), next: Nullable(Type.String()) })
export type OrderMatches = Static<typeof OrderMatches>

/** Vehicles whose matches the caller has seen. */
export const MatchesSeen = Type.Object({ vehicleIds: Type.Array(Id, { minItems: 1, maxItems: matchesSeenMax }) })

export const DemandRequest = Type.Object({
  vin: Type.String({ minLength: vinLength, maxLength: vinLength }),
  year: Year,
  make: Word(60),
  model: Word(80),
  trim: Type.String({ maxLength: 80 }),
  mileage: Type.Integer({ minimum: 0, maximum: mileageMax }),
  /** ZIP or postal code of the vehicle. If empty, `city` and `state` are used; if they are missing, the dealer's location. */
  zip: Zip,
  city: Type.Optional(Type.String({ maxLength: 80 })),
  state: Type.Optional(Type.String({ maxLength: 2 })),
})
export type DemandRequest = Static<typeof DemandRequest>

/** Terms of a matching buy order. Only the dealer who has the vehicle sees them. */
export const DemandOrder = Type.Object({
  /** Token for `POST /api/demand/offer`. It is valid for half an hour, and only for this vehicle. */
  ref: Type.String(),
  price: Price,
  miles: Nullable(Type.Integer()),
  perMonth: Type.Integer(),
  rating: Nullable(Type.Number()),
  /** Drivetrain that the order requires. It is checked when the vehicle is posted. */
  drive: AnyDrive,
  photosOnly: Type.Boolean(),
  note: Type.String(),
  name: Nullable(Type.String()),
})
export type DemandOrder = Static<typeof DemandOrder>

/** `order`: the caller has an order for such vehicles, too. `asked`: the caller asked about many vehicles without posting them. */
const withheldTerms = ['order', 'asked'] as const

/** `best`, `nearest` and `orders` are filled in only if `withheld` is null. */
export const Demand = Type.Object({
  dealers: Type.Integer(),
  perMonth: Type.Integer(),
  best: Nullable(Price),
  nearest: Nullable(Type.Integer()),
  orders: Type.Array(DemandOrder, { maxItems: demandOrdersMax }),
  withheld: Nullable(oneOf(withheldTerms)),
  /** True if there were too many different requests for this VIN. The response then repeats an earlier one. */
  isEarlier: Type.Boolean(),
})
export type Demand = Static<typeof Demand>

/** Offers the vehicle at the order's price to the buyer whose order `ref` identifies. The buyer has 24 hours to answer. */
export const DemandOffer = Type.Object({ ref: Type.String({ minLength: 1, maxLength: 400 }), vehicleId: Id })
export type DemandOffer = Static<typeof DemandOffer>

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

export const WantedVehicle = Type.Object({
  vehicleId: Id,
  postId: Id,
  title: Type.String(),
  year: Nullable(Type.Integer()),
  mileage: Nullable(Type.Integer()),
  price: Nullable(Type.Number()),
  dealers: Type.Integer(),
  /** The highest price of an order that matches the vehicle. */
  best: Price,
  ref: Type.String(),
  offered: Type.Boolean(),
})
export type WantedVehicle = Static<typeof WantedVehicle>

/**
 * Why some of the caller's vehicles are left out. `vin`: the VIN is invalid, of another make, or in another dealer's post. `limit`: too
 * many requests in this hour or day. `asked`: the caller asked about too many vehicles and never posted them.
 */
const withheldReasons = ['vin', 'limit', 'asked'] as const

/** Orders of at least three dealers for the same model and overlapping years. */
export const DemandGroup = Type.Object({
  make: Type.String(),
  model: Type.String(),
  /** Empty if one of these orders accepts any trim. */
  trims: Type.Array(Type.String()),
  yearFrom: Nullable(Type.Integer()),
  yearTo: Nullable(Type.Integer()),
  /** Lowest and highest mileage limit of these orders. */
  milesFrom: Type.Integer(),
  milesTo: Type.Integer(),
  /** Drivetrain that more than half of these orders require. Null if there is none. */
  mostlyDrive: AnyDrive,
  dealers: Type.Integer(),
  perMonth: Type.Integer(),
  nearest: Nullable(Type.Integer()),
  /** True if the caller has an order for the same model. Prices are then withheld. */
  isRival: Type.Boolean(),
  yours: Type.Array(WantedVehicle),
  /** Null if no matching vehicle of the caller was left out. */
  withheld: Nullable(oneOf(withheldReasons)),
})
export type DemandGroup = Static<typeof DemandGroup>

export const DemandList = Type.Object({
  items: Type.Array(DemandGroup),
  dealers: Type.Integer(),
  perMonth: Type.Integer(),
  makes: Type.Array(Type.String()),
  /** False if neither `near` nor the profile's postal code is known. Distances then have no effect. */
  placeKnown: Type.Boolean(),
  next: Nullable(Type.String()),
})
export type DemandList = Static<typeof DemandList>
