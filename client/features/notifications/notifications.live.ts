import type { InboxHandlers } from '#client/lib/live.ts'
import { notificationsQuery } from './notifications.api.ts'

/** The event carries an id only: the list is asked again, by whoever shows it or its unread number. */
export const notificationsInbox = {
  notification: (cache) => void cache.invalidateQueries({ queryKey: notificationsQuery().queryKey }),
} satisfies InboxHandlers
