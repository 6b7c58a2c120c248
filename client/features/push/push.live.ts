import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { pushQuery } from './push.api.ts'

/** Refetches the devices where they are shown, because the event contains only an id. */
export const pushInbox = {
  push: (cache) => void cache.invalidateQueries({ queryKey: pushQuery().queryKey }),
} satisfies InboxHandlers
