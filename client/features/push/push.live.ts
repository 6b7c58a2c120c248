import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { pushQuery } from './push.api.ts'

/** The event has only an id, so the devices are fetched again where they are used. */
export const pushInbox = {
  push: (cache) => void cache.invalidateQueries({ queryKey: pushQuery().queryKey }),
} satisfies InboxHandlers
