import { Id, Timestamp, oneOf, Nullable } from '#shared/values.ts'
import Type from 'typebox'
import type { Static } from 'typebox'
import { dealershipTypes } from '#shared/places.ts'
import { directoryMaxLimit } from '#shared/limits.ts'
import { ObjectStatus } from './uploads.ts'
import { dealerRoles } from '#shared/constants/dealers.ts'
import { buyFeeFlatMax, buyFeePercentMax } from '#shared/buy-fee.ts'
export type DealerRole = (typeof dealerRoles)[number]

const admissions = ['admitted', 'waiting', 'declined'] as const
export type Admission = (typeof admissions)[number]
export const Admission = oneOf(admissions)

export const Dealer = Type.Object({
  id: Id,
  name: Type.String(),
  avatar: Nullable(Type.String()),
  dealershipName: Type.String(),
  dealershipType: oneOf(dealershipTypes),
  /** The same as `dealershipType`. Both names are documented. */
  type: oneOf(dealershipTypes),
  city: Type.String(),
  state: Type.String(),
  licenseNumber: Nullable(Type.String()),
  /** True if an admin has verified the dealer license and it has not expired. */
  verified: Type.Boolean(),
  connectionCount: Type.Integer(),
  dealsCompleted: Type.Integer(),
  rating: Nullable(Type.Number()),
  buysCanadianVehicles: Type.Boolean(),
})
export type Dealer = Static<typeof Dealer>

/** Any change sends the license back to review. An empty `number` removes the license. */
export const License = Type.Object(
  {
    number: Type.String({ maxLength: 60 }),
    state: Type.String({ maxLength: 2 }),
    /** Last valid day, YYYY-MM-DD. */
    expiresOn: Type.String({ maxLength: 10 }),
    scan: Nullable(Type.String({ maxLength: 300 })),
  },
  { additionalProperties: false },
)
export type License = Static<typeof License>

const licenseStates = ['none', 'waiting', 'verified', 'rejected', 'expired'] as const

export const OwnLicense = Type.Object({ ...License.properties, status: oneOf(licenseStates), reason: Type.String() })
export type OwnLicense = Static<typeof OwnLicense>

export const CurrentUser = Type.Object({
  ...Dealer.properties,
  email: Type.String(),
  phone: Nullable(Type.String()),
  role: oneOf(dealerRoles),
  profileComplete: Type.Boolean(),
  admission: Admission,
  declinedReason: Type.String(),
  /** True if the role's permissions are withheld until the account has a second factor. */
  secondFactorDue: Type.Boolean(),
  settings: Type.Record(Type.String(), Type.Unknown()),
  /** Increases with every change of the dealer's own data. If the socket's `hello` has a higher number, changes were missed. */
  rev: Type.Integer(),
})
export type CurrentUser = Static<typeof CurrentUser>

export const ConnectionRequest = Type.Object({
  id: Id,
  createdAt: Timestamp,
  requester: Type.Object({
    id: Id,
    name: Type.String(),
    avatar: Nullable(Type.String()),
    dealershipName: Type.String(),
  }),
})
export type ConnectionRequest = Static<typeof ConnectionRequest>

export const Relation = Type.Object({
  connected: Type.Boolean(),
  /** `1st` if each dealer has connected with the other, otherwise null. */
  degree: Nullable(oneOf(['1st'])),
  mutualConnections: Type.Integer(),
})
export type Relation = Static<typeof Relation>

export const ConnectionChange = Type.Object({
  connected: Type.Boolean(),
  degree: Nullable(oneOf(['1st'])),
  connectionCount: Type.Integer(),
})
export type ConnectionChange = Static<typeof ConnectionChange>

export const OwnNetwork = Type.Object({ connected: Type.Array(Id), mutual: Type.Array(Id) })
export type OwnNetwork = Static<typeof OwnNetwork>

/** A dealer who is not connected yet. `why` explains the recommendation. */
export const RecommendedDealer = Type.Object({ dealer: Dealer, mutualConnections: Type.Integer(), why: Type.String() })
export type RecommendedDealer = Static<typeof RecommendedDealer>

/** The pages that list dealers: /dealers (`all`), /my-dealers (`mine`) and /discover (`discover`: dealers not connected yet). */
const directoryViews = ['all', 'mine', 'discover'] as const
export type DirectoryView = (typeof directoryViews)[number]

/**
 * `cursor` comes from the Link header. `name` matches parts of names, dealerships and cities. Without three letters or digits in a
 * row, it matches only the beginnings of words. In a search, an `X-Total-Count` of 1001 means more than 1,000.
 */
