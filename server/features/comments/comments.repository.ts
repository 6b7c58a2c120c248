import { sql } from 'kysely'
import type { Comment, NewComment } from '#shared/schemas/posts.ts'
import type { Db, Tx } from '#server/platform/db.ts'

const selectComments = (db: Db) =>
  db
    .selectFrom('comments')
    .innerJoin('dealers', 'dealers.id', 'comments.dealerId')
    .select([
      'comments.id',
      'comments.content',
      'comments.createdAt',
      'comments.attachmentUrl',
      'comments.hiddenAt',
      'dealers.id as dealerId',
      'dealers.name',
      'dealers.avatar',
    ])

function toComment(row: Awaited<ReturnType<ReturnType<typeof selectComments>['executeTakeFirstOrThrow']>>): Comment {
  return {
    id: row.id,
    content: row.content,
    createdAt: row.createdAt.toISOString(),
    attachmentUrl: row.attachmentUrl,
    dealer: { id: row.dealerId, name: row.name, avatar: row.avatar },
    ...(row.hiddenAt !== null && { hidden: true }),
  }
}

/** Oldest first. One that moderators have hidden is there for its own author alone, marked. */
export async function listComments(db: Db, postId: string, readerId: string): Promise<Comment[]> {
  const rows = await selectComments(db)
    .where('postId', '=', postId)
    .where((eb) => eb.or([eb('comments.hiddenAt', 'is', null), eb('comments.dealerId', '=', readerId)]))
    .orderBy('comments.createdAt')
    .orderBy('comments.id')
    .execute()
  return rows.map(toComment)
}

export async function insertComment(
  tx: Tx,
  comment: { postId: string; dealerId: string; idempotencyKey: string | null } & Pick<
    NewComment,
    'content' | 'attachmentUrl'
  >,
): Promise<Comment> {
  const { id } = await tx
    .insertInto('comments')
    .values({ ...comment, attachmentUrl: comment.attachmentUrl ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return toComment(await selectComments(tx).where('comments.id', '=', id).executeTakeFirstOrThrow())
}

export async function findByIdempotencyKey(db: Db, dealerId: string, key: string): Promise<Comment | undefined> {
  const row = await selectComments(db)
    .where('comments.dealerId', '=', dealerId)
    .where('comments.idempotencyKey', '=', key)
    .executeTakeFirst()
  return row === undefined ? undefined : toComment(row)
}

/** The comment's post. Undefined: there is no such comment, or it is so already. */
export async function updateHidden(tx: Tx, commentId: string, hidden: boolean): Promise<string | undefined> {
  const row = await tx
    .updateTable('comments')
    .set({ hiddenAt: hidden ? sql<Date>`clock_timestamp()` : null })
    .where('id', '=', commentId)
    .where('hiddenAt', hidden ? 'is' : 'is not', null)
    .returning('postId')
    .executeTakeFirst()
  return row?.postId
}
