import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/http/api.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { dealsKey } from '#client/lib/query/query-keys.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import type { OfferAct } from '#shared/schemas/deals.ts'

export const offersKey = ['/api/offers'] as const

export function offersQuery() {
  return queryOptions({
    queryKey: offersKey,
    queryFn: ({ signal }) => call(withQuery('/api/offers', { open: 'true' }), { signal }),
    ...liveQuery,
  })
}

/** Always refetched, because an admin can change the fee. */
export const offerTermsQuery = () =>
  queryOptions({ queryKey: ['/api/offers/terms'], queryFn: () => call('/api/offers/terms'), staleTime: 0 })

async function refetchOffers(cache: QueryClient): Promise<void> {
  await Promise.all([offersKey, dealsKey].map((queryKey) => cache.invalidateQueries({ queryKey })))
}

export function useMakeOffer(postId: string) {
  const cache = useQueryClient()
  const isShownInPlace = useIsMounted()
  return useMutation({
    mutationFn: ({ vehicleId, amount, key }: { vehicleId: string; amount: number; key: string }) =>
      call(`/api/inventory/${postId}/offers`, {
        method: 'POST',
        body: { vehicleId, amount },
        idempotencyKey: key,
      }),
    onSuccess: () => refetchOffers(cache),
    meta: { refused: 'Offer not sent', isShownInPlace, isInputKept: true },
  })
}

/** @param amount the counteroffer, or when accepting, the amount that the dealer saw */
export function useActOnOffer(offerId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ act, amount }: { act: OfferAct; amount?: number }) =>
      call(`/api/offers/${offerId}/${act}`, { method: 'POST', body: amount === undefined ? {} : { amount } }),
    onSettled: () => refetchOffers(cache),
    meta: { refused: 'Offer not updated' },
  })
}
