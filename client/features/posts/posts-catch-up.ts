import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { currentSocket } from '#client/lib/live/connection.ts'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import { useJoined } from '#client/lib/live/room-views.ts'
import { refreshEdited, removePost } from './posts.cache.ts'

/** The maximum number of posts that the server accepts in one `sync` request. */
const askedMax = 50
/** Posts whose rooms are joined within this many milliseconds share one request. */
const gatherMs = 500

/** The versions shown on screen of the posts that the next request asks about. */
const gathered = defineSlice<{ versions: Record<string, number> }>('post-catch-up', () => ({ versions: {} }))

/**
 * Each time a post's room is joined, asks the server whether the post has changed, and updates or removes it. Events may have been
 * missed, because the post was fetched before the room was joined.
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
