import {
  infiniteQueryOptions,
  queryOptions,
  replaceEqualDeep,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call, callNext, callPage, type Page, withQuery } from '#client/lib/http/api.ts'
import { beginOptimistic, endOptimistic } from '#client/lib/query/optimistic-update.ts'
import type { FeedData, FeedPage } from '#client/lib/post/cached-posts.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { defineOptimisticToggle } from '#client/lib/query/optimistic-toggle.ts'
import { feedsKey } from '#client/lib/query/query-keys.ts'
import { feedLoadSize } from '#shared/limits.ts'
import type { OwnReactions, Post, PostSort, ReactionKind } from '#shared/schemas/posts.ts'

export interface FeedFilter {
  search: string
  sort: PostSort
  limit?: number
}

const reactionsKey = ['/api/inventory', 'reactions'] as const

const pageOf = ({ rows: posts, total, next }: Page<Post>): FeedPage => ({ posts, total, next })

/** Query key of the newest fetched page (head) of each feed. Posts that are in the head but not shown are new. */
export const headsKey = ['/api/inventory', 'head'] as const

export const headKey = (filter: FeedFilter) => [...headsKey, filter] as const

/** Fetches the newest page of a feed. The browser sends the ETag, so an unchanged page returns 304. */
export async function fetchHead(
  { search, sort, limit = feedLoadSize }: FeedFilter,
  signal?: AbortSignal,
): Promise<FeedPage> {
  return pageOf(await callPage(withQuery('/api/inventory', { search, sort, limit }), signal))
}

/** The posts that the feed shows. Live events update and remove posts, but do not add new ones. */
export function feedQuery(filter: FeedFilter) {
  return infiniteQueryOptions({
    queryKey: [...feedsKey, filter] as const,
    queryFn: async ({ pageParam, signal }) =>
      pageParam === undefined ? fetchHead(filter, signal) : pageOf(await callNext<Post>(pageParam, signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: FeedPage) => page.next,
    structuralSharing: (held, next) =>
      replaceEqualDeep(held, withPatches(held as FeedData | undefined, next as FeedData)),
  })
}

/** Keeps changes that events made to the loaded pages while the next page was loading. */
function withPatches(held: FeedData | undefined, next: FeedData): FeedData {
  const isNextPage = held !== undefined && held.pages.at(-1)?.next === next.pageParams[held.pages.length]
  return isNextPage && next.pages.length === held.pages.length + 1
    ? { ...next, pages: [...held.pages, ...next.pages.slice(-1)] }
    : next
}

export function reactionsQuery() {
  return queryOptions({
    queryKey: reactionsKey,
    queryFn: ({ signal }) => call('/api/inventory/reactions', { signal }),
    ...liveQuery,
  })
}

export function marketQuery(postId: string) {
  return queryOptions({
    queryKey: ['/api/inventory', 'market', postId] as const,
    queryFn: ({ signal }) => call(`/api/inventory/${encodeURIComponent(postId)}/market`, { signal }),
  })
}

function toggled(own: OwnReactions | undefined, postId: string, kind: ReactionKind, on: boolean): OwnReactions {
  const before = own ?? { like: [], info: [] }
  const others = before[kind].filter((id) => id !== postId)
  return { ...before, [kind]: on ? [...others, postId] : others }
}

const reactionPresses = defineOptimisticToggle<boolean>('reaction')

/** Sets a reaction with an optimistic update, and rolls it back if the server rejects it. */
export function useSetReaction(postId: string, kind: ReactionKind) {
  const cache = useQueryClient()
  const { queryKey } = reactionsQuery()
  const id = `${kind}.${postId}`
  const set = (on: boolean) => cache.setQueryData(queryKey, (own) => toggled(own, postId, kind, on))
  return useMutation({
    mutationFn: (on: boolean) => call(`/api/inventory/${postId}/reactions/${kind}`, { method: on ? 'PUT' : 'DELETE' }),
    // Send rapid presses one at a time, in order.
    scope: { id: `reaction-${postId}-${kind}` },
    onMutate: async (on) => {
      reactionPresses.begin(id, cache.getQueryData(queryKey)?.[kind].includes(postId) ?? false)
      await beginOptimistic(cache, queryKey)
      set(on)
    },
    onSuccess: (_done, on) => reactionPresses.taken(id, on),
    onError: () => reactionPresses.refused(id, set),
    onSettled: () => endOptimistic(cache, queryKey),
    meta: { refused: 'Not saved' },
  })
}
