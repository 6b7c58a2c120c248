import Type from 'typebox'
import type { Static } from 'typebox'
import { OwnSecondFactor, passwordMin, Proof, SecondFactorAnswer } from './auth.ts'
import { bidMaxDollars } from '#shared/limits.ts'
import { Email, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import {
  emailDeliveries,
  inventoryViews,
  itemsPerPageChoices,
  lanePanes,
  type NotificationKind,
  notificationKinds,
  themeChoices,
} from '#shared/settings.ts'
import { visiblePattern } from '#shared/visible-text.ts'

/** What a key may do: `read` reads, `full` may call all that is open to keys. */
const apiKeyScopes = ['read', 'full'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Most keys one dealer can hold, and calls one key may make in a minute. */
export const apiKeysPerDealer = 10
export const apiCallsPerMinute = 120

/** POST /api/api-keys. Requires proof. */
export const NewApiKey = Type.Object({
  proof: Type.Optional(Proof),
  name: Type.String({ minLength: 1, maxLength: 60, pattern: visiblePattern }),
  scope: Type.Enum(apiKeyScopes),
})
export type NewApiKey = Static<typeof NewApiKey>

/** A key as listed in the settings: `prefix` is the part that may be shown again. */
export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scope: Type.Enum(apiKeyScopes),
  prefix: Type.String(),
  createdAt: Type.String(),
  lastUsedAt: Type.Union([Type.String(), Type.Null()]),
})
export type ApiKey = Static<typeof ApiKey>

/** The answer to making a key: the only time `secret` is sent. */
export const CreatedApiKey = Type.Object({ key: ApiKey, secret: Type.String() })
export type CreatedApiKey = Static<typeof CreatedApiKey>

const Password = Type.String({ minLength: passwordMin, maxLength: 1_000 })
/** One that was cut short in the mail is answered like one that has expired. */
const Token = Type.String({ maxLength: 200 })

/** POST /api/auth/password/forgot. The answer never tells whether the account exists. */
export const ForgotPassword = Type.Object({ email: Email })
export type ForgotPassword = Static<typeof ForgotPassword>

/** POST /api/auth/password/reset: the token from the mailed link works once, for an hour. */
export const ResetPassword = Type.Object({ token: Token, password: Password })
export type ResetPassword = Static<typeof ResetPassword>

/**
 * POST /api/auth/password/change: ends every other session, mailed link and waiting email. An account without a password sends
 * another proof in place of `currentPassword`.
 */
export const ChangePassword = Type.Object({
  currentPassword: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  newPassword: Password,
  ...SecondFactorAnswer.properties,
})
export type ChangePassword = Static<typeof ChangePassword>

/**
 * POST /api/profile/email: a link goes to the new address; until it is opened the old one stays, and with it all that is
 * signed in or under way. Requires proof.
 */
export const EmailChange = Type.Object({ email: Email, ...Proof.properties })
export type EmailChange = Static<typeof EmailChange>

/** DELETE /api/account: the account's e-mail typed again, and a proof. */
export const AccountDeletion = Type.Object({ email: Email, ...Proof.properties })
export type AccountDeletion = Static<typeof AccountDeletion>

/** POST /api/auth/email/verify, POST /api/profile/email/confirm, and POST /api/auth/proof/confirm */
export const VerifyEmail = Type.Object({ token: Token })
export type VerifyEmail = Static<typeof VerifyEmail>

/**
 * Answer of a reset and of a confirmed new email, which end sessions and mailed links: the programs that can still act
 * for the account, and what ends these, too (POST /api/auth/keys/revoke, once, for a quarter of an hour). Null without any.
 */
export const AccessChanged = Type.Object({ apiKeys: Type.Array(ApiKey), revokeToken: Nullable(Type.String()) })
export type AccessChanged = Static<typeof AccessChanged>

/** POST /api/auth/keys/revoke */
export const RevokeKeys = Type.Object({ token: Token })
export type RevokeKeys = Static<typeof RevokeKeys>

/** POST /api/auth/google/link: the password of the account that has the same e-mail. */
export const LinkGoogle = Type.Object({ password: Type.String({ minLength: 1, maxLength: 1_000 }) })
export type LinkGoogle = Static<typeof LinkGoogle>

