import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { commentsPageSize } from '#shared/limits.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import { call, callNext, type Page } from '../http/api.ts'
import { liveQuery } from '../live/live-queries.ts'
import { feedsKey, postKey, postListsKey, vehicleActivityKey } from '../query/query-keys.ts'

/** Maximum number of fetches if the post or auction keeps changing. The last response is used even if it is already outdated. */
export const readsMax = 3

export interface FeedPage {
  posts: Post[]
  total: number
  next: string | undefined
}

export type FeedData = InfiniteData<FeedPage, string | undefined>

/** Query key of the last `post.changed` event, for lists that do not contain the post itself. Set by events, never fetched. */
export const lastChangeKey = (postId: string) => ['/api/inventory', 'change', postId] as const

/** Query key of the time (epoch milliseconds) when this tab learned that a post was deleted; 0 if it was not. Never fetched. */
export const removedAtKey = (postId: string) => ['/api/inventory', 'removed', postId] as const

/** Refetches the feeds and the dealer's own figures. Call this after the dealer has published or edited a post. */
export const refetchOwnPosts = (cache: QueryClient): Promise<unknown> =>
  Promise.all([feedsKey, vehicleActivityKey].map((queryKey) => cache.invalidateQueries({ queryKey })))

export function mapPosts(cache: QueryClient, change: (posts: Post[]) => Post[]) {
  cache.setQueriesData<FeedData>(
    { queryKey: feedsKey },
    (feed) => feed && { ...feed, pages: feed.pages.map((page) => ({ ...page, posts: change(page.posts) })) },
  )
  cache.setQueriesData<Post[]>({ queryKey: postListsKey }, (posts) => posts && change(posts))
}

/** Changes one post everywhere in the cache. If `change` returns the same object, nothing happens. */
export function patchPost(cache: QueryClient, postId: string, change: <Held extends Post>(post: Held) => Held): void {
  mapPosts(cache, (posts) => posts.map((post) => (post.id === postId ? change(post) : post)))
  cache.setQueryData<PostDetail>(postKey(postId), (post) => post && change(post))
}

/** `ahead`: versions of comments that were applied, although an earlier change of the post is still missing. */
interface Ahead {
  ahead?: readonly number[]
}

/** Beyond this number, as on a very busy post, versions are dropped. They leave a gap, which leads to a refetch. */
const aheadMax = 200

/** Records that the comment with this version was applied. Raises the post's version as far as no version is missing. */
export function advanceVersion<Held extends Post>(post: Held & Ahead, version: number): Held {
  if (version <= post.version) return post
  const ahead = new Set([...(post.ahead ?? []), version])
  let reached = post.version
  while (ahead.delete(reached + 1)) reached += 1
  const { ahead: _ahead, ...held } = post
  const left = [...ahead].filter((later) => later > reached).slice(-aheadMax)
  return { ...(held as unknown as Held), version: reached, ...(left.length > 0 && { ahead: left }) }
}

export function hasComments(post: Post & Ahead, version: number): boolean {
  const ahead = new Set(post.ahead)
  for (let next = post.version + 1; next <= version; next += 1) if (!ahead.has(next)) return false
  return true
}

/** Maximum pages to load between the newest and the cached comments. If there are more, only the newest comments are shown. */
const gapPagesMax = 5

export const heldPost = (cache: QueryClient, postId: string) => cache.getQueryData<PostDetail>(postKey(postId))

export function withEarlier(post: PostDetail, { rows, next }: Page<Comment>): PostDetail {
  const known = new Set(post.comments.map(({ id }) => id))
  const comments = [...rows.filter(({ id }) => !known.has(id)), ...post.comments]
  return { ...post, comments, earlierComments: next ?? null }
}

/** Returns the position of the oldest cached comment in the list, or where it would be; -1 if the list does not go back that far. */
function placeOf(oldest: Comment, comments: readonly Comment[]): number {
  const place = comments.findIndex(({ id }) => id === oldest.id)
  const isPast = (comments[0]?.createdAt ?? '') < oldest.createdAt
  return place === -1 && isPast ? comments.findIndex(({ createdAt }) => createdAt >= oldest.createdAt) : place
}

/** Reloads the earlier comments that the dealer had loaded, because a fetched post contains only its newest comments. */
async function withLoadedComments(cache: QueryClient, newest: PostDetail, signal: AbortSignal): Promise<PostDetail> {
  let reached = newest
  for (let pages = 0; ; pages += 1) {
    const held = heldPost(cache, newest.id)
    const [oldest] = held?.comments ?? []
    if (held === undefined || oldest === undefined) return reached
    const place = held.earlierComments === null ? -1 : placeOf(oldest, reached.comments)
    if (place > 0) return { ...reached, comments: reached.comments.slice(place), earlierComments: held.earlierComments }
    if (place === 0 || reached.earlierComments === null) return reached
    if (pages > held.comments.length / commentsPageSize + gapPagesMax) return newest
    reached = withEarlier(reached, await callNext<Comment>(reached.earlierComments, signal))
  }
}

/** Fetches a post. Fetches again if a newer event was applied in the meantime, because the response would undo it. */
async function fetchPost(cache: QueryClient, postId: string, signal: AbortSignal): Promise<PostDetail> {
  for (let left = readsMax; ; left -= 1) {
    const newest = await call(`/api/inventory/${encodeURIComponent(postId)}`, { signal })
    const post = await withLoadedComments(cache, newest, signal)
    const held = cache.getQueryData<PostDetail>(postKey(postId))
    if (left <= 1 || held === undefined || held.version <= post.version) return post
  }
}

export function postQuery(postId: string) {
  return queryOptions({
    queryKey: postKey(postId),
    queryFn: ({ signal, client }) => fetchPost(client, postId, signal),
    ...liveQuery,
  })
}
