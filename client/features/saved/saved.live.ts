import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { savedSearchesQuery, watchedIdsQuery, watchlistQuery } from './saved.api.ts'

/** Refetches the lists after changes in the dealer's other tabs. */
export const savedInbox = {
  saved: (cache) => {
    for (const { queryKey } of [savedSearchesQuery(), watchedIdsQuery(), watchlistQuery()])
      void cache.invalidateQueries({ queryKey })
  },
} satisfies InboxHandlers
