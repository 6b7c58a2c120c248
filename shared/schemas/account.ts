import Type from 'typebox'
import type { Static } from 'typebox'
import { passwordMin } from '#shared/constants/auth.ts'
import { OwnSecondFactor, WithProof } from './auth.ts'
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

const apiKeyScopes = ['read', 'full'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

export const apiKeysPerDealer = 10
export const apiCallsPerMinute = 120

export const NewApiKey = Type.Object({
  ...WithProof.properties,
  name: Type.String({ minLength: 1, maxLength: 60, pattern: visiblePattern }),
  scope: Type.Enum(apiKeyScopes),
})
export type NewApiKey = Static<typeof NewApiKey>

/** Contains only the key's `prefix`, because the full key is shown only once, when it is created. */
export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scope: Type.Enum(apiKeyScopes),
  prefix: Type.String(),
  createdAt: Type.String(),
  lastUsedAt: Type.Union([Type.String(), Type.Null()]),
})
export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = Type.Object({ key: ApiKey, secret: Type.String() })
export type CreatedApiKey = Static<typeof CreatedApiKey>

const Password = Type.String({ minLength: passwordMin, maxLength: 1_000 })
/** Has no minimum length, so that a truncated link gets the same response as an expired one. */
const Token = Type.String({ maxLength: 200 })

/** POST /api/auth/password/forgot. The response is the same whether or not the account exists. */
export const ForgotPassword = Type.Object({ email: Email })
export type ForgotPassword = Static<typeof ForgotPassword>

/** POST /api/auth/password/reset. The emailed token is valid for an hour and can be used once. */
export const ResetPassword = Type.Object({ token: Token, password: Password })
export type ResetPassword = Static<typeof ResetPassword>

/** Changing the password ends all other sessions and invalidates emailed links. Accounts without a password send `proof` instead. */
export const ChangePassword = Type.Object({
  currentPassword: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  newPassword: Password,
  ...WithProof.properties,
})
export type ChangePassword = Static<typeof ChangePassword>

/** POST /api/profile/email. Until the link sent to the new address is opened, the old address and all sessions stay valid. */
export const EmailChange = Type.Object({ email: Email, ...WithProof.properties })
export type EmailChange = Static<typeof EmailChange>

/** DELETE /api/account. `email` must be the account's own address, typed as a confirmation. */
export const AccountDeletion = Type.Object({ email: Email, ...WithProof.properties })
export type AccountDeletion = Static<typeof AccountDeletion>

export const VerifyEmail = Type.Object({ token: Token })
export type VerifyEmail = Static<typeof VerifyEmail>

/** API keys survive a password reset or email change. `revokeToken` can revoke the keys in `apiKeys` once, within 15 minutes. */
export const AccessChanged = Type.Object({ apiKeys: Type.Array(ApiKey), revokeToken: Nullable(Type.String()) })
export type AccessChanged = Static<typeof AccessChanged>

export const RevokeKeys = Type.Object({ token: Token })
export type RevokeKeys = Static<typeof RevokeKeys>

/** `password` is the password of the existing account that has the Google account's email address. */
export const LinkGoogle = Type.Object({ password: Type.String({ minLength: 1, maxLength: 1_000 }) })
export type LinkGoogle = Static<typeof LinkGoogle>

export const SessionInfo = Type.Object({
  id: Type.String(),
  current: Type.Boolean(),
  userAgent: Type.String(),
  address: Type.String(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
})
export type SessionInfo = Static<typeof SessionInfo>

export const AccountSecurity = Type.Object({
  email: Type.String(),
  emailVerified: Type.Boolean(),
  hasPassword: Type.Boolean(),
  googleLinked: Type.Boolean(),
  /** True for 15 minutes after a sign-in or an opened email link. Accounts without a password and a second factor need this. */
  proven: Type.Boolean(),
  secondFactor: OwnSecondFactor,
  sessions: Type.Array(SessionInfo),
})
export type AccountSecurity = Static<typeof AccountSecurity>

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

export const DataExport = Type.Object({
  id: Type.String(),
  state: Type.Enum(dataExportStates),
  requestedAt: Timestamp,
  sizeBytes: Nullable(Type.Integer()),
  expiresAt: Nullable(Timestamp),
  error: Nullable(Type.String()),
})
export type DataExport = Static<typeof DataExport>

export const LastDataExport = Type.Object({ export: Nullable(DataExport) })
export type LastDataExport = Static<typeof LastDataExport>

const On = Type.Boolean()

export const Channels = Type.Object({ inApp: On, email: On, push: On }, { additionalProperties: false })
export type Channels = Static<typeof Channels>

const perKind = Object.fromEntries(notificationKinds.map((kind) => [kind, Channels])) as Record<
  NotificationKind,
  typeof Channels
>

/** `from` and `to` are local times in `timeZone` (an IANA name). If `from` is later than `to`, the quiet hours span midnight. */
export const QuietHours = Type.Object(
  {
    on: On,
    from: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
    to: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
    timeZone: Type.String({ minLength: 1, maxLength: 60 }),
    /** If true, pushes about outbid and won auctions are sent even in quiet hours. */
    urgent: Type.Optional(On),
  },
  { additionalProperties: false },
)
export type QuietHours = Static<typeof QuietHours>

const LaneSettings = Type.Object(
  {
    /** Null means four panes on screens below 1440 px, and six on larger screens. */
    panes: Nullable(Type.Unsafe<(typeof lanePanes)[number]>(Type.Integer({ enum: [...lanePanes, null] }))),
    autoPin: On,
    refill: On,
    sound: On,
    keys: On,
    /** Daily limit on the total of spent and committed dollars; null means no limit. Days begin at midnight in `quietHours.timeZone`. */
    dayLimit: Nullable(Type.Number({ exclusiveMinimum: 0, maximum: bidMaxDollars, description: 'US dollars' })),
  },
  { additionalProperties: false },
)
export type LaneSettings = Static<typeof LaneSettings>

export const Settings = Type.Object(
  {
    /** If off, only emails about the account itself are sent. */
    emailNotifications: On,
    pushNotifications: On,
    dealAlerts: On,
    messageAlerts: On,
    /** If on, the client polls the feed every 30 seconds and shows new posts automatically. */
    autoRefresh: On,
    /** If off, the dealer is hidden from the directory, recommendations and search. */
    profileVisibility: On,
    /** If on, the public page and sign-in screen may show the year, make, model and state of the dealer's vehicles. */
    showOnPublicPage: On,
    /** If off, other dealers do not see whether this dealer is online, and this dealer does not see whether others are. */
    onlineStatus: On,
    contactSharing: On,
    readReceipts: On,
    typingIndicators: On,
    /** If on, pressing a bid button places the bid at once, unless the amount is far above the next bid. */
    oneTapBids: On,
    inventoryView: oneOf(inventoryViews),
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

/** PATCH /api/settings. Omitted fields stay unchanged, including omitted keys of `notifications` and `lane`. */
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
