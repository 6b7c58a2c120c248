import type { Db } from '#server/platform/db.ts'

/** The newest post that everybody may see. */
export async function findFeedHead(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('posts')
    .select('id')
    .where('deletedAt', 'is', null)
    .where('hiddenAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
