import { sql, type Insertable } from 'kysely'
import { commentEditMs } from '#shared/limits.ts'
import type { Comment, CommentsQuery } from '#shared/schemas/comments.ts'
import type { Comments } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import { decodeCursor, encodeCursor, TimeKey } from '#server/platform/keyset.ts'

const selectComments = (db: Db) =>
  db
    .selectFrom('comments')
    .innerJoin('dealers', 'dealers.id', 'comments.dealerId')
    .leftJoin('objects', 'objects.id', 'comments.attachmentObject')
    .select([
      'comments.id',
      'comments.content',
      'comments.createdAt',
      'comments.editedAt',
      'comments.attachmentUrl',
      'comments.attachmentName',
      'comments.attachmentObject',
      'objects.state as objectState',
      'objects.contentType as objectType',
      'comments.hiddenAt',
      'dealers.id as dealerId',
      'dealers.name',
      'dealers.avatar',
    ])

type CommentRow = Awaited<ReturnType<ReturnType<typeof selectComments>['executeTakeFirstOrThrow']>>

function stateOf({ attachmentObject, objectState }: CommentRow): NonNullable<Comment['attachment']>['state'] {
  // An upload whose object is gone had failed and was swept.
  if (attachmentObject === null || objectState === 'ready') return 'ready'
  return objectState === 'awaited' || objectState === 'stored' ? 'processing' : 'failed'
}

function toAttachment(row: CommentRow): Comment['attachment'] {
  if (row.attachmentUrl === null) return null
  return {
    name: row.attachmentName,
    state: stateOf(row),
    isPicture: row.objectType?.startsWith('image/') ?? false,
  }
}

function toComment(row: CommentRow): Comment {
  return {
    id: row.id,
    content: row.content,
    createdAt: row.createdAt.toISOString(),
    ...(row.editedAt !== null && { editedAt: row.editedAt.toISOString() }),
    attachmentUrl: row.attachmentUrl,
    attachment: toAttachment(row),
    dealer: { id: row.dealerId, name: row.name, avatar: row.avatar },
    ...(row.hiddenAt !== null && { hidden: true }),
  }
}

/**
 * One keyset page, oldest first: the newest comments or those before a cursor, and the cursor of the earlier ones.
 * Comments hidden by moderators are visible only to their author, marked.
 */
export async function listComments(
  db: Db,
  postId: string,
  readerId: string,
  { limit, before }: CommentsQuery,
): Promise<{ comments: Comment[]; earlier: string | undefined }> {
  let query = selectComments(db)
    .select(sql<string>`comments.created_at::text`.as('at'))
    .where('comments.postId', '=', postId)
    .where('comments.deletedAt', 'is', null)
    .where((eb) => eb.or([eb('comments.hiddenAt', 'is', null), eb('comments.dealerId', '=', readerId)]))
  if (before !== undefined) {
    const { at, id } = decodeCursor(TimeKey, before)
    query = query.where(sql<boolean>`(comments.created_at, comments.id) < (${at}::timestamptz, ${id}::uuid)`)
  }
  const rows = await query
    .orderBy('comments.createdAt', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const oldest = page.at(-1)
  const more = rows.length > limit && oldest !== undefined
  return {
    comments: page.toReversed().map(toComment),
    earlier: more ? encodeCursor({ at: oldest.at, id: oldest.id }) : undefined,
  }
}

/** Lock the post first, so that times follow the order of insertion. In milliseconds, as clients sort them. */
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

/** Changes the text. False if the time limit for edits has passed. */
export async function updateContent(tx: Tx, commentId: string, content: string): Promise<boolean> {
  const result = await tx
    .updateTable('comments')
    .set({ content, editedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', commentId)
    .where('createdAt', '>', sql<Date>`clock_timestamp() - ${commentEditMs} * interval '1 millisecond'`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Hides a deleted comment. The row stays for moderators, because it may have been reported. */
export async function markDeleted(tx: Tx, commentId: string): Promise<void> {
  await tx
    .updateTable('comments')
    .set({ deletedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', commentId)
    .execute()
}

/** Returns the comment's post; undefined if nothing changes. */
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

/** Inserts past comments without updating their posts' counts. */
export async function insertPastComments(tx: Tx, comments: Insertable<Comments>[]): Promise<void> {
  await tx.insertInto('comments').values(comments).execute()
}
