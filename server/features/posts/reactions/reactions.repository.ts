import { sql } from 'kysely'
import type { OwnReactions, ReactionKind } from '#shared/schemas/posts.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

export async function insertReaction(tx: Tx, postId: string, dealerId: string, kind: ReactionKind): Promise<boolean> {
  const result = await tx
    .insertInto('reactions')
    .values({ postId, dealerId, kind })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function removeReaction(tx: Tx, postId: string, dealerId: string, kind: ReactionKind): Promise<boolean> {
  const result = await tx
    .deleteFrom('reactions')
    .where('postId', '=', postId)
    .where('dealerId', '=', dealerId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function listOwnReactions(db: Db, dealerId: string): Promise<OwnReactions> {
  const { rows } = await sql<OwnReactions>`
    select coalesce(array_agg(post_id) filter (where kind = 'like'), '{}') as like,
           coalesce(array_agg(post_id) filter (where kind = 'info'), '{}') as info
    from reactions where dealer_id = ${dealerId}`.execute(db)
  return rows[0] ?? { like: [], info: [] }
}

/** Removes up to `limit` old views of each kind. The view counts of posts do not change. */
export async function removeOldViews(tx: Tx, before: Date, limit: number): Promise<number> {
  let removed = 0
  for (const table of ['post_views', 'post_impressions']) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where day < ${before}::timestamptz::date limit ${limit}))`.execute(tx)
    removed = Math.max(removed, Number(numAffectedRows ?? 0))
  }
  return removed
}
