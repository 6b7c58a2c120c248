import type { Comment, CommentPatch, CommentsQuery, NewComment } from '#shared/schemas/comments.ts'
import { trimText, trimTitle } from '#shared/visible-text.ts'
import { AppError, badRequest, conflict, forbidden, notFound } from '#server/errors.ts'
import { readComments } from '#server/features/posts/post-comments.service.ts'
import {
  countOnPost,
  lockVisiblePost,
  lockVisiblePosts,
  readCommentCount,
  touchPost,
} from '#server/features/posts/posts-changes.service.ts'
import { followComment } from '#server/features/notifications/notifications.service.ts'
import { allowLinks, attachUrls, releaseUrls } from '#server/features/uploads/uploads.service.ts'
import { createBatches } from '#server/platform/database/statement-batches.ts'
import type { Context } from '#server/platform/process/context.ts'
import { limitLockWait, type Tx } from '#server/platform/database/db.ts'
import { assertSelf } from '#server/platform/http/guards.ts'
import { once } from '#server/platform/run-once.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  findByIdempotencyKey,
  findComment,
  insertComment,
  listByObject,
  markDeleted,
  removeAttachment,
  updateContent,
  updateHidden,
} from './comments.repository.ts'

/** @throws 404 if the dealer cannot see the post */
export async function readCommentsPage(ctx: Context, actor: Actor, postId: string, query: CommentsQuery) {
  const total = await readCommentCount(ctx.db, postId, actor.dealerId)
  return { ...(await readComments(ctx, postId, actor.dealerId, query)), total }
}

const commentLimit = { name: 'comments', max: 20, seconds: 60 }

type NewRow = Parameters<typeof insertComment>[1]

/** Stores a comment, counts it and notifies the seller. The caller must lock the post. */
async function store(tx: Tx, emit: Emit, row: NewRow): Promise<Comment> {
  const { postId } = row
  const comment = await insertComment(tx, row)
  const { commentCount, version } = await countOnPost(tx, emit, postId, 'commentCount', 1)
  emit('comment.added', { postId, comment, commentCount, version })
  await emit.job('notification.comment', { commentId: comment.id }, { uniqueKey: postId })
  return comment
}

export type CommentBatcher = (row: NewRow) => Promise<Comment | AppError>

/** Stores several comments in one transaction, because each commit costs a disk write. */
export function createCommentBatcher(ctx: Context): CommentBatcher {
  return createBatches<NewRow, Comment | AppError>(
    ({ postId }) => postId,
    (rows, lockWaitMs) =>
      ctx.transact(async (tx, emit) => {
        await limitLockWait(tx, lockWaitMs)
        const postIds = rows.map(({ postId }) => postId)
        const there = await lockVisiblePosts(tx, postIds)
        const answers: (Comment | AppError)[] = []
        for (const row of rows) answers.push(there.has(row.postId) ? await store(tx, emit, row) : notFound('This post'))
        return answers
      }),
  )
}

/** A repeated `key` returns the first comment. @throws 400 if the text is blank; 404 if the post does not exist; 429 */
export async function addComment(
  ctx: Context,
  batcher: CommentBatcher,
  actor: Actor,
  { postId, input, key }: { postId: string; input: NewComment; key: string | undefined },
): Promise<Comment> {
  assertSelf(actor, input.dealerId)
  const { dealerId } = actor
  const content = trimText(input.content)
  if (content === '') throw badRequest('Enter a comment first')
  const row = { postId, dealerId, content, idempotencyKey: key ?? null, attachmentUrl: null, attachmentName: null }
  const attach = (url: string) =>
    ctx.transact(async (tx, emit) => {
      await lockVisiblePost(tx, postId)
      const owner = { dealerId, kind: 'attachment', now: ctx.now() } as const
      const [attachmentUrl = null] = await attachUrls(tx, emit, owner, [url])
      return store(tx, emit, { ...row, attachmentUrl, attachmentName: trimTitle(input.attachmentName ?? '') || null })
    })
  const findKnown = async () => (key === undefined ? undefined : findByIdempotencyKey(ctx.db, dealerId, key))
  return once(findKnown, async () => {
    await ctx.limiter.consume(commentLimit, dealerId)
    await allowLinks(ctx, actor, input.attachmentUrl === undefined ? [] : [input.attachmentUrl])
    const stored = await (input.attachmentUrl === undefined ? batcher(row) : attach(input.attachmentUrl))
    if (stored instanceof AppError) throw stored
    return stored
  })
}

