import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/api.ts'
import { liveQuery } from '#client/lib/live.ts'
import { dealsKey } from '#client/lib/query-keys.ts'
import { useIsShown } from '#client/lib/use-is-shown.ts'
import type { OfferAct } from '#shared/schemas/deals.ts'

export const offersKey = ['/api/offers'] as const

/** The dealer's open offers on either side, the last changed first. */
export function offersQuery() {
  return queryOptions({
    queryKey: offersKey,
    queryFn: ({ signal }) => call(withQuery('/api/offers', { open: 'true' }), { signal }),
    ...liveQuery,
  })
}

/** What an offer would cost beside its amount. Asked anew each time: it is an admin's to change. */
export const offerTermsQuery = () =>
  queryOptions({ queryKey: ['/api/offers/terms'], queryFn: () => call('/api/offers/terms'), staleTime: 0 })

/** An offer stands among the deals. */
async function refetchOffers(cache: QueryClient): Promise<void> {
  await Promise.all([offersKey, dealsKey].map((queryKey) => cache.invalidateQueries({ queryKey })))
}

/** Offers on one vehicle. `key` is that of the amount, so that a second press is the same offer. */
export function useMakeOffer(postId: string) {
  const cache = useQueryClient()
  const isSaid = useIsShown()
  return useMutation({
    mutationFn: ({ vehicleId, amount, key }: { vehicleId: string; amount: number; key: string }) =>
      call(`/api/inventory/${postId}/offers`, {
        method: 'POST',
        body: { vehicleId, amount },
        idempotencyKey: key,
      }),
    onSuccess: () => refetchOffers(cache),
    meta: { refused: 'Offer not sent', isSaid },
  })
}

/** `amount`: that of a counter, and the one that was read of an offer that is accepted, so that no other is. */
export function useActOnOffer(offerId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ act, amount }: { act: OfferAct; amount?: number }) =>
      call(`/api/offers/${offerId}/${act}`, { method: 'POST', body: amount === undefined ? {} : { amount } }),
    onSettled: () => refetchOffers(cache),
    meta: { refused: 'Offer not updated' },
  })
}
