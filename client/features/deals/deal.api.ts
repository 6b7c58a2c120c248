import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { dealerIn } from '#client/lib/session/current-dealer.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { dealsKey } from '#client/lib/query/query-keys.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import type { DealAct, DealDetail, DocumentKind } from '#shared/schemas/deals.ts'

/** The key starts with the key of the lists of deals, so that one invalidation refetches the lists and the deal. */
export function dealQuery(dealId: string) {
  return queryOptions({
    queryKey: [...dealsKey, 'one', dealId] as const,
    queryFn: ({ signal }) => call(`/api/deal/${encodeURIComponent(dealId)}`, { signal }),
    ...liveQuery,
  })
}

/** Identifies the signed-in dealer and the cached copy of a deal. Changes when newer data arrives. */
const cacheVersionOf = (cache: QueryClient, dealId: string) =>
  `${dealerIn(cache)} ${cache.getQueryState(dealQuery(dealId).queryKey)?.dataUpdateCount}`

/**
 * Caches a mutation's response and refreshes the lists. Refetches the deal if a fetch overlapped the mutation, because either copy may be
 * stale.
 */
async function keepDeal(cache: QueryClient, deal: DealDetail, versionBefore: string): Promise<void> {
  const { queryKey } = dealQuery(deal.id)
  const hasChanged = cacheVersionOf(cache, deal.id) !== versionBefore
  const isInDoubt = hasChanged || cache.isFetching({ queryKey, exact: true }) > 0
  if (!hasChanged) cache.setQueryData(queryKey, deal)
  await cache.invalidateQueries({ queryKey: dealsKey, predicate: (query) => isInDoubt || query.queryKey[1] !== 'one' })
}

/** Never refetched, because a version of a document never changes. */
export function paperQuery(dealId: string, documentId: string) {
  return queryOptions({
    queryKey: ['/api/deal/paper', documentId] as const,
    queryFn: ({ signal }) => call(`/api/deal/${dealId}/documents/${documentId}/text`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}

export const documentPath = (dealId: string, documentId: string) => `/api/deal/${dealId}/documents/${documentId}`

export function useActOnDeal(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (act: DealAct) => call(`/api/deal/${dealId}/${act}`, { method: 'POST' }),
    onMutate: () => cacheVersionOf(cache, dealId),
    onSuccess: (deal, _input, versionBefore) => keepDeal(cache, deal, versionBefore),
    meta: { refused: 'Deal not updated' },
  })
}

export function useSignDocument(dealId: string) {
  const cache = useQueryClient()
  const isShownInPlace = useIsMounted()
  return useMutation({
    mutationFn: ({ kind, name }: { kind: DocumentKind; name: string }) =>
      call(`/api/deal/${dealId}/documents/${kind}/signature`, { method: 'POST', body: { name } }),
    onMutate: () => cacheVersionOf(cache, dealId),
    onSuccess: (deal, _input, versionBefore) => keepDeal(cache, deal, versionBefore),
    meta: { refused: 'Document not signed', isShownInPlace },
  })
}

export function useGiveMileage(dealId: string) {
  const cache = useQueryClient()
  const isShownInPlace = useIsMounted()
  return useMutation({
    mutationFn: (mileage: number) => call(`/api/deal/${dealId}/mileage`, { method: 'PUT', body: { mileage } }),
    onMutate: () => cacheVersionOf(cache, dealId),
    onSuccess: (deal, _input, versionBefore) => keepDeal(cache, deal, versionBefore),
    meta: { refused: 'Mileage not saved', isShownInPlace },
  })
}

export function useSubmitForReview(dealId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => call(`/api/deal/${dealId}/submission`, { method: 'PUT', body: {} }),
    onMutate: () => cacheVersionOf(cache, dealId),
    onSuccess: (deal, _input, versionBefore) => keepDeal(cache, deal, versionBefore),
    meta: { refused: 'Deal not submitted' },
  })
}