/** Sends no content of a hidden comment, because only its author may see it. The author's client refetches the comment. */
async function emitComment(tx: Tx, emit: Emit, postId: string, comment: Comment): Promise<void> {
  const { version, commentCount } = await touchPost(tx, emit, postId)
  if (comment.hidden === true) emit('post.edited', { postId, version })
  else emit('comment.changed', { postId, comment, commentCount, version })
}

export async function updateAttachments(tx: Tx, emit: Emit, objectId: string): Promise<void> {
  for (const { postId, comment } of await listByObject(tx, objectId)) await emitComment(tx, emit, postId, comment)
}

/** Locks the post. @throws 404 if the post or comment does not exist; 403 if the comment belongs to another dealer */
async function lockOwn(tx: Tx, actor: Actor, postId: string, commentId: string): Promise<Comment> {
  await lockVisiblePost(tx, postId)
  const comment = await findComment(tx, postId, commentId)
  if (comment === undefined) throw notFound('This comment')
  if (comment.dealer.id !== actor.dealerId) throw forbidden('Only the author can edit this comment')
  return comment
}

/** @throws 400 if the text is blank; 403 if it is another dealer's; 404 if it does not exist; 409 after 15 minutes; 429 */
export async function editComment(
  ctx: Context,
  actor: Actor,
  postId: string,
  commentId: string,
  input: CommentPatch,
): Promise<Comment> {
  const content = trimText(input.content)
  if (content === '') throw badRequest('Enter some text or delete the comment')
  await ctx.limiter.consume(commentLimit, actor.dealerId)
  return ctx.transact(async (tx, emit) => {
    const before = await lockOwn(tx, actor, postId, commentId)
    if (before.content === content) return before
    if (!(await updateContent(tx, commentId, content)))
      throw conflict('Comments can be edited for 15 minutes. You can still delete yours')
    const comment = (await findComment(tx, postId, commentId)) ?? before
    await emitComment(tx, emit, postId, comment)
    if (comment.hidden !== true) await followComment(tx, emit, commentId, content)
    return comment
  })
}

/** @throws 403 if the comment belongs to another dealer; 404 if the post or comment does not exist */
export async function deleteComment(ctx: Context, actor: Actor, postId: string, commentId: string): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const { attachmentUrl, hidden } = await lockOwn(tx, actor, postId, commentId)
    await markDeleted(tx, commentId)
    if (attachmentUrl !== null) {
      await removeAttachment(tx, commentId)
      await releaseUrls(tx, actor.dealerId, [attachmentUrl])
    }
    // A hidden comment is not included in the count.
    const { version } = hidden
      ? await touchPost(tx, emit, postId)
      : await countOnPost(tx, emit, postId, 'commentCount', -1)
    emit('post.edited', { postId, version })
    await followComment(tx, emit, commentId)
  })
}

/** Removes the attachment. Idempotent. @throws 404 if the post or comment does not exist; 403 if it is another dealer's comment */
export async function dropAttachment(ctx: Context, actor: Actor, postId: string, commentId: string): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const comment = await lockOwn(tx, actor, postId, commentId)
    if (comment.attachmentUrl === null) return
    await removeAttachment(tx, commentId)
    await releaseUrls(tx, actor.dealerId, [comment.attachmentUrl])
    await emitComment(tx, emit, postId, { ...comment, attachmentUrl: null, attachment: null })
  })
}

/** Hides or shows a comment. A hidden comment stays visible to its author. Returns false if nothing changes. */
export async function setCommentHidden(tx: Tx, emit: Emit, commentId: string, hidden: boolean): Promise<boolean> {
  const postId = await updateHidden(tx, commentId, hidden)
  if (postId === undefined) return false
  const { version } = await countOnPost(tx, emit, postId, 'commentCount', hidden ? -1 : 1)
  emit('post.edited', { postId, version })
  if (hidden) await followComment(tx, emit, commentId)
  return true
}

export { insertPastComments } from './comments.repository.ts'
