import Type, { type Static } from 'typebox'
import { dealershipTypes } from '#shared/places.ts'
import { Relation } from './connections.ts'
import { Dealer, Email, Id, Nullable, oneOf, Timestamp } from './dealers.ts'
import { ObjectStatus } from './objects.ts'

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

/** What is edited on /profile-edit (spec A §3 "Profile form"), besides e-mail and avatar, which have their own calls. */
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
  },
  { additionalProperties: false },
)
export type ProfileForm = Static<typeof ProfileForm>

/** GET /api/profile: the caller's own, as the form shows it. */
export const OwnProfile = Type.Object({
  ...ProfileForm.properties,
  email: Type.String(),
  /** Waits for the link in the mail to be opened. */
  pendingEmail: Nullable(Type.String()),
  avatar: Nullable(Type.String()),
  /** The last picture sent, while it is being prepared or when it cannot be used; `avatar` is the one before. */
  pendingAvatar: Nullable(ObjectStatus),
})
export type OwnProfile = Static<typeof OwnProfile>

export const ProfilePatch = Type.Partial(ProfileForm, { additionalProperties: false, minProperties: 1 })
export type ProfilePatch = Static<typeof ProfilePatch>

/**
 * POST /api/profile/email: a link goes to the new address; until it is opened the old one stays, and with it all that is
 * signed in or under way.
 */
export const EmailChange = Type.Object({
  email: Email,
  /** Needed where the account has a password. */
  password: Type.Optional(Type.String({ maxLength: 1_000 })),
})
export type EmailChange = Static<typeof EmailChange>

/** DELETE /api/account: the account's e-mail typed again, and the password where there is one. */
export const AccountDeletion = Type.Object({
  email: Email,
  password: Type.Optional(Type.String({ maxLength: 1_000 })),
})
export type AccountDeletion = Static<typeof AccountDeletion>
