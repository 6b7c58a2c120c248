import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { currentSocket } from '#client/lib/live/connection.ts'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import { useJoined } from '#client/lib/live/room-views.ts'
import { refreshEdited, removePost } from './posts.cache.ts'

/** Maximum number of posts in one `sync` request. The server accepts at most 60. */
const askedMax = 50
/** Posts whose rooms are joined within this many milliseconds share one request. */
const gatherMs = 500

/** The posts in the next request, with the version that is displayed. */
const gathered = defineSlice<{ versions: Record<string, number> }>('post-catch-up', () => ({ versions: {} }))

/**
 * Asks the server for changes to a post each time its room is joined, because events between the fetch and the join are lost.
 * @param version the version shown; undefined until the post has loaded
 */
export function usePostCatchUp(postId: string, version: number | undefined): void {
  const cache = useQueryClient()
  useJoined('post', postId, version !== undefined, () => {
    if (Object.keys(gathered.get().versions).length === 0) setTimeout(() => ask(cache), gatherMs)
    gathered.set(({ versions }) => void (versions[postId] = version ?? 0))
  })
}

function ask(cache: QueryClient): void {
  const all = Object.entries(gathered.get().versions)
  gathered.reset()
  for (let from = 0; from < all.length; from += askedMax) {
    const posts = Object.fromEntries(all.slice(from, from + askedMax))
    currentSocket()?.emit('sync', { dealer: 0, posts }, (answer) => {
      if (!answer.ok) return
      for (const [postId, version] of Object.entries(answer.data.posts ?? {}))
        if (version === 0) removePost(cache, postId)
        else void refreshEdited(cache, postId)
    })
  }
}
