import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import { liveQuery } from '#client/lib/live.ts'
import { dealsKey } from '#client/lib/query-keys.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { ConnectionRequest } from '#shared/schemas/dealers.ts'

/** The dealer's own deals, newest first. */
export function dealsQuery(userId: string) {
  return queryOptions({
    queryKey: [...dealsKey, userId] as const,
    queryFn: ({ signal }) => call(`/api/deals/${userId}`, { signal }),
    ...liveQuery,
  })
}

export const requestsKey = ['/api/connections/requests'] as const

/** Requests that wait for the dealer's answer. */
export function requestsQuery(userId: string) {
  return queryOptions({
    queryKey: [...requestsKey, userId] as const,
    queryFn: ({ signal }) => call(`/api/connections/requests/${userId}`, { signal }),
    ...liveQuery,
  })
}

/** Accepts or declines; the row leaves at once, so how it went is said here, and comes back when the server refuses. */
export function useAnswerRequest(userId: string) {
  const cache = useQueryClient()
  const { queryKey } = requestsQuery(userId)
  return useMutation({
    mutationFn: ({ request, answer }: { request: ConnectionRequest; answer: 'accept' | 'decline' }) =>
      call(`/api/connections/requests/${request.id}/${answer}`, { method: 'POST', body: {} }),
    onMutate: async ({ request }) => {
      await cache.cancelQueries({ queryKey })
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
    meta: { refused: 'Not saved' },
  })
}
