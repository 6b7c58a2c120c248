import Type, { type Static } from 'typebox'
import {
  emailDeliveries,
  inventoryViews,
  itemsPerPageChoices,
  notificationKinds,
  themeChoices,
  type NotificationKind,
} from '#shared/settings.ts'
import { Nullable, oneOf } from './dealers.ts'

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

/** GET /api/settings: every setting of the signed-in dealer, defaults included (spec A §2 "Settings"). */
export const Settings = Type.Object(
  {
    /** Off: no mail besides those about the account itself. */
    emailNotifications: On,
    pushNotifications: On,
    /** Mail and push about bids and deals. */
    dealAlerts: On,
    /** Mail and push about unread messages. */
    messageAlerts: On,
    /** The 30-second poll of the feed. */
    autoRefresh: On,
    /** Off: not in the directory, the recommendations or the search. */
    profileVisibility: On,
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
    quietHours: QuietHours,
    notifications: Type.Object(perKind, { additionalProperties: false }),
  },
  { additionalProperties: false },
)
export type Settings = Static<typeof Settings>

/** PATCH /api/settings: what is absent stays as it is; of `notifications` only the named kinds change. */
export const SettingsPatch = Type.Partial(
  Type.Object({
    ...Settings.properties,
    notifications: Type.Partial(Type.Object(perKind, { additionalProperties: false }), {
      additionalProperties: false,
    }),
  }),
  { additionalProperties: false, minProperties: 1 },
)
export type SettingsPatch = Static<typeof SettingsPatch>
