import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { pushQuery } from './push.api.ts'

/** The event contains only an id, so refetch the devices. */
export const pushInbox = {
  push: (cache) => void cache.invalidateQueries({ queryKey: pushQuery().queryKey }),
} satisfies InboxHandlers
