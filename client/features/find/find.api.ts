import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/api.ts'
import { removedAtKey } from '#client/lib/held-posts.ts'
import { type FindQuery, writeFind } from '#shared/find-query.ts'
import { type FindAnswer, findTextMax } from '#shared/schemas/find.ts'

/** What is asked for; how it is listed changes nothing. */
function askedOf(query: FindQuery) {
  const { as: _as, ...params } = writeFind(query)
  return params
}

/** What is found is there again: what was heard before it was asked for is over. */
function forgetRemovals(cache: QueryClient, { items }: FindAnswer, askedAtMs: number): void {
  for (const { postId } of items)
    cache.setQueryData<number>(removedAtKey(postId), (at) => (at === undefined || at >= askedAtMs ? at : 0))
}

/**
 * A search, page by page; the counts of the filters come with the first. It changes only when the dealer asks, also for what was asked
 * before: nothing moves under a reader, and what is sold meanwhile is not found again.
 */
export function findVehiclesQuery(query: FindQuery) {
  const asked = askedOf(query)
  return infiniteQueryOptions({
    queryKey: ['/api/find', asked] as const,
    queryFn: async ({ pageParam, signal, client }) => {
      const askedAtMs = Date.now()
      const page = pageParam === undefined ? { facets: '1' as const } : { cursor: pageParam }
      const answer = await call(withQuery('/api/find', { ...asked, ...page }), { signal })
      forgetRemovals(client, answer, askedAtMs)
      return answer
    },
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  })
}

/** How many vehicles this search has found since `head`. */
export function findSinceQuery(query: FindQuery, head: string) {
  const asked = askedOf(query)
  return queryOptions({
    queryKey: ['/api/find', 'since', asked, head] as const,
    queryFn: ({ signal }) => call(withQuery('/api/find/since', { ...asked, after: head }), { signal }),
  })
}

/** What words may mean that this tab does not know: makes, models and trims on offer, and places. */
export const findWordsQuery = (text: string) =>
  queryOptions({
    queryKey: ['/api/find', 'words', text.toLowerCase()] as const,
    queryFn: ({ signal }) => call(withQuery('/api/find/words', { text: text.slice(0, findTextMax) }), { signal }),
  })
