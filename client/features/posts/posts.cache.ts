import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#client/lib/http/api.ts'
import { type FeedPage, heldPost, mapPosts, postQuery, readsMax, removedAtKey } from '#client/lib/post/cached-posts.ts'
import { feedsKey } from '#client/lib/query/query-keys.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { type FeedFilter, headsKey, marketQuery } from './posts.api.ts'

const notFoundStatus = 404

/** Updates the posts shown with newer copies. Refetches an open post, because its page also shows comments. */
export function refreshShown(cache: QueryClient, fresh: readonly Post[]): void {
  const byId = new Map(fresh.map((post) => [post.id, post]))
  mapPosts(cache, (posts) =>
    posts.map((post) => {
      const newer = byId.get(post.id)
      return newer && newer.version > post.version ? newer : post
    }),
  )
  for (const { id, version } of fresh)
    if ((heldPost(cache, id)?.version ?? version) < version)
      void cache.invalidateQueries({ queryKey: postQuery(id).queryKey })
}

/**
 * Refetches posts that disappeared from the first page and may have been deleted. In a feed sorted by time, skips posts that newer posts
 * pushed off. Without a live connection, this is the only way a client learns about deletions.
 */
export function refetchMissing(
  cache: QueryClient,
  { sort }: FeedFilter,
  before: FeedPage | undefined,
  now: FeedPage,
): void {
  const held = new Set(now.posts.map((post) => post.id))
  const oldest = now.posts.at(-1)?.createdAt ?? ''
  const missing = (before?.posts ?? []).filter(
    // In a feed sorted by time, only the oldest posts can drop off the page without being deleted.
    ({ id, createdAt }) => !held.has(id) && (now.next === undefined || sort !== 'recent' || createdAt > oldest),
  )
  for (const { id } of missing) void refreshEdited(cache, id)
}

export function removePost(cache: QueryClient, postId: string): void {
  const without = (posts: Post[]) => posts.filter((post) => post.id !== postId)
  mapPosts(cache, without)
  cache.setQueryData(removedAtKey(postId), Date.now())
  // Also remove the post from the cached heads. Otherwise, it would count as a new post and reappear.
  cache.setQueriesData<FeedPage>({ queryKey: headsKey }, (head) => head && { ...head, posts: without(head.posts) })
  // Responses in flight may still contain the post, so refetch them.
  void cache.refetchQueries({ queryKey: headsKey, fetchStatus: 'fetching' })
  void cache.invalidateQueries({ queryKey: feedsKey, fetchStatus: 'fetching', predicate: ({ state }) => !state.data })
  // Refetch the post for an open page, because the post may be hidden only from other dealers.
  void cache.resetQueries({ queryKey: postQuery(postId).queryKey })
}

/** Fetches an edited post and updates every cached copy. Fetches again if the response is older than `version`. */
export async function refreshEdited(cache: QueryClient, postId: string, version = 0): Promise<void> {
  for (let left = readsMax; left > 0; left -= 1) {
    const fresh = await cache.fetchQuery({ ...postQuery(postId), staleTime: 0 }).catch((error: unknown) => {
      // On a 404, the post was deleted or hidden. After any other error, keep the copy that is shown.
      if (error instanceof ApiError && error.status === notFoundStatus) removePost(cache, postId)
    })
    if (fresh === undefined) return
    // The market position may have been calculated from the old price.
    void cache.invalidateQueries({ queryKey: marketQuery(postId).queryKey })
    const { comments: _comments, ...post } = fresh
    // Like the server's list, feeds contain only the first vehicle of each post.
    mapPosts(cache, (posts) =>
      posts.map((held) =>
        held.id === postId && post.version >= held.version ? { ...post, vehicles: post.vehicles.slice(0, 1) } : held,
      ),
    )
    if (fresh.version >= version) return
  }
}
