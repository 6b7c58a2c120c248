import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/api.ts'
import { type FindQuery, writeFind } from '#shared/find-query.ts'
import { findTextMax } from '#shared/schemas/find.ts'

/** What is asked for; how it is listed changes nothing. */
function askedOf(query: FindQuery) {
  const { as: _as, ...params } = writeFind(query)
  return params
}

/** A search, page by page; the counts of the filters come with the first. It changes only when the dealer asks: nothing moves under a reader. */
export function findVehiclesQuery(query: FindQuery) {
  const asked = askedOf(query)
  return infiniteQueryOptions({
    queryKey: ['/api/find', asked] as const,
    queryFn: ({ pageParam, signal }) =>
      call(
        withQuery('/api/find', { ...asked, ...(pageParam === undefined ? { facets: '1' } : { cursor: pageParam }) }),
        { signal },
      ),
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
