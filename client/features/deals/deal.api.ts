import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import { liveQuery } from '#client/lib/live.ts'
import { dealsKey } from '#client/lib/query-keys.ts'
import type { DealAct, DocumentKind } from '#shared/schemas/deals.ts'

/** One deal with its timeline and papers. Below the key of the lists, so that an event refreshes both. */
export function dealQuery(dealId: string) {
  return queryOptions({
    queryKey: [...dealsKey, 'one', dealId] as const,
    queryFn: ({ signal }) => call(`/api/deal/${encodeURIComponent(dealId)}`, { signal }),
    ...liveQuery,
  })
}

export const documentPath = (dealId: string, documentId: string) => `/api/deal/${dealId}/documents/${documentId}`

export function useActOnDeal(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (act: DealAct) => call(`/api/deal/${dealId}/${act}`, { method: 'POST' }),
    onSuccess: (deal) => cache.setQueryData(dealQuery(dealId).queryKey, deal),
    meta: { refused: 'Not done' },
  })
}

export function useSignDocument(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, name }: { kind: DocumentKind; name: string }) =>
      call(`/api/deal/${dealId}/documents/${kind}/signature`, { method: 'POST', body: { name } }),
    onSuccess: (deal) => cache.setQueryData(dealQuery(dealId).queryKey, deal),
  })
}

/** What the seller reads off the odometer, in miles. */
export function useGiveMileage(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (mileage: number) => call(`/api/deal/${dealId}/mileage`, { method: 'PUT', body: { mileage } }),
    onSuccess: (deal) => cache.setQueryData(dealQuery(dealId).queryKey, deal),
  })
}

/** Asks the network to look at the deal. */
export function useSubmitForReview(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => call(`/api/deal/${dealId}/submission`, { method: 'PUT', body: {} }),
    onSuccess: (deal) => cache.setQueryData(dealQuery(dealId).queryKey, deal),
    meta: { refused: 'Not submitted' },
  })
}
