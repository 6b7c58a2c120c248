import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { commentsPageSize } from '#shared/limits.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import { call, callNext, type Page } from './api.ts'
import { liveQuery } from './live.ts'
import { feedsKey, postKey, postListsKey } from './query-keys.ts'

// Posts as this tab holds them: what the features of a post (the feed, its comments, its auction) all read and patch.

/** On a post that changes all the time the last of so many answers is taken as it is. */
export const readsMax = 3

/** One loaded stretch of the feed. `next` is the address of what follows, from the Link header. */
export interface FeedPage {
  posts: Post[]
  total: number
  next: string | undefined
}

export type FeedData = InfiniteData<FeedPage, string | undefined>

/** Where the event `post.changed` keeps the last change of a post, for who lists its vehicles without holding it; never fetched. */
export const lastChangeKey = (postId: string) => ['/api/inventory', 'change', postId] as const

/** When this tab learned that a post is gone, in ms, for who lists its vehicles without holding it; 0: not, or found again since. Never fetched. */
export const removedAtKey = (postId: string) => ['/api/inventory', 'removed', postId] as const

/** Changes every feed and every other list of posts that is held. */
export function mapPosts(cache: QueryClient, change: (posts: Post[]) => Post[]) {
  cache.setQueriesData<FeedData>(
    { queryKey: feedsKey },
    (feed) => feed && { ...feed, pages: feed.pages.map((page) => ({ ...page, posts: change(page.posts) })) },
  )
  cache.setQueriesData<Post[]>({ queryKey: postListsKey }, (posts) => posts && change(posts))
}

/** Changes one post wherever it is held. Returning the same object changes nothing. */
export function patchPost(cache: QueryClient, postId: string, change: <Held extends Post>(post: Held) => Held): void {
  mapPosts(cache, (posts) => posts.map((post) => (post.id === postId ? change(post) : post)))
  cache.setQueryData<PostDetail>(postKey(postId), (post) => post && change(post))
}

/** A copy that has a comment in it before what came before that comment: the versions of such comments. */
interface Ahead {
  ahead?: readonly number[]
}

/** On a post that is talked about so fast the copy is fetched again. */
const aheadMax = 200

/** The copy with the comment of this version in it: it reaches the version with which nothing before is missing. */
export function reach<Held extends Post>(post: Held & Ahead, version: number): Held {
  if (version <= post.version) return post
  const ahead = new Set([...(post.ahead ?? []), version])
  let reached = post.version
  while (ahead.delete(reached + 1)) reached += 1
  const { ahead: _ahead, ...held } = post
  const left = [...ahead].filter((later) => later > reached).slice(-aheadMax)
  return { ...(held as unknown as Held), version: reached, ...(left.length > 0 && { ahead: left }) }
}

/** Whether the comments of all versions up to this one are in the copy. */
export function hasComments(post: Post & Ahead, version: number): boolean {
  const ahead = new Set(post.ahead)
  for (let next = post.version + 1; next <= version; next += 1) if (!ahead.has(next)) return false
  return true
}

/** More new comments than so many pages are not read to reach those that are held: the reader starts at the newest again. */
const gapPagesMax = 5

export const heldPost = (cache: QueryClient, postId: string) => cache.getQueryData<PostDetail>(postKey(postId))

/** The post with one more page of comments in front of those it has. */
export function withEarlier(post: PostDetail, { rows, next }: Page<Comment>): PostDetail {
  const known = new Set(post.comments.map(({ id }) => id))
  const comments = [...rows.filter(({ id }) => !known.has(id)), ...post.comments]
  return { ...post, comments, earlierComments: next ?? null }
}

/** Where the oldest comment that is held stands among these, or would if it were not gone; -1: before all of them. */
function placeOf(oldest: Comment, comments: readonly Comment[]): number {
  const place = comments.findIndex(({ id }) => id === oldest.id)
  const isPast = (comments[0]?.createdAt ?? '') < oldest.createdAt
  return place === -1 && isPast ? comments.findIndex(({ createdAt }) => createdAt >= oldest.createdAt) : place
}

/**
 * A post that was fetched comes with its newest comments. Adds those before them, read anew, as far back as they are held and
 * no further: what a reader has opened stays open, and nothing opens by itself.
 */
async function reachBack(cache: QueryClient, newest: PostDetail, signal: AbortSignal): Promise<PostDetail> {
  let reached = newest
  for (let pages = 0; ; pages += 1) {
    // Looked at each time: more may be opened meanwhile.
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

/** An answer that was read before an event that is applied by now would undo it: then it is asked for again. */
async function fetchPost(cache: QueryClient, postId: string, signal: AbortSignal): Promise<PostDetail> {
  for (let left = readsMax; ; left -= 1) {
    const newest = await call(`/api/inventory/${encodeURIComponent(postId)}`, { signal })
    const post = await reachBack(cache, newest, signal)
    const held = cache.getQueryData<PostDetail>(postKey(postId))
    if (left <= 1 || held === undefined || held.version <= post.version) return post
  }
}

/** A post with vehicles and its newest comments, and those before them that have been opened. */
export function postQuery(postId: string) {
  return queryOptions({
    queryKey: postKey(postId),
    queryFn: ({ signal, client }) => fetchPost(client, postId, signal),
    ...liveQuery,
  })
}
