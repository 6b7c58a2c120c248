import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { notificationsQuery } from './notifications.api.ts'

/** The event has only an id, so the list is fetched again where it is used. */
export const notificationsInbox = {
  notification: (cache) => void cache.invalidateQueries({ queryKey: notificationsQuery().queryKey }),
} satisfies InboxHandlers
