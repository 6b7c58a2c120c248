import type { Comment, NewComment } from '#shared/schemas/posts.ts'
import { badRequest } from '#server/errors.ts'
import { countOnPost, holdPost } from '#server/features/posts/posts-changes.service.ts'
import { attachUrls } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/context.ts'
import { brokenConstraint, type Tx } from '#server/platform/db.ts'
import { assertSelf } from '#server/platform/guards.ts'
import type { Actor } from '#server/platform/session.ts'
import type { Emit } from '#server/platform/transact.ts'
import { findByIdempotencyKey, insertComment, updateHidden } from './comments.repository.ts'

export { listComments } from './comments.repository.ts'

const commentLimit = { name: 'comments', max: 20, seconds: 60 }

/**
 * Adds a comment; who looks at the post sees it at once. The same idempotency key gives the first answer again.
 * @throws 404 for a missing post, 400 for blank text, 429 above 20 a minute.
 */
export async function addComment(
  ctx: Context,
  actor: Actor,
  postId: string,
  input: NewComment,
  key: string | undefined,
): Promise<Comment> {
  assertSelf(actor, input.dealerId)
  const content = input.content.trim()
  if (content === '') throw badRequest('Write something before you comment')
  await ctx.limiter.consume(commentLimit, actor.dealerId)
  try {
    return await ctx.transact(async (tx, emit) => {
      await holdPost(tx, postId)
      const [attachmentUrl] = await attachUrls(tx, actor.dealerId, input.attachmentUrl === undefined ? [] : [input.attachmentUrl]) // prettier-ignore
      const comment = await insertComment(tx, {
        postId,
        dealerId: actor.dealerId,
        content,
        idempotencyKey: key ?? null,
        ...(attachmentUrl !== undefined && { attachmentUrl }),
      })
      const { commentCount } = await countOnPost(tx, emit, postId, 'commentCount', 1)
      emit('comment.added', { postId, comment, commentCount })
      await emit.job('notification.comment', { commentId: comment.id })
      return comment
    })
  } catch (error) {
    const known = key !== undefined && brokenConstraint(error) === 'comments_dealer_id_idempotency_key_key'
    const first = known ? await findByIdempotencyKey(ctx.db, actor.dealerId, key) : undefined
    if (first === undefined) throw error
    return first
  }
}

/**
 * Takes a comment from everybody's sight but its author's, or puts it back; who looks at the post sees it at once.
 * @returns false where there is no such comment, or it is so already
 */
export async function setCommentHidden(tx: Tx, emit: Emit, commentId: string, hidden: boolean): Promise<boolean> {
  const postId = await updateHidden(tx, commentId, hidden)
  if (postId === undefined) return false
  const { version } = await countOnPost(tx, emit, postId, 'commentCount', hidden ? -1 : 1)
  emit('post.edited', { postId, version })
  return true
}
