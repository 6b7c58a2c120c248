import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { beginOptimistic, endOptimistic } from '#client/lib/query/optimistic-update.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { defineOptimisticToggle } from '#client/lib/query/optimistic-toggle.ts'
import { postListsKey } from '#client/lib/query/query-keys.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { NewSavedSearch } from '#shared/schemas/saved.ts'

export function savedSearchesQuery() {
  return queryOptions({
    queryKey: ['/api/saved-searches'] as const,
    queryFn: ({ signal }) => call('/api/saved-searches', { signal }),
    ...liveQuery,
  })
}

export function watchedIdsQuery() {
  return queryOptions({
    queryKey: ['/api/watchlist', 'ids'] as const,
    queryFn: ({ signal }) => call('/api/watchlist/ids', { signal }),
    ...liveQuery,
  })
}

/** Fetched on every visit, because live events update the watchlist only while it is on screen. */
export function watchlistQuery() {
  return queryOptions({
    queryKey: [...postListsKey, 'watched'] as const,
    queryFn: ({ signal }) => call('/api/watchlist', { signal }),
    staleTime: 0,
    ...liveQuery,
  })
}

export function useSaveSearch() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: NewSavedSearch) => call('/api/saved-searches', { method: 'POST', body }),
    onSuccess: ({ kind, search }) => {
      const what = kind === 'find' ? 'vehicles' : 'posts'
      toast({ title: 'Search saved', description: `We'll notify you of new ${what} for "${search}"` })
      return cache.invalidateQueries({ queryKey: savedSearchesQuery().queryKey })
    },
    meta: { refused: 'Not saved' },
  })
}

export function useForgetSearch() {
  const cache = useQueryClient()
  const { queryKey } = savedSearchesQuery()
  return useMutation({
    mutationFn: (id: string) => call(`/api/saved-searches/${id}`, { method: 'DELETE' }),
    onMutate: async (id) => {
      await beginOptimistic(cache, queryKey)
      cache.setQueryData(queryKey, (all) => all?.filter((saved) => saved.id !== id))
    },
    onError: () => cache.invalidateQueries({ queryKey }),
    onSettled: () => endOptimistic(cache, queryKey),
    meta: { refused: 'Not saved' },
  })
}

const watchPresses = defineOptimisticToggle<boolean>('watch')

export function useWatch() {
  const cache = useQueryClient()
  const { queryKey } = watchedIdsQuery()
  const set = (postId: string, on: boolean) =>
    cache.setQueryData(queryKey, (ids = []) => {
      const others = ids.filter((id) => id !== postId)
      return on ? [postId, ...others] : others
    })
  return useMutation({
    mutationFn: ({ postId, on }: { postId: string; on: boolean }) =>
      call(`/api/inventory/${postId}/watch`, { method: on ? 'PUT' : 'DELETE' }),
    // Requests run one after another, so that quick presses arrive in order.
    scope: { id: 'watch' },
    onMutate: async ({ postId, on }) => {
      watchPresses.begin(postId, cache.getQueryData(queryKey)?.includes(postId) ?? false)
      await beginOptimistic(cache, queryKey)
      set(postId, on)
    },
    onSuccess: (_done, { postId, on }) => {
      watchPresses.taken(postId, on)
      return cache.invalidateQueries({ queryKey: watchlistQuery().queryKey })
    },
    onError: (_error, { postId }) => watchPresses.refused(postId, (on) => set(postId, on)),
    onSettled: () => endOptimistic(cache, queryKey),
    meta: { refused: 'Not saved' },
  })
}
