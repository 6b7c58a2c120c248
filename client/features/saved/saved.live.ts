import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { savedSearchesQuery, watchedIdsQuery, watchlistQuery } from './saved.api.ts'

/** Changes from the dealer's other tabs. */
export const savedInbox = {
  saved: (cache) => {
    for (const { queryKey } of [savedSearchesQuery(), watchedIdsQuery(), watchlistQuery()])
      void cache.invalidateQueries({ queryKey })
  },
} satisfies InboxHandlers
