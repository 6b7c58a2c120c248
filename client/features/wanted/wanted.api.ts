import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/http/api.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { offerPush } from '#client/lib/push-device.ts'
import { dealsKey } from '#client/lib/query/query-keys.ts'
import { toast } from '#client/ui/toast-store.ts'
import type {
  BuyOrder,
  BuyOrderPatch,
  DemandOffer,
  DemandRequest,
  NewBuyOrder,
  OrderMatch,
  OrderSearch,
} from '#shared/schemas/wanted.ts'

const ordersKey = ['/api/buy-orders', 'list'] as const
const matchesKey = ['/api/buy-orders', 'matches'] as const
const demandListKey = ['/api/demand', 'list'] as const

export function buyOrdersQuery() {
  return queryOptions({
    queryKey: ordersKey,
    queryFn: ({ signal }) => call('/api/buy-orders', { signal }),
    ...liveQuery,
  })
}

export function matchesQuery() {
  return infiniteQueryOptions({
    queryKey: matchesKey,
    queryFn: ({ pageParam, signal }) => call(withQuery('/api/buy-orders/matches', { cursor: pageParam }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    ...liveQuery,
  })
}

/** Fetches suggestions: all makes, or the models or trims of `mmt`, such as `Ford~F-150`. */
export function suggestionsQuery(mmt: string) {
  return queryOptions({
    queryKey: ['/api/find', 'suggestions', mmt] as const,
    queryFn: ({ signal }) => call(withQuery('/api/find', { mmt: mmt || undefined, facets: '1' }), { signal }),
    staleTime: 60_000,
    placeholderData: (before) => before,
    retry: false,
  })
}

export function previewQuery(search: OrderSearch) {
  return queryOptions({
    queryKey: ['/api/buy-orders', 'preview', search] as const,
    queryFn: ({ signal }) => call('/api/buy-orders/preview', { method: 'POST', body: search, signal }),
    staleTime: 60_000,
  })
}

export interface DemandFilter {
  q: string
  make: string
  within: string
  have: boolean
}

export function demandListQuery({ q, make, within, have }: DemandFilter) {
  const asked = {
    q: q || undefined,
    make: make || undefined,
    within: within || undefined,
    have: have ? '1' : undefined,
  }
  return infiniteQueryOptions({
    queryKey: [...demandListKey, asked] as const,
    queryFn: ({ pageParam, signal }) =>
      call(withQuery('/api/demand/list', { ...asked, cursor: pageParam }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: (before) => before,
    ...liveQuery,
  })
}

/** References to orders expire after 30 minutes, so refetch earlier. */
const demandFreshMs = 10 * 60_000

/** Fetches the demand for a vehicle. A result without interested dealers is stale immediately. */
export function demandQuery(vehicle: DemandRequest) {
  return queryOptions({
    queryKey: ['/api/demand', 'vehicle', vehicle] as const,
    queryFn: ({ signal }) => call('/api/demand', { method: 'POST', body: vehicle, signal }),
    staleTime: ({ state }) => (state.data?.dealers === 0 ? 0 : demandFreshMs),
    refetchInterval: demandFreshMs,
  })
}

export async function refetchWanted(cache: QueryClient): Promise<void> {
  await Promise.all([ordersKey, matchesKey, demandListKey].map((queryKey) => cache.invalidateQueries({ queryKey })))
}

function savedWords(order: BuyOrder | undefined): string {
  if (order === undefined) return 'Buy order started'
  return order.state === 'ended' ? 'Buy order renewed' : 'Buy order changed'
}

export function useSaveOrder(order: BuyOrder | undefined) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ days, ...terms }: NewBuyOrder) =>
      order === undefined
        ? call('/api/buy-orders', { method: 'POST', body: { days, ...terms } })
        : call(`/api/buy-orders/${order.id}`, { method: 'PATCH', body: { ...terms, ...(days > 0 && { days }) } }),
    onSuccess: (saved) => {
      toast({
        title: savedWords(order),
        description: `We'll notify you of each ${saved.make} ${saved.model} that fits`,
      })
      if (order === undefined) offerPush('match')
      return refetchWanted(cache)
    },
    meta: { isInputKept: true },
  })
}

export function useActOnOrder() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: BuyOrderPatch & { id: string }) =>
      call(`/api/buy-orders/${id}`, { method: 'PATCH', body }),
    onSettled: () => refetchWanted(cache),
    meta: { refused: 'Buy order not updated' },
  })
}

/** Makes an offer on a match. `key` is the idempotency key of the button press and its retries. */
export function useOfferOnMatch() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ match: { vehicle, offer, orderId }, key }: { match: OrderMatch; key: string }) =>
      call(`/api/inventory/${vehicle.postId}/offers`, {
        method: 'POST',
        body: { vehicleId: vehicle.vehicleId, amount: offer, buyOrderId: orderId },
        idempotencyKey: key,
      }),
    onSettled: () => Promise.all([refetchWanted(cache), cache.invalidateQueries({ queryKey: dealsKey })]),
    meta: { refused: 'Offer not sent' },
  })
}

export function useUndoOffer() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (offerId: string) => call(`/api/offers/${offerId}/withdraw`, { method: 'POST', body: {} }),
    onSettled: () => Promise.all([refetchWanted(cache), cache.invalidateQueries({ queryKey: dealsKey })]),
    meta: { refused: 'Offer not withdrawn' },
  })
}

const dismissKey = ['dismiss-match'] as const

export function useDismissMatch() {
  const cache = useQueryClient()
  const { queryKey } = matchesQuery()
  return useMutation({
    mutationKey: dismissKey,
    mutationFn: ({ orderId, vehicle }: OrderMatch) =>
      call(`/api/buy-orders/${orderId}/${vehicle.vehicleId}/dismiss`, { method: 'POST' }),
    onMutate: async ({ vehicle }) => {
      await cache.cancelQueries({ queryKey })
      cache.setQueryData(
        queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.filter((item) => item.vehicle.vehicleId !== vehicle.vehicleId),
            })),
          },
      )
    },
    // Refetch only after the last pending request. Until then, the server still lists matches that are being removed.
    onSettled: () => (cache.isMutating({ mutationKey: dismissKey }) > 1 ? undefined : refetchWanted(cache)),
    meta: { refused: 'Buy order not updated' },
  })
}

export function useSeeMatches() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (vehicleIds: string[]) =>
      call('/api/buy-orders/matches/seen', { method: 'POST', body: { vehicleIds } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ordersKey }),
  })
}

export function useOfferToOrder() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: DemandOffer) => call('/api/demand/offer', { method: 'POST', body }),
    onSuccess: () => Promise.all([refetchWanted(cache), cache.invalidateQueries({ queryKey: dealsKey })]),
    meta: { refused: 'Offer not sent' },
  })
}
