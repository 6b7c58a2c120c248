/** `messages` is a digest of unread messages. `queues` is for staff; admins also get it if a backup fails. */
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
export const lanePanes = [2, 4, 6] as const
/** `daily` means one email at 8 a.m. in the dealer's time zone. */
export const emailDeliveries = ['immediate', 'daily'] as const