export const SessionInfo = Type.Object({
  id: Type.String(),
  current: Type.Boolean(),
  /** The browser as it names itself; empty when it did not. */
  userAgent: Type.String(),
  address: Type.String(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
})
export type SessionInfo = Static<typeof SessionInfo>

/** GET /api/auth/security */
export const AccountSecurity = Type.Object({
  email: Type.String(),
  emailVerified: Type.Boolean(),
  hasPassword: Type.Boolean(),
  googleLinked: Type.Boolean(),
  /**
   * True if this session was opened, or a mailed link was opened in it, in the last 15 minutes. That is proof enough for an account
   * without a password and without a second factor.
   */
  proven: Type.Boolean(),
  secondFactor: OwnSecondFactor,
  sessions: Type.Array(SessionInfo),
})
export type AccountSecurity = Static<typeof AccountSecurity>

/** GET /api/demo/mail */
export const DemoMail = Type.Object({
  id: Type.String(),
  sentAt: Timestamp,
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
})
export type DemoMail = Static<typeof DemoMail>

const dataExportStates = ['preparing', 'ready', 'failed'] as const
export type DataExportState = (typeof dataExportStates)[number]

/** How long a finished file can be fetched, and how many a dealer may ask for in a day. */
export const dataExportDays = 7
export const dataExportsPerDay = 3

/** A copy of everything of the dealer's own, made in the background: GET /api/account/export/{id} is the file once it is ready. */
export const DataExport = Type.Object({
  id: Type.String(),
  state: Type.Enum(dataExportStates),
  requestedAt: Timestamp,
  /** Both null until it is ready. */
  sizeBytes: Nullable(Type.Integer()),
  expiresAt: Nullable(Timestamp),
  /** Why there is none. */
  error: Nullable(Type.String()),
})
export type DataExport = Static<typeof DataExport>

/** GET /api/account/export: null where none was asked for, or the last one is over. */
export const LastDataExport = Type.Object({ export: Nullable(DataExport) })
export type LastDataExport = Static<typeof LastDataExport>

const On = Type.Boolean()

/** Where one kind of notification goes. */
export const Channels = Type.Object({ inApp: On, email: On, push: On }, { additionalProperties: false })
export type Channels = Static<typeof Channels>

const perKind = Object.fromEntries(notificationKinds.map((kind) => [kind, Channels])) as Record<
  NotificationKind,
  typeof Channels
>

/** Minutes are local to `timeZone` (an IANA name). From late to early spans midnight. */
export const QuietHours = Type.Object(
  {
    on: On,
    from: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
    to: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
    timeZone: Type.String({ minLength: 1, maxLength: 60 }),
  },
  { additionalProperties: false },
)
export type QuietHours = Static<typeof QuietHours>

/** How the dealer has the Lane. */
const LaneSettings = Type.Object(
  {
    /** Places; null: four below 1440 px, six from there. */
    panes: Nullable(Type.Unsafe<(typeof lanePanes)[number]>(Type.Integer({ enum: [...lanePanes, null] }))),
    /** On: a bid that was taken gives its auction a place. Off: it stands in the strip alone. */
    autoPin: On,
    /** On: what comes next takes the place of an auction that has ended. */
    refill: On,
    sound: On,
    /** Off: the Lane's keys do nothing. */
    keys: On,
    /** The most the dealer wants to spend and bind in a day, in US dollars; null: no limit. The day is that of `quietHours.timeZone`. */
    dayLimit: Nullable(Type.Number({ exclusiveMinimum: 0, maximum: bidMaxDollars, description: 'US dollars' })),
  },
  { additionalProperties: false },
)
export type LaneSettings = Static<typeof LaneSettings>

/** GET /api/settings: every setting of the signed-in dealer, defaults included. */
export const Settings = Type.Object(
  {
    /** Off: no mail besides those about the account itself. */
    emailNotifications: On,
    pushNotifications: On,
    /** Mail and push about bids and deals. */
    dealAlerts: On,
    /** Mail and push about unread messages. */
    messageAlerts: On,
    /** On: the feed asks every 30 seconds, and shows by itself what is new. */
    autoRefresh: On,
    /** Off: not in the directory, the recommendations or the search. */
    profileVisibility: On,
    /** On: the public page and the sign-in screen may name year, make, model and state of one's vehicles. */
    showOnPublicPage: On,
    /** Off: nobody sees whether one is online, and one sees it of nobody. */
    onlineStatus: On,
    /** On: other dealers receive phone and e-mail with the profile. */
    contactSharing: On,
    readReceipts: On,
    typingIndicators: On,
    /** On: a bid button bids. Off: it asks first. */
    oneTapBids: On,
    inventoryView: oneOf(inventoryViews),
    /** Posts revealed at a time; null is the standard of the feed. */
    itemsPerPage: Nullable(
      Type.Unsafe<(typeof itemsPerPageChoices)[number]>(Type.Integer({ enum: [...itemsPerPageChoices, null] })),
    ),
    theme: oneOf(themeChoices),
    emailDelivery: oneOf(emailDeliveries),
    lane: LaneSettings,
    quietHours: QuietHours,
    notifications: Type.Object(perKind, { additionalProperties: false }),
  },
  { additionalProperties: false },
)
export type Settings = Static<typeof Settings>

/** PATCH /api/settings: what is absent stays as it is; of `notifications` only the named kinds change, of `lane` only what is named. */
export const SettingsPatch = Type.Partial(
  Type.Object({
    ...Settings.properties,
    lane: Type.Partial(LaneSettings, { additionalProperties: false, minProperties: 1 }),
    notifications: Type.Partial(Type.Object(perKind, { additionalProperties: false }), {
      additionalProperties: false,
    }),
  }),
  { additionalProperties: false, minProperties: 1 },
)
export type SettingsPatch = Static<typeof SettingsPatch>
