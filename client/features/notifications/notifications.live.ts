import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { notificationsQuery } from './notifications.api.ts'

/** Refetches the list where it is shown, because the event contains only an id. */
export const notificationsInbox = {
  notification: (cache) => void cache.invalidateQueries({ queryKey: notificationsQuery().queryKey }),
} satisfies InboxHandlers
