import type { InboxHandlers } from '#client/lib/live.ts'
import { networkQuery, recommendedQuery } from './dealers.api.ts'

/** A connection changed on either side: who is whose is asked again. */
export const dealersInbox: InboxHandlers = {
  connection: (cache) => {
    void cache.invalidateQueries({ queryKey: networkQuery().queryKey })
    void cache.invalidateQueries({ queryKey: recommendedQuery().queryKey })
  },
}
