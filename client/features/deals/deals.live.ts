import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { dealsKey } from '#client/lib/query/query-keys.ts'
import { requestsKey } from './deals.api.ts'
import { offersKey } from './offers.api.ts'

/** Refetches deals, because events omit the dealer's own view. A plan change affects which documents the dealer can sign. */
export const dealsInbox = {
  deal: (cache) => {
    void cache.invalidateQueries({ queryKey: dealsKey })
    void cache.invalidateQueries({ queryKey: offersKey })
  },
  subscription: (cache) => void cache.invalidateQueries({ queryKey: dealsKey }),
  request: (cache) => void cache.invalidateQueries({ queryKey: requestsKey }),
  connection: (cache) => void cache.invalidateQueries({ queryKey: requestsKey }),
} satisfies InboxHandlers
