import type { InboxHandlers } from '#client/lib/live.ts'

/** Deals and requests depend on who one is: the event says which, the list is fetched again. */
export const dealsInbox: InboxHandlers = {
  deal: (cache) => {
    void cache.invalidateQueries({ queryKey: ['/api/deals'] })
    void cache.invalidateQueries({ queryKey: ['/api/offers'] })
  },
  request: (cache) => void cache.invalidateQueries({ queryKey: ['/api/connections/requests'] }),
  connection: (cache) => void cache.invalidateQueries({ queryKey: ['/api/connections/requests'] }),
}