export const DirectoryQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 120 })),
  state: Type.Optional(Type.String({ maxLength: 3 })),
  dealershipType: Type.Optional(oneOf([...dealershipTypes, 'all', ''])),
  buysCanadian: Type.Optional(oneOf(['yes', 'no', 'true', 'false', 'all', ''])),
  view: oneOf(directoryViews, { default: 'all' }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: directoryMaxLimit })),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
})
export type DirectoryQuery = Static<typeof DirectoryQuery>

export const DirectoryDealer = Type.Object({
  ...Dealer.properties,
  ...Relation.properties,
  /** Whether the dealer has sold or bought vehicles located in Canada. */
  previousCanadian: Nullable(oneOf(['seller', 'buyer', 'both'])),
})
export type DirectoryDealer = Static<typeof DirectoryDealer>

export const VehicleActivity = Type.Object({
  activeListings: Type.Integer(),
  soldThisMonth: Type.Integer(),
  pending: Type.Integer(),
  watching: Type.Integer(),
  bought: Type.Integer(),
  fromCanada: Type.Integer(),
  averageDaysToClose: Nullable(Type.Number()),
})
export type VehicleActivity = Static<typeof VehicleActivity>

const achievementKeys = ['verified', 'rated', 'closer', 'network'] as const

export const Achievement = Type.Object({
  key: oneOf(achievementKeys),
  title: Type.String(),
  detail: Type.String(),
  earned: Type.Boolean(),
})
export type Achievement = Static<typeof Achievement>

/** GET /api/dealers/{id}. Returns 404 if the caller may not see the dealer. */
export const DealerProfile = Type.Object({
  ...Dealer.properties,
  ...Relation.properties,
  description: Type.String(),
  website: Nullable(Type.String()),
  memberSince: Timestamp,
  ratingCount: Type.Integer(),
  /** Null unless the dealer shares contact data or is the caller. */
  contact: Nullable(Type.Object({ email: Type.String(), phone: Nullable(Type.String()) })),
  /** Only for mutual connections, admins and the dealer. Null for everyone else. */
  tradeNumbers: Nullable(
    Type.Object({ auctionAccessNumber: Nullable(Type.String()), dealership5MilNumber: Nullable(Type.String()) }),
  ),
  /** Some of the dealers who are connected with both the caller and this dealer. */
  mutual: Type.Array(
    Type.Object({ id: Id, name: Type.String(), avatar: Nullable(Type.String()), dealershipName: Type.String() }),
  ),
  requestId: Nullable(Id),
  stats: Type.Object({
    deals: Type.Integer(),
    volume: Type.Number(),
    averageDaysToClose: Nullable(Type.Number()),
  }),
  achievements: Type.Array(Achievement),
})
export type DealerProfile = Static<typeof DealerProfile>

const text = (maxLength: number, minLength = 0) => Type.String({ maxLength, minLength })

export const ProfileForm = Type.Object(
  {
    name: text(120, 1),
    dealershipName: text(160, 1),
    phone: text(40),
    address: text(200),
    city: text(120),
    state: text(60),
    zip: text(12),
    dealershipType: oneOf(dealershipTypes),
    description: text(2_000),
    website: text(300),
    buysCanadianVehicles: Type.Boolean(),
    auctionAccessNumber: text(40),
    dealership5MilNumber: text(40),
  },
  { additionalProperties: false },
)
export type ProfileForm = Static<typeof ProfileForm>

export const OwnProfile = Type.Object({
  ...ProfileForm.properties,
  license: OwnLicense,
  email: Type.String(),
  pendingEmail: Nullable(Type.String()),
  avatar: Nullable(Type.String()),
  /** The last uploaded picture, if it is still being processed or has failed. Until it is ready, `avatar` is the previous picture. */
  pendingAvatar: Nullable(ObjectStatus),
})
export type OwnProfile = Static<typeof OwnProfile>

export const ProfilePatch = Type.Partial(Type.Object({ ...ProfileForm.properties, license: License }), {
  additionalProperties: false,
  minProperties: 1,
})
export type ProfilePatch = Static<typeof ProfilePatch>

/** Fee that a buyer pays on top of the price. The app stores the fee with the deal; the network collects the money outside of the app. */
export const BuyFee = Type.Object({
  flat: Type.Number({ minimum: 0, maximum: buyFeeFlatMax, description: 'US dollars' }),
  percent: Type.Number({
    minimum: 0,
    maximum: buyFeePercentMax,
    description: 'of the price, with at most two decimals',
  }),
})
export type BuyFee = Static<typeof BuyFee>
