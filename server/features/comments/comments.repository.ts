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
      'dealers.id as dealerId',
      'dealers.name',
      'dealers.avatar',
    ])
    .where('comments.hiddenAt', 'is', null)

function toComment(row: Awaited<ReturnType<ReturnType<typeof selectComments>['executeTakeFirstOrThrow']>>): Comment {
  return {
    id: row.id,
    content: row.content,
    createdAt: row.createdAt.toISOString(),
    attachmentUrl: row.attachmentUrl,
    dealer: { id: row.dealerId, name: row.name, avatar: row.avatar },
  }
}

export async function listComments(db: Db, postId: string): Promise<Comment[]> {
  const rows = await selectComments(db)
    .where('postId', '=', postId)
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
