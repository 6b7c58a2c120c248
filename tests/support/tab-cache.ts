import { dealersInbox } from '#client/features/dealers/dealers.live.ts'
import { dealsInbox } from '#client/features/deals/deals.live.ts'
import { notificationsInbox } from '#client/features/notifications/notifications.live.ts'
import { savedInbox } from '#client/features/saved/saved.live.ts'
import { receiveInbox } from '#client/lib/live/live-queries.ts'
import { meKey } from '#client/lib/query/query-keys.ts'
import type { Caller } from './app.ts'
import type { LiveClient } from './live-client.ts'
import { aQueryClient } from './query-cache.ts'

const inbox = [dealersInbox, dealsInbox, notificationsInbox, savedInbox]

const queriesOf = (dealerId: string, otherId: string) => [
  { key: meKey, path: '/api/auth/me' },
  { key: ['/api/connections'], path: '/api/connections' },
  { key: ['/api/connections/requests', dealerId], path: `/api/connections/requests/${dealerId}` },
  { key: ['/api/dealers', 'profile', otherId], path: `/api/dealers/${otherId}` },
  { key: ['/api/notifications'], path: '/api/notifications?limit=20' },
  { key: ['/api/deals', 'counts', ''], path: '/api/deals/counts' },
  { key: ['/api/saved-searches'], path: '/api/saved-searches' },
]

/** Opens a tab that refetches only queries that the client's event handlers invalidate. A query that they forget stays stale. */
export async function openTabCache(dealer: Caller, otherId: string) {
  const live: LiveClient = await dealer.live()
  const cache = aQueryClient()
  const queries = queriesOf(dealer.id, otherId)
  const fetchAll = () => Promise.all(queries.map(async ({ path }) => (await dealer.get(path)).body))
  for (const [index, body] of (await fetchAll()).entries()) cache.setQueryData(queries[index]?.key ?? [], body)
  return {
    live,
    /** Applies all received events and returns the tab's data. */
    async catchUp(): Promise<unknown[]> {
      for (const event of await live.receivedAfterRoundTrip('inbox.changed')) receiveInbox(cache, inbox, event)
      for (const { key, path } of queries)
        if (cache.getQueryState(key)?.isInvalidated) cache.setQueryData(key, (await dealer.get(path)).body)
      return queries.map(({ key }) => cache.getQueryData(key))
    },
    fetchAll,
  }
}
