import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#client/lib/api.ts'
import { type FeedPage, heldPost, mapPosts, postQuery, readsMax, removedAtKey } from '#client/lib/held-posts.ts'
import { feedsKey } from '#client/lib/query-keys.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { type FeedFilter, headsKey, marketQuery } from './posts.api.ts'

const notFoundStatus = 404

/**
 * Takes newer copies of posts that are shown; new posts are not added here. What only the whole post has, as its comments, is
 * fetched again where it is open.
 */
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
 * The newest stretch lacks posts that it held before: they are gone, or others went past them. Asked one by one: without a
 * connection nothing else tells of a removal.
 */
export function askForMissing(
  cache: QueryClient,
  { sort }: FeedFilter,
  before: FeedPage | undefined,
  now: FeedPage,
): void {
  const held = new Set(now.posts.map((post) => post.id))
  const oldest = now.posts.at(-1)?.createdAt ?? ''
  const missing = (before?.posts ?? []).filter(
    // By time nothing goes past another: what is older fell off the end.
    ({ id, createdAt }) => !held.has(id) && (now.next === undefined || sort !== 'recent' || createdAt > oldest),
  )
  for (const { id } of missing) void refreshEdited(cache, id)
}

export function removePost(cache: QueryClient, postId: string): void {
  const without = (posts: Post[]) => posts.filter((post) => post.id !== postId)
  mapPosts(cache, without)
  cache.setQueryData(removedAtKey(postId), Date.now())
  // Otherwise it would count as news, and come back by itself.
  cache.setQueriesData<FeedPage>({ queryKey: headsKey }, (head) => head && { ...head, posts: without(head.posts) })
  // Answers under way may have been read before, and would bring it back.
  void cache.refetchQueries({ queryKey: headsKey, fetchStatus: 'fetching' })
  void cache.invalidateQueries({ queryKey: feedsKey, fetchStatus: 'fetching', predicate: ({ state }) => !state.data })
  // A page that shows it asks again: it may be gone for others only.
  void cache.resetQueries({ queryKey: postQuery(postId).queryKey })
}

/**
 * A post's text, vehicles, photos or summary changed: takes the new copy wherever the post is held.
 * @param version that is to be reached: an answer that was on its way before is asked for again
 */
export async function refreshEdited(cache: QueryClient, postId: string, version = 0): Promise<void> {
  for (let left = readsMax; left > 0; left -= 1) {
    const fresh = await cache.fetchQuery({ ...postQuery(postId), staleTime: 0 }).catch((error: unknown) => {
      // Gone, or hidden, before this was asked. Any other failure leaves the copy that is shown, with its version.
      if (error instanceof ApiError && error.status === notFoundStatus) removePost(cache, postId)
    })
    if (fresh === undefined) return
    // Read before another price, it says where the old one stood.
    void cache.invalidateQueries({ queryKey: marketQuery(postId).queryKey })
    const { comments: _comments, ...post } = fresh
    // A feed holds the first vehicle only, as the server lists it.
    mapPosts(cache, (posts) =>
      posts.map((held) =>
        held.id === postId && post.version >= held.version ? { ...post, vehicles: post.vehicles.slice(0, 1) } : held,
      ),
    )
    if (fresh.version >= version) return
  }
}
