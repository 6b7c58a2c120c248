import { sql } from 'kysely'
import type { Comment, CommentsQuery } from '#shared/schemas/comments.ts'
import type { Db } from '#server/platform/database/db.ts'
import { decodeCursor, encodeCursor, TimeKey } from '#server/platform/http/page-cursors.ts'
import { selectComments, toComment } from './post-comments.rows.ts'

/**
 * Lists the newest comments, or those before a cursor, oldest first. `earlier` is the cursor of the previous page.
 * Comments hidden by moderators are included only for their author, marked as hidden.
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
