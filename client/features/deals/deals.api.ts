import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/http/api.ts'
import { beginOptimistic, endOptimistic } from '#client/lib/query/optimistic-update.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { dealsKey } from '#client/lib/query/query-keys.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { ConnectionRequest } from '#shared/schemas/dealers.ts'
import type { DealStage } from '#shared/schemas/deals.ts'

export function dealsQuery(userId: string) {
  return queryOptions({
    queryKey: [...dealsKey, userId] as const,
    queryFn: ({ signal }) => call(`/api/deals/${userId}`, { signal }),
    ...liveQuery,
  })
}

export function dealCountsQuery(q = '') {
  return queryOptions({
    queryKey: [...dealsKey, 'counts', q] as const,
    queryFn: ({ signal }) => call(withQuery('/api/deals/counts', { q }), { signal }),
    placeholderData: keepPreviousData,
    ...liveQuery,
  })
}

export function dealPipelineQuery(stage: DealStage, q: string) {
  return infiniteQueryOptions({
    queryKey: [...dealsKey, 'pipeline', stage, q] as const,
    queryFn: ({ pageParam, signal }) =>
      call(withQuery('/api/deals/pipeline', { stage, q, cursor: pageParam }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // Keep the previous results while the dealer is typing, but not the results of another stage.
    placeholderData: (held, before) => (before?.queryKey[2] === stage ? held : undefined),
    ...liveQuery,
  })
}

export const requestsKey = ['/api/connections/requests'] as const

export function requestsQuery(userId: string) {
  return queryOptions({
    queryKey: [...requestsKey, userId] as const,
    queryFn: ({ signal }) => call(`/api/connections/requests/${userId}`, { signal }),
    ...liveQuery,
  })
}

/** Answers a connection request. Removes it from the list at once, and restores it if the server rejects the answer. */
export function useAnswerRequest(userId: string) {
  const cache = useQueryClient()
  const { queryKey } = requestsQuery(userId)
  return useMutation({
    mutationFn: ({ request, answer }: { request: ConnectionRequest; answer: 'accept' | 'decline' }) =>
      call(`/api/connections/requests/${request.id}/${answer}`, { method: 'POST', body: {} }),
    onMutate: async ({ request }) => {
      await beginOptimistic(cache, queryKey)
      cache.setQueryData(queryKey, (requests) => requests?.filter(({ id }) => id !== request.id))
    },
    onSuccess: (_done, { request, answer }) => {
      if (answer === 'accept')
        toast({ title: 'Connected!', description: `Added ${request.requester.name} to your network` })
    },
    onError: (_error, { request }) =>
      cache.setQueryData(queryKey, (others = []) =>
        [...others, request].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
      ),
    onSettled: () => endOptimistic(cache, queryKey),
    meta: { refused: 'Request not answered' },
  })
}
