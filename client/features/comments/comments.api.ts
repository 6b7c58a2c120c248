import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callNext } from '#client/lib/api.ts'
import { forgetAttempt, keyOfAttempt } from '#client/lib/attempts.ts'
import { aboutPost, attemptAbout, draftSent } from '#client/lib/drafts.ts'
import { heldPost, readsMax, withEarlier } from '#client/lib/held-posts.ts'
import { postKey } from '#client/lib/query-keys.ts'
import { uploadFile } from '#client/lib/upload.ts'
import { attachmentNameMax } from '#shared/limits.ts'
import { withComment } from './comments.cache.ts'
import type { Comment, NewComment } from '#shared/schemas/comments.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'

/** Puts the comments before the held ones in front of them. What it is given runs just before they are shown. */
export function useEarlierComments(postId: string) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: (beforeShown: () => void) => loadEarlier(cache, postId, beforeShown) })
}

/** Loads the page before the held comments. One that was read before a change of the post is asked for again. */
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

/** By the file, not by its address, which is another one each time that it goes up. */
const contentOf = (content: string, file: File | undefined) => [content, file?.name, file?.size, file?.lastModified]

/**
 * The same words with the same file, sent again after a lost answer, are one comment. The attachment goes up first; on success the post is loaded again.
 */
export function useAddComment(postId: string, dealerId: string) {
  const cache = useQueryClient()
  const attempt = attemptAbout(dealerId, aboutPost(postId))
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
        idempotencyKey: keyOfAttempt(attempt, contentOf(content, file)),
      })
    },
    onSuccess: (_comment, { content }) => {
      forgetAttempt(attempt)
      draftSent(aboutPost(postId), content)
      return cache.invalidateQueries({ queryKey: postKey(postId) })
    },
    meta: { refused: 'Comment not posted' },
  })
}

/** The author's new words, at once where they are shown. */
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

/** The author takes a comment back. */
export function useDeleteComment(postId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (commentId: string) => call(`/api/inventory/${postId}/comments/${commentId}`, { method: 'DELETE' }),
    onSuccess: () => cache.invalidateQueries({ queryKey: postKey(postId) }),
    meta: { refused: 'Comment not deleted' },
  })
}

/** The author takes out an attachment, such as one that could not be processed. */
export function useDropAttachment(postId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (commentId: string) =>
      call(`/api/inventory/${postId}/comments/${commentId}/attachment`, { method: 'DELETE' }),
    onSuccess: () => cache.invalidateQueries({ queryKey: postKey(postId) }),
    meta: { refused: 'Attachment not removed' },
  })
}
