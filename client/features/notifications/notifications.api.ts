import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/http/api.ts'
import { beginOptimistic, endOptimistic } from '#client/lib/query/optimistic-update.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'

const pageSize = 20

export function notificationsQuery() {
  return infiniteQueryOptions({
    queryKey: ['/api/notifications'] as const,
    queryFn: ({ pageParam, signal }) =>
      call(withQuery('/api/notifications', { limit: pageSize, before: pageParam }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.more ? last.items.at(-1)?.id : undefined),
    ...liveQuery,
  })
}

/** Marks notifications as read: `ids`, or all of them if undefined. Updates the cache optimistically; a live event then corrects it. */
export function useMarkRead() {
  const cache = useQueryClient()
  const { queryKey } = notificationsQuery()
  return useMutation({
    mutationFn: (ids: string[] | undefined) =>
      call('/api/notifications/read', { method: 'POST', body: ids === undefined ? {} : { ids } }),
    onMutate: async (ids) => {
      await beginOptimistic(cache, queryKey)
      const marked = (id: string) => ids === undefined || ids.includes(id)
      cache.setQueryData(queryKey, (data) => {
        if (!data) return data
        const pages = data.pages.map((page) => {
          const newly = page.items.filter((item) => !item.read && marked(item.id)).length
          return {
            ...page,
            unread: ids === undefined ? 0 : Math.max(0, page.unread - newly),
            items: page.items.map((item) => (marked(item.id) ? { ...item, read: true } : item)),
          }
        })
        return { ...data, pages }
      })
    },
    onError: () => cache.invalidateQueries({ queryKey }),
    onSettled: () => endOptimistic(cache, queryKey),
  })
}
