import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/http/api.ts'
import { removedAtKey } from '#client/lib/post/cached-posts.ts'
import { findWordsKey } from '#client/lib/query/query-keys.ts'
import { type FindQuery, writeFind } from '#shared/find-query.ts'
import { findTextMax } from '#shared/constants/find.ts'
import type { FindAnswer } from '#shared/schemas/find.ts'

/** Returns the search parameters without the display mode, which does not affect the results. */
function askedOf(query: FindQuery) {
  const { as: _as, ...params } = writeFind(query)
  return params
}

/** Forgets earlier removals of the posts in the results: a post that was removed before the search started is for sale again. */
function forgetRemovals(cache: QueryClient, { items }: FindAnswer, askedAtMs: number): void {
  for (const { postId } of items)
    cache.setQueryData<number>(removedAtKey(postId), (at) => (at === undefined || at >= askedAtMs ? at : 0))
}

/** Fetches the results. They are not updated by live events, so that nothing moves while the dealer reads. */
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

/** Counts the vehicles added to the results since the response that contained `head`. */
export function findSinceQuery(query: FindQuery, head: string) {
  const asked = askedOf(query)
  return queryOptions({
    queryKey: ['/api/find', 'since', asked, head] as const,
    queryFn: ({ signal }) => call(withQuery('/api/find/since', { ...asked, after: head }), { signal }),
  })
}

/** Looks up typed words on the server: makes, models and trims for sale, place names, and the dealer's own location. */
export const findWordsQuery = (text: string) =>
  queryOptions({
    queryKey: [...findWordsKey, text.toLowerCase()] as const,
    queryFn: ({ signal }) => call(withQuery('/api/find/words', { text: text.slice(0, findTextMax) }), { signal }),
  })
