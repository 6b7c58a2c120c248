import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import { liveQuery } from '#client/lib/live.ts'
import { dealsKey } from '#client/lib/query-keys.ts'
import type { DealAct, DealDetail, DocumentKind } from '#shared/schemas/deals.ts'

/** One deal with its timeline and papers. Below the key of the lists, so that an event refreshes both. */
export function dealQuery(dealId: string) {
  return queryOptions({
    queryKey: [...dealsKey, 'one', dealId] as const,
    queryFn: ({ signal }) => call(`/api/deal/${encodeURIComponent(dealId)}`, { signal }),
    ...liveQuery,
  })
}

/** The answer is the deal as it stands; the lists that it stands in are asked for again, also where no event arrives. */
async function keepDeal(cache: QueryClient, deal: DealDetail): Promise<void> {
  cache.setQueryData(dealQuery(deal.id).queryKey, deal)
  await cache.invalidateQueries({ queryKey: dealsKey, predicate: ({ queryKey }) => queryKey[1] !== 'one' })
}

export const documentPath = (dealId: string, documentId: string) => `/api/deal/${dealId}/documents/${documentId}`

export function useActOnDeal(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (act: DealAct) => call(`/api/deal/${dealId}/${act}`, { method: 'POST' }),
    onSuccess: (deal) => keepDeal(cache, deal),
    meta: { refused: 'Not done' },
  })
}

export function useSignDocument(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, name }: { kind: DocumentKind; name: string }) =>
      call(`/api/deal/${dealId}/documents/${kind}/signature`, { method: 'POST', body: { name } }),
    onSuccess: (deal) => keepDeal(cache, deal),
  })
}

/** What the seller reads off the odometer, in miles. */
export function useGiveMileage(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (mileage: number) => call(`/api/deal/${dealId}/mileage`, { method: 'PUT', body: { mileage } }),
    onSuccess: (deal) => keepDeal(cache, deal),
  })
}

/** Asks the network to look at the deal. */
export function useSubmitForReview(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => call(`/api/deal/${dealId}/submission`, { method: 'PUT', body: {} }),
    onSuccess: (deal) => keepDeal(cache, deal),
    meta: { refused: 'Not submitted' },
  })
}
