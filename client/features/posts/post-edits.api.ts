import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/http/api.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { patchPost } from '#client/lib/post/cached-posts.ts'
import { useEndAuctionQuestion, usePostPatch } from '#client/ui/end-auction-question.tsx'
import { refreshEdited, removePost } from './posts.cache.ts'

/** Changes a post or one of its vehicles. Callers must render `question`, which asks for confirmation before an auction ends. */
export function usePatchPost(postId: string) {
  const { mutate, isPending, asking, question } = usePostPatch(postId, 'Status not changed', useKeepPost(postId))
  // Not pending while the question is open, so that the button that opened it is enabled and can regain focus.
  return { mutate, isPending: isPending && !asking, question }
}

export function useRelistPost(postId: string) {
  const keep = useKeepPost(postId)
  return useMutation({
    mutationFn: () => call(`/api/inventory/${postId}/relist`, { method: 'POST' }),
    onSuccess: keep,
    meta: { refused: 'Post not relisted' },
  })
}

/**
 * Deletes a post. Callers must render `question`, which asks for confirmation before an auction ends. `onAsk` closes the panel that the
 * question replaces. `onDeleted` runs even after the dealer has left the page.
 */
export function useDeletePost(postId: string, { onDeleted, onAsk }: { onDeleted: () => void; onAsk: () => void }) {
  const cache = useQueryClient()
  const { sendAsking, question } = useEndAuctionQuestion(onAsk)
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      sendAsking(({ endAuction }) =>
        call(withQuery(`/api/inventory/${postId}`, { endAuction: endAuction && 'true' }), { method: 'DELETE' }),
      ),
    onSuccess: (sent) => {
      if (sent === undefined) return
      removePost(cache, postId)
      onDeleted()
    },
    meta: { refused: 'Post not deleted' },
  })
  return { mutate, isPending, question }
}

/** Returns a function that applies the response at once, without waiting for the event about the change. */
function useKeepPost(postId: string) {
  const cache = useQueryClient()
  return (post: PostDetail) => {
    const { status, version, availableCount, vehicleCount } = post
    patchPost(cache, postId, (held) => ({ ...held, status, version, availableCount, vehicleCount }))
    void refreshEdited(cache, postId)
  }
}
