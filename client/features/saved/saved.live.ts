import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { savedSearchesQuery, watchedIdsQuery, watchlistQuery } from './saved.api.ts'

/** Refetches the lists after the dealer changed them in another tab or on another device. */
export const savedInbox = {
  saved: (cache) => {
    for (const { queryKey } of [savedSearchesQuery(), watchedIdsQuery(), watchlistQuery()])
      void cache.invalidateQueries({ queryKey })
  },
} satisfies InboxHandlers
