import {
  infiniteQueryOptions,
  queryOptions,
  replaceEqualDeep,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call, callNext, callPage, type Page, withQuery } from '#client/lib/api.ts'
import { beginShown, endShown } from '#client/lib/asked-again.ts'
import type { FeedData, FeedPage } from '#client/lib/held-posts.ts'
import { liveQuery } from '#client/lib/live.ts'
import { definePresses } from '#client/lib/presses.ts'
import { feedsKey } from '#client/lib/query-keys.ts'
import { feedLoadSize } from '#shared/limits.ts'
import type { OwnReactions, Post, PostSort, ReactionKind } from '#shared/schemas/posts.ts'

/** What the feed shows: both parts live in the address. */
export interface FeedFilter {
  search: string
  sort: PostSort
  /** Posts that are asked for at a time. */
  limit?: number
}

const reactionsKey = ['/api/inventory', 'reactions'] as const

const pageOf = ({ rows: posts, total, next }: Page<Post>): FeedPage => ({ posts, total, next })

/** The newest stretch as it was last asked for, by filter: what is in it and not shown is news. */
export const headsKey = ['/api/inventory', 'head'] as const

/** The head of one feed. */
export const headKey = (filter: FeedFilter) => [...headsKey, filter] as const

/** The newest stretch: also what the poll asks for. The browser sends its ETag along, so an unchanged one costs a 304. */
export async function fetchHead(
  { search, sort, limit = feedLoadSize }: FeedFilter,
  signal?: AbortSignal,
): Promise<FeedPage> {
  return pageOf(await callPage(withQuery('/api/inventory', { search, sort, limit }), signal))
}

/** The shown feed. It changes only by patches and when the dealer asks for what is new: reading is not disturbed. */
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

/** A next page comes with the earlier ones as they were when it was asked for: what was patched meanwhile stays. */
function withPatches(held: FeedData | undefined, next: FeedData): FeedData {
  const isNextPage = held !== undefined && held.pages.at(-1)?.next === next.pageParams[held.pages.length]
  return isNextPage && next.pages.length === held.pages.length + 1
    ? { ...next, pages: [...held.pages, ...next.pages.slice(-1)] }
    : next
}

/** The posts on which the dealer's own toggles are on. */
export function reactionsQuery() {
  return queryOptions({
    queryKey: reactionsKey,
    queryFn: ({ signal }) => call('/api/inventory/reactions', { signal }),
    ...liveQuery,
  })
}

/** Where the post's prices stand in the market, for this reader. */
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

const reactionPresses = definePresses<boolean>('reaction')

/** Turns a toggle at once and puts it back when the server refuses. */
export function useSetReaction(postId: string, kind: ReactionKind) {
  const cache = useQueryClient()
  const { queryKey } = reactionsQuery()
  const id = `${kind}.${postId}`
  const set = (on: boolean) => cache.setQueryData(queryKey, (own) => toggled(own, postId, kind, on))
  return useMutation({
    mutationFn: (on: boolean) => call(`/api/inventory/${postId}/reactions/${kind}`, { method: on ? 'PUT' : 'DELETE' }),
    // Presses in quick succession arrive in their order.
    scope: { id: `reaction-${postId}-${kind}` },
    onMutate: async (on) => {
      reactionPresses.begin(id, cache.getQueryData(queryKey)?.[kind].includes(postId) ?? false)
      await beginShown(cache, queryKey)
      set(on)
    },
    onSuccess: (_done, on) => reactionPresses.taken(id, on),
    onError: () => reactionPresses.refused(id, set),
    onSettled: () => endShown(cache, queryKey),
    meta: { refused: 'Not saved' },
  })
}
