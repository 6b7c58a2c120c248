import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import type { PostDetail, PostPatch } from '#shared/schemas/posts.ts'
import { patchPost } from '#client/lib/held-posts.ts'
import { refreshEdited, removePost } from './posts.cache.ts'

/** The seller changes the post, or one vehicle of it. */
export function usePatchPost(postId: string) {
  const keep = useKeepPost(postId)
  return useMutation({
    mutationFn: (patch: PostPatch) => call(`/api/inventory/${postId}`, { method: 'PATCH', body: patch }),
    onSuccess: keep,
    meta: { refused: 'Status not changed' },
  })
}

/** Relists a sold or expired post for thirty days. */
export function useRelistPost(postId: string) {
  const keep = useKeepPost(postId)
  return useMutation({
    mutationFn: () => call(`/api/inventory/${postId}/relist`, { method: 'POST' }),
    onSuccess: keep,
    meta: { refused: 'Post not relisted' },
  })
}

/** `onDeleted` also where the network heard of it first, and with it the page that asked. */
export function useDeletePost(postId: string, onDeleted: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => call(`/api/inventory/${postId}`, { method: 'DELETE' }),
    onSuccess: () => {
      removePost(cache, postId)
      onDeleted()
    },
    meta: { refused: 'Post not deleted' },
  })
}

/** Applies the response to a change before its event arrives. */
function useKeepPost(postId: string) {
  const cache = useQueryClient()
  return (post: PostDetail) => {
    const { status, version, availableCount, vehicleCount } = post
    patchPost(cache, postId, (held) => ({ ...held, status, version, availableCount, vehicleCount }))
    void refreshEdited(cache, postId)
  }
}
