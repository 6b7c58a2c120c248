import { Id, Timestamp, oneOf, Nullable } from '#shared/values.ts'
import Type from 'typebox'
import type { Static } from 'typebox'
import { dealershipTypes } from '#shared/places.ts'
import { directoryMaxLimit } from '#shared/limits.ts'
import { ObjectStatus } from './uploads.ts'

export const dealerRoles = ['dealer', 'ops', 'admin'] as const
export type DealerRole = (typeof dealerRoles)[number]

/** Whether an account may use the network: it can wait for an admin, who lets it in or declines it. */
const admissions = ['admitted', 'waiting', 'declined'] as const
export type Admission = (typeof admissions)[number]
export const Admission = oneOf(admissions)

/** A dealer as others see them. */
export const Dealer = Type.Object({
  id: Id,
  name: Type.String(),
  avatar: Nullable(Type.String()),
  dealershipName: Type.String(),
  dealershipType: oneOf(dealershipTypes),
  /** The same as dealershipType: callers read either name. */
  type: oneOf(dealershipTypes),
  city: Type.String(),
  state: Type.String(),
  licenseNumber: Nullable(Type.String()),
  /** Lanewire has checked the dealer license, and it has not expired since. */
  verified: Type.Boolean(),
  connectionCount: Type.Integer(),
  dealsCompleted: Type.Integer(),
  /** Mean of received reviews out of 5; null before the first. */
  rating: Nullable(Type.Number()),
  buysCanadianVehicles: Type.Boolean(),
})
export type Dealer = Static<typeof Dealer>

/**
 * The dealer license as it is sent in: with an onboarding or a profile. What differs from before waits for an admin again; an empty
 * number takes it away.
 */
export const License = Type.Object(
  {
    number: Type.String({ maxLength: 60 }),
    /** US state or Canadian province that issued it. */
    state: Type.String({ maxLength: 2 }),
    /** The last day on which it counts; year, month and day. */
    expiresOn: Type.String({ maxLength: 10 }),
    /** An uploaded picture or PDF of it; for the dealer and admins alone. */
    scan: Nullable(Type.String({ maxLength: 300 })),
  },
  { additionalProperties: false },
)
export type License = Static<typeof License>

const licenseStates = ['none', 'waiting', 'verified', 'rejected', 'expired'] as const

/** One's own, with what has become of it. `reason`: why it was rejected. */
export const OwnLicense = Type.Object({ ...License.properties, status: oneOf(licenseStates), reason: Type.String() })
export type OwnLicense = Static<typeof OwnLicense>

/** The fields of a profile that say who holds the license: a change of one sends a verified license back for review. */
export const licenseeFields = ['name', 'dealershipName', 'state'] as const

/** The signed-in dealer. */
export const CurrentUser = Type.Object({
  ...Dealer.properties,
  email: Type.String(),
  phone: Nullable(Type.String()),
  role: oneOf(dealerRoles),
  /** Step 1 of onboarding is done. */
  profileComplete: Type.Boolean(),
  admission: Admission,
  /** Why it was declined; empty where it was not. */
  declinedReason: Type.String(),
  /** What its role gives is withheld until the account has a second factor. */
  secondFactorDue: Type.Boolean(),
  /** Every setting, defaults included; its shape is `Settings` of settings.ts. */
  settings: Type.Record(Type.String(), Type.Unknown()),
  /** Rises with every change of what is the dealer's own: the `hello` of a socket tells whether one was missed. */
  rev: Type.Integer(),
})
export type CurrentUser = Static<typeof CurrentUser>

/** GET /api/connections/requests/{userId}: those that wait for the dealer's answer. */
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

/** How another dealer stands to the caller. */
export const Relation = Type.Object({
  /** In the caller's own network. */
  connected: Type.Boolean(),
  /** `1st` where both have each other. */
  degree: Nullable(oneOf(['1st'])),
  /** Dealers that are in both networks. */
  mutualConnections: Type.Integer(),
})
export type Relation = Static<typeof Relation>

/** POST and DELETE /api/dealers/{id}/connect: how it is now. */
export const ConnectionChange = Type.Object({
  connected: Type.Boolean(),
  degree: Nullable(oneOf(['1st'])),
  /** Of the caller. */
  connectionCount: Type.Integer(),
})
export type ConnectionChange = Static<typeof ConnectionChange>

/** GET /api/connections: ids of the caller's own network, and those of them that have the caller in theirs. */
export const OwnNetwork = Type.Object({ connected: Type.Array(Id), mutual: Type.Array(Id) })
export type OwnNetwork = Static<typeof OwnNetwork>

