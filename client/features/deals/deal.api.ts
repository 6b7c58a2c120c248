import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { dealerIn } from '#client/lib/session/current-dealer.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { dealsKey } from '#client/lib/query/query-keys.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import type { DealAct, DealDetail, DocumentKind } from '#shared/schemas/deals.ts'

/** Query for a deal with its timeline and documents. Its key starts with the key of the lists, so that one event refreshes both. */
export function dealQuery(dealId: string) {
  return queryOptions({
    queryKey: [...dealsKey, 'one', dealId] as const,
    queryFn: ({ signal }) => call(`/api/deal/${encodeURIComponent(dealId)}`, { signal }),
    ...liveQuery,
  })
}

/** Returns a string that identifies the signed-in dealer and the cached version of a deal. It changes when newer data arrives. */
const readsOf = (cache: QueryClient, dealId: string) =>
  `${dealerIn(cache)} ${cache.getQueryState(dealQuery(dealId).queryKey)?.dataUpdateCount}`

/**
 * Caches a mutation's response. If the deal was refetched during the mutation, or is being fetched now, refetches it, because either copy
 * may be stale. Also refreshes the lists.
 */
async function keepDeal(cache: QueryClient, deal: DealDetail, reads: string): Promise<void> {
  const { queryKey } = dealQuery(deal.id)
  const wasRead = readsOf(cache, deal.id) !== reads
  const isInDoubt = wasRead || cache.isFetching({ queryKey, exact: true }) > 0
  if (!wasRead) cache.setQueryData(queryKey, deal)
  await cache.invalidateQueries({ queryKey: dealsKey, predicate: (query) => isInDoubt || query.queryKey[1] !== 'one' })
}

/** Query for the text of one version of a document. A version never changes. */
export function paperQuery(dealId: string, documentId: string) {
  return queryOptions({
    queryKey: ['/api/deal/paper', documentId] as const,
    queryFn: ({ signal }) => call(`/api/deal/${dealId}/documents/${documentId}/text`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // Keep showing the previous version until the next one has loaded.
    placeholderData: keepPreviousData,
  })
}

export const documentPath = (dealId: string, documentId: string) => `/api/deal/${dealId}/documents/${documentId}`

export function useActOnDeal(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (act: DealAct) => call(`/api/deal/${dealId}/${act}`, { method: 'POST' }),
    onMutate: () => readsOf(cache, dealId),
    onSuccess: (deal, _input, reads) => keepDeal(cache, deal, reads),
    meta: { refused: 'Deal not updated' },
  })
}

export function useSignDocument(dealId: string) {
  const cache = useQueryClient()
  const isShownInPlace = useIsMounted()
  return useMutation({
    mutationFn: ({ kind, name }: { kind: DocumentKind; name: string }) =>
      call(`/api/deal/${dealId}/documents/${kind}/signature`, { method: 'POST', body: { name } }),
    onMutate: () => readsOf(cache, dealId),
    onSuccess: (deal, _input, reads) => keepDeal(cache, deal, reads),
    meta: { refused: 'Document not signed', isShownInPlace },
  })
}

/** Saves the mileage that the seller reads from the odometer. */
export function useGiveMileage(dealId: string) {
  const cache = useQueryClient()
  const isShownInPlace = useIsMounted()
  return useMutation({
    mutationFn: (mileage: number) => call(`/api/deal/${dealId}/mileage`, { method: 'PUT', body: { mileage } }),
    onMutate: () => readsOf(cache, dealId),
    onSuccess: (deal, _input, reads) => keepDeal(cache, deal, reads),
    meta: { refused: 'Mileage not saved', isShownInPlace },
  })
}

export function useSubmitForReview(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => call(`/api/deal/${dealId}/submission`, { method: 'PUT', body: {} }),
    onMutate: () => readsOf(cache, dealId),
    onSuccess: (deal, _input, reads) => keepDeal(cache, deal, reads),
    meta: { refused: 'Deal not submitted' },
  })
}
