import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/api.ts'

/** What there is for these words. Shown at once as it was last time, and asked for again: nothing tells when it changes. */
export const searchQuery = (words: string) =>
  queryOptions({
    queryKey: ['/api/search', words] as const,
    queryFn: ({ signal }) => call(withQuery('/api/search', { q: words }), { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
