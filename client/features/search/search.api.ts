import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/http/api.ts'

/** Cached results appear immediately, but are always refetched, because no live event updates them. */
export const searchQuery = (words: string) =>
  queryOptions({
    queryKey: ['/api/search', words] as const,
    queryFn: ({ signal }) => call(withQuery('/api/search', { q: words }), { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
