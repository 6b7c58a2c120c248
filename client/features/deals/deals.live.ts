import type { InboxHandlers } from '#client/lib/live.ts'
import { dealsKey } from '#client/lib/query-keys.ts'
import { requestsKey } from './deals.api.ts'
import { offersKey } from './offers.api.ts'

/**
 * Deals and requests depend on who one is: the event says which, the lists and their counts are fetched again. What there is to sign
 * depends on one's plan.
 */
export const dealsInbox = {
  deal: (cache) => {
    void cache.invalidateQueries({ queryKey: dealsKey })
    void cache.invalidateQueries({ queryKey: offersKey })
  },
  subscription: (cache) => void cache.invalidateQueries({ queryKey: dealsKey }),
  request: (cache) => void cache.invalidateQueries({ queryKey: requestsKey }),
  connection: (cache) => void cache.invalidateQueries({ queryKey: requestsKey }),
} satisfies InboxHandlers
