import type { QueryClient } from '@tanstack/react-query'
import { callNext } from '#client/lib/api.ts'
import { heldPost, readsMax, withEarlier } from '#client/lib/held-posts.ts'
import { postKey } from '#client/lib/query-keys.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'

/** Loads the page before the held comments. One that was read before a change of the post is asked for again. */
export async function loadEarlier(cache: QueryClient, postId: string, beforeShown: () => void): Promise<void> {
  for (let left = readsMax; ; left -= 1) {
    const asked = heldPost(cache, postId)
    if (asked === undefined || asked.earlierComments === null) return
    const page = await callNext<Comment>(asked.earlierComments)
    const held = heldPost(cache, postId)
    if (held?.earlierComments !== asked.earlierComments) return
    if (left > 1 && held.version !== asked.version) continue
    beforeShown()
    cache.setQueryData<PostDetail>(postKey(postId), withEarlier(held, page))
    return
  }
}
