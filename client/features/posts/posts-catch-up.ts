import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { currentSocket } from '#client/lib/connection.ts'
import { defineSlice } from '#client/lib/slice.ts'
import { useJoined } from '#client/lib/views.ts'
import { refreshEdited, removePost } from './posts.cache.ts'

/** What one `sync` may ask about. */
const askedMax = 50
/** Posts whose rooms are joined within this time share a question. */
const gatherMs = 500

/** The versions that are shown, by post, of which to ask. */
const gathered = defineSlice<{ versions: Record<string, number> }>('post-catch-up', () => ({ versions: {} }))

/**
 * Each time the post's room is joined: asks whether it has changed since it was fetched, and takes the new copy, or takes
 * away what is gone. A page is loaded a moment before its socket is there, and a post of the feed may be scrolled to much
 * later.
 * @param version what is shown; undefined until it is loaded
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
