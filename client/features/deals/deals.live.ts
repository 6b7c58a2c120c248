import type { InboxHandlers } from '#client/lib/live.ts'
import { dealsKey } from '#client/lib/query-keys.ts'
import { requestsKey } from './deals.api.ts'
import { offersKey } from './offers.api.ts'

/** Deals and requests depend on who one is: the event says which, the list is fetched again. */
export const dealsInbox: InboxHandlers = {
  deal: (cache) => {
    void cache.invalidateQueries({ queryKey: dealsKey })
    void cache.invalidateQueries({ queryKey: offersKey })
  },
  request: (cache) => void cache.invalidateQueries({ queryKey: requestsKey }),
  connection: (cache) => void cache.invalidateQueries({ queryKey: requestsKey }),
}
