import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { beginOptimistic, endOptimistic } from '#client/lib/query/optimistic-update.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { defineOptimisticToggle } from '#client/lib/query/optimistic-toggle.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { Dealer, OwnNetwork } from '#shared/schemas/dealers.ts'

export function networkQuery() {
  return queryOptions({
    queryKey: ['/api/connections'] as const,
    queryFn: ({ signal }) => call('/api/connections', { signal }),
    ...liveQuery,
  })
}

export function recommendedQuery() {
  return queryOptions({
    queryKey: ['/api/dealers/recommended'] as const,
    queryFn: ({ signal }) => call('/api/dealers/recommended', { signal }),
    ...liveQuery,
  })
}

const connectPresses = defineOptimisticToggle<{ connected: boolean; mutual: boolean }>('connect')

function useConnect() {
  const cache = useQueryClient()
  const { queryKey } = networkQuery()
  return useMutation({
    mutationFn: ({ dealer, on }: { dealer: Pick<Dealer, 'id' | 'name'>; on: boolean }) =>
      call(`/api/dealers/${dealer.id}/connect`, { method: on ? 'POST' : 'DELETE' }),
    // Send rapid presses one at a time, in order.
    scope: { id: 'connect' },
    onMutate: async ({ dealer, on }) => {
      const network = cache.getQueryData(queryKey)
      const mutual = network?.mutual.includes(dealer.id) ?? false
      connectPresses.begin(dealer.id, { connected: network?.connected.includes(dealer.id) ?? false, mutual })
      await beginOptimistic(cache, queryKey)
      cache.setQueryData(queryKey, (network) => network && withDealer(network, dealer.id, on, on && mutual))
      toast(
        on
          ? { title: 'Connected!', description: `Added ${dealer.name} to your network` }
          : { title: 'Disconnected', description: `Removed ${dealer.name} from your network` },
      )
    },
    onSuccess: (_done, { dealer, on }) =>
      connectPresses.taken(dealer.id, {
        connected: on,
        mutual: cache.getQueryData(queryKey)?.mutual.includes(dealer.id) ?? false,
      }),
    onError: (_error, { dealer }) =>
      connectPresses.refused(dealer.id, ({ connected, mutual }) =>
        cache.setQueryData(queryKey, (network) => network && withDealer(network, dealer.id, connected, mutual)),
      ),
    onSettled: () => endOptimistic(cache, queryKey),
    meta: { refused: 'Not saved' },
  })
}

/** @param known whether the list shows the dealer as connected; used until the network has loaded */
export function useInNetwork(dealer: Pick<Dealer, 'id' | 'name'>, known = false) {
  const network = useQuery(networkQuery())
  const connect = useConnect()
  const on = network.data?.connected.includes(dealer.id) ?? known
  return { on, waiting: network.isPending, toggle: () => connect.mutate({ dealer, on: !on }) }
}

function withDealer(network: OwnNetwork, dealerId: string, connected: boolean, mutual = false): OwnNetwork {
  return {
    connected: withPresence(network.connected, dealerId, connected),
    mutual: withPresence(network.mutual, dealerId, mutual),
  }
}

function withPresence(ids: string[], id: string, present: boolean): string[] {
  const others = ids.filter((other) => other !== id)
  return present ? [...others, id] : others
}
