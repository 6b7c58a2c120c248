/** What a dealer can be told of; of `queues`, staff, and admins of backups that fail by it. `messages` is a digest of unread messages; each message itself goes through the dock. */
export const notificationKinds = [
  'comment',
  'info',
  'request',
  'accepted',
  'messages',
  'outbid',
  'won',
  'deal',
  'savedSearch',
  'match',
  'expired',
  'unreadable',
  'subscription',
  'moderation',
  'account',
  'queues',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

export const notificationChannels = ['inApp', 'email', 'push'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

export const inventoryViews = ['grid', 'list', 'compact'] as const
export const itemsPerPageChoices = [10, 20, 50, 100] as const
export const themeChoices = ['system', 'light', 'dark'] as const
/** Auctions side by side on the Lane. */
export const lanePanes = [2, 4, 6] as const
/** `daily`: one mail at eight in the morning of the dealer's time zone. */
export const emailDeliveries = ['immediate', 'daily'] as const
