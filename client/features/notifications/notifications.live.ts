import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { notificationsQuery } from './notifications.api.ts'

export const notificationsInbox = {
  notification: (cache) => void cache.invalidateQueries({ queryKey: notificationsQuery().queryKey }),
} satisfies InboxHandlers