/** GET /api/dealers/recommended: dealers not in the network yet, the best first, with the reason in words. */
export const RecommendedDealer = Type.Object({ dealer: Dealer, mutualConnections: Type.Integer(), why: Type.String() })
export type RecommendedDealer = Static<typeof RecommendedDealer>

/** all: /dealers. mine: /my-dealers. discover: /discover, those not connected yet. */
const directoryViews = ['all', 'mine', 'discover'] as const
export type DirectoryView = (typeof directoryViews)[number]

/**
 * GET /api/dealers. A filter that is empty or `all` is no filter. Without `limit` the server sends as many as
 * it sends at most; `cursor` comes from the Link header. A name finds parts of names, dealerships and cities; with fewer than
 * three letters or digits in a row it finds the beginnings of their words. `X-Total-Count` is exact, but of a search counted
 * up to 1,000: 1001 stands for more.
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

/** A row of the directory: the dealer, and how they stand to the caller. */
export const DirectoryDealer = Type.Object({
  ...Dealer.properties,
  ...Relation.properties,
  /** Has sold or bought a vehicle that stood in Canada; only for badges. */
  previousCanadian: Nullable(oneOf(['seller', 'buyer', 'both'])),
})
export type DirectoryDealer = Static<typeof DirectoryDealer>

/** GET /api/dealers/activity: "My Vehicle Activity" of the caller. */
export const VehicleActivity = Type.Object({
  activeListings: Type.Integer(),
  soldThisMonth: Type.Integer(),
  pending: Type.Integer(),
  watching: Type.Integer(),
  bought: Type.Integer(),
  fromCanada: Type.Integer(),
  /** Null before the first completed deal. */
  averageDaysToClose: Nullable(Type.Number()),
})
export type VehicleActivity = Static<typeof VehicleActivity>

const achievementKeys = ['verified', 'rated', 'closer', 'network'] as const

/** One of the four cards of a profile: earned by a rule, or how far it is. */
export const Achievement = Type.Object({
  key: oneOf(achievementKeys),
  title: Type.String(),
  detail: Type.String(),
  earned: Type.Boolean(),
})
export type Achievement = Static<typeof Achievement>

/** GET /api/dealers/{id}: one's own or another's. 404 for those one may not see. */
export const DealerProfile = Type.Object({
  ...Dealer.properties,
  ...Relation.properties,
  description: Type.String(),
  website: Nullable(Type.String()),
  memberSince: Timestamp,
  ratingCount: Type.Integer(),
  /** Null unless the owner shares it, or is the caller. */
  contact: Nullable(Type.Object({ email: Type.String(), phone: Nullable(Type.String()) })),
  /** For the dealer's connections (both ways), admins and the dealer alone: null for everybody else. */
  tradeNumbers: Nullable(
    Type.Object({ auctionAccessNumber: Nullable(Type.String()), dealership5MilNumber: Nullable(Type.String()) }),
  ),
  /** Some of the dealers in both networks. */
  mutual: Type.Array(
    Type.Object({ id: Id, name: Type.String(), avatar: Nullable(Type.String()), dealershipName: Type.String() }),
  ),
  /** The dealer's request that waits for the caller's answer. */
  requestId: Nullable(Id),
  stats: Type.Object({
    /** Completed deals, on either side. */
    deals: Type.Integer(),
    /** Their sum in dollars. */
    volume: Type.Number(),
    averageDaysToClose: Nullable(Type.Number()),
  }),
  achievements: Type.Array(Achievement),
})
export type DealerProfile = Static<typeof DealerProfile>

const text = (maxLength: number, minLength = 0) => Type.String({ maxLength, minLength })

/** What is edited on /profile-edit, besides e-mail and avatar, which have their own calls. */
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

/** GET /api/profile: the caller's own, as the form shows it. */
export const OwnProfile = Type.Object({
  ...ProfileForm.properties,
  license: OwnLicense,
  email: Type.String(),
  /** Waits for the link in the mail to be opened. */
  pendingEmail: Nullable(Type.String()),
  avatar: Nullable(Type.String()),
  /** The last picture sent, while it is being prepared or when it cannot be used; `avatar` is the one before. */
  pendingAvatar: Nullable(ObjectStatus),
})
export type OwnProfile = Static<typeof OwnProfile>

export const ProfilePatch = Type.Partial(Type.Object({ ...ProfileForm.properties, license: License }), {
  additionalProperties: false,
  minProperties: 1,
})
export type ProfilePatch = Static<typeof ProfilePatch>
