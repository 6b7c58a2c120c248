import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callNext } from '#client/lib/http/api.ts'
import { forgetIdempotencyKey, idempotencyKeyOf } from '#client/lib/http/idempotency-key.ts'
import { commentDraftKey, draftNameOf, draftSent } from '#client/lib/storage/drafts.ts'
import { heldPost, readsMax, withEarlier } from '#client/lib/post/cached-posts.ts'
import { postKey } from '#client/lib/query/query-keys.ts'
import { uploadFile } from '#client/lib/files/upload-file.ts'
import { attachmentNameMax } from '#shared/limits.ts'
import { withComment } from './comments.cache.ts'
import type { Comment, NewComment } from '#shared/schemas/comments.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'

/** Loads earlier comments. The mutation's argument is a callback that runs just before the comments are shown. */
export function useEarlierComments(postId: string) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: (beforeShown: () => void) => loadEarlier(cache, postId, beforeShown) })
}

/** Loads the page of comments before the oldest loaded comment. Refetches that page if the post changed during the request. */
async function loadEarlier(cache: QueryClient, postId: string, beforeShown: () => void): Promise<void> {
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

/** Identifies a comment's content. Uses the file and not its URL, because each upload gets a different URL. */
const contentOf = (content: string, file: File | undefined) => [content, file?.name, file?.size, file?.lastModified]

/** Uploads the attachment and adds the comment. Sending the same text and file again does not add a second comment. */
export function useAddComment(postId: string, dealerId: string) {
  const cache = useQueryClient()
  const draftName = draftNameOf(dealerId, commentDraftKey(postId))
  return useMutation({
    mutationFn: async ({ content, file }: { content: string; file: File | undefined }) => {
      const comment: NewComment = { dealerId, content }
      if (file) {
        comment.attachmentUrl = await uploadFile(file, { kind: 'attachment', signal: new AbortController().signal })
        comment.attachmentName = file.name.slice(-attachmentNameMax)
      }
      return call(`/api/inventory/${postId}/comments`, {
        method: 'POST',
        body: comment,
        idempotencyKey: idempotencyKeyOf(draftName, contentOf(content, file)),
      })
    },
    onSuccess: (_comment, { content }) => {
      forgetIdempotencyKey(draftName)
      draftSent(commentDraftKey(postId), content)
      return cache.invalidateQueries({ queryKey: postKey(postId) })
    },
    meta: { refused: 'Comment not posted' },
  })
}

export function useEditComment(postId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, content }: { id: string; content: string }) =>
      call(`/api/inventory/${postId}/comments/${id}`, { method: 'PATCH', body: { content } }),
    onSuccess: (comment) =>
      cache.setQueryData<PostDetail>(postKey(postId), (post) => post && withComment(post, comment)),
    meta: { refused: 'Comment not changed' },
  })
}

export function useDeleteComment(postId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (commentId: string) => call(`/api/inventory/${postId}/comments/${commentId}`, { method: 'DELETE' }),
    onSuccess: () => cache.invalidateQueries({ queryKey: postKey(postId) }),
    meta: { refused: 'Comment not deleted' },
  })
}

export function useDropAttachment(postId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (commentId: string) =>
      call(`/api/inventory/${postId}/comments/${commentId}/attachment`, { method: 'DELETE' }),
    onSuccess: () => cache.invalidateQueries({ queryKey: postKey(postId) }),
    meta: { refused: 'Attachment not removed' },
  })
}
