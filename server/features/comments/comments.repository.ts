import { sql, type Insertable } from 'kysely'
import { commentEditMs } from '#shared/limits.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import type { Comments } from '#server/db/schema.ts'
import { selectComments, toComment } from '#server/features/posts/post-comments.rows.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

/** Lock the post first, so that times follow the order of insertion. Clients sort by time, so times are in whole milliseconds. */
export async function insertComment(
  tx: Tx,
  comment: {
    postId: string
    dealerId: string
    content: string
    attachmentUrl: string | null
    attachmentName: string | null
    idempotencyKey: string | null
  },
): Promise<Comment> {
  const createdAt = sql<Date>`date_trunc('milliseconds', clock_timestamp())`
  const { id } = await tx
    .insertInto('comments')
    .values({ ...comment, createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return toComment(await selectComments(tx).where('comments.id', '=', id).executeTakeFirstOrThrow())
}

export async function findComment(db: Db, postId: string, commentId: string): Promise<Comment | undefined> {
  const row = await selectComments(db)
    .where('comments.id', '=', commentId)
    .where('comments.postId', '=', postId)
    .where('comments.deletedAt', 'is', null)
    .executeTakeFirst()
  return row === undefined ? undefined : toComment(row)
}

export async function listByObject(db: Db, objectId: string): Promise<{ postId: string; comment: Comment }[]> {
  const rows = await selectComments(db)
    .select('comments.postId')
    .where('comments.attachmentObject', '=', objectId)
    .where('comments.deletedAt', 'is', null)
    .orderBy('comments.postId')
    .execute()
  return rows.map((row) => ({ postId: row.postId, comment: toComment(row) }))
}

export async function removeAttachment(tx: Tx, commentId: string): Promise<void> {
  await tx
    .updateTable('comments')
    .set({ attachmentUrl: null, attachmentName: null })
    .where('id', '=', commentId)
    .execute()
}

export async function findByIdempotencyKey(db: Db, dealerId: string, key: string): Promise<Comment | undefined> {
  const row = await selectComments(db)
    .where('comments.dealerId', '=', dealerId)
    .where('comments.idempotencyKey', '=', key)
    .executeTakeFirst()
  return row === undefined ? undefined : toComment(row)
}

/** Returns false if the time limit for edits has passed. */
export async function updateContent(tx: Tx, commentId: string, content: string): Promise<boolean> {
  const result = await tx
    .updateTable('comments')
    .set({ content, editedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', commentId)
    .where('createdAt', '>', sql<Date>`clock_timestamp() - ${commentEditMs} * interval '1 millisecond'`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The row is kept for moderators, because the comment may have been reported. */
export async function markDeleted(tx: Tx, commentId: string): Promise<void> {
  await tx
    .updateTable('comments')
    .set({ deletedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', commentId)
    .execute()
}

/** Returns the id of the comment's post, or undefined if the comment is deleted or already in this state. */
export async function updateHidden(tx: Tx, commentId: string, hidden: boolean): Promise<string | undefined> {
  const row = await tx
    .updateTable('comments')
    .set({ hiddenAt: hidden ? sql<Date>`clock_timestamp()` : null })
    .where('id', '=', commentId)
    .where('hiddenAt', hidden ? 'is' : 'is not', null)
    .where('deletedAt', 'is', null)
    .returning('postId')
    .executeTakeFirst()
  return row?.postId
}

/** Does not update the posts' comment counts. */
export async function insertPastComments(tx: Tx, comments: Insertable<Comments>[]): Promise<void> {
  await tx.insertInto('comments').values(comments).execute()
}
