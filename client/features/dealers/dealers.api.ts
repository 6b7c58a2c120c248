import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, reasonOf } from '#client/lib/api.ts'
import { liveQuery } from '#client/lib/live.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { OwnNetwork, RecommendedDealer } from '#shared/schemas/connections.ts'
import type { Dealer } from '#shared/schemas/dealers.ts'

/** Whom the dealer has in their network. */
export function networkQuery() {
  return queryOptions({
    queryKey: ['/api/connections'] as const,
    queryFn: ({ signal }) => call<OwnNetwork>('/api/connections', { signal }),
    ...liveQuery,
  })
}

/** Sellers worth knowing, with the reason. */
export function recommendedQuery() {
  return queryOptions({
    queryKey: ['/api/dealers/recommended'] as const,
    queryFn: ({ signal }) => call<RecommendedDealer[]>('/api/dealers/recommended', { signal }),
    ...liveQuery,
  })
}

/** Connects or disconnects at once, with the documented toasts; put back when the server refuses (READING "Connect"). */
function useConnect() {
  const cache = useQueryClient()
  const { queryKey } = networkQuery()
  return useMutation({
    mutationFn: ({ dealer, on }: { dealer: Pick<Dealer, 'id' | 'name'>; on: boolean }) =>
      call(`/api/dealers/${dealer.id}/connect`, { method: on ? 'POST' : 'DELETE' }),
    onMutate: async ({ dealer, on }) => {
      await cache.cancelQueries({ queryKey })
      const before = cache.getQueryData(queryKey)
      cache.setQueryData(queryKey, (network) => network && withDealer(network, dealer.id, on))
      toast(
        on
          ? { title: 'Connected!', description: `Added ${dealer.name} to your network` }
          : { title: 'Disconnected', description: `Removed ${dealer.name} from your network` },
      )
      return before
    },
    onError: (error, _input, before) => {
      cache.setQueryData(queryKey, before)
      toast({ title: 'Not saved', description: reasonOf(error), variant: 'destructive' })
    },
  })
}

/** Whether a dealer is in one's network, and how to change that; `known` is what a list said of it before. */
export function useInNetwork(dealer: Pick<Dealer, 'id' | 'name'>, known = false) {
  const network = useQuery(networkQuery())
  const connect = useConnect()
  const on = network.data?.connected.includes(dealer.id) ?? known
  return { on, waiting: network.isPending, toggle: () => connect.mutate({ dealer, on: !on }) }
}

function withDealer(network: OwnNetwork, dealerId: string, on: boolean): OwnNetwork {
  const connected = network.connected.filter((id) => id !== dealerId)
  const mutual = on ? network.mutual : network.mutual.filter((id) => id !== dealerId)
  return { connected: on ? [...connected, dealerId] : connected, mutual }
}
