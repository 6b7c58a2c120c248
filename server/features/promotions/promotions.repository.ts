import { sql, type Selectable } from 'kysely'
import type { Promotion, PromotionAudience, PromotionChange, PromotionInput } from '#shared/schemas/promotions.ts'
import type { Promotions } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

function toPromotion(row: Selectable<Promotions>): Promotion {
  const { id, title, message, isActive, startDate, endDate, version } = row
  return {
    id,
    title,
    message,
    type: row.type,
    targetAudience: row.targetAudience,
    isActive,
    startDate,
    endDate,
    version,
  }
}

export async function listPromotions(db: Db): Promise<Promotion[]> {
  const rows = await db.selectFrom('promotions').selectAll().orderBy('id', 'desc').limit(500).execute()
  return rows.map(toPromotion)
}

/** Returns the promotions for these audiences that run today (UTC). */
export async function listRunning(db: Db, audiences: PromotionAudience[]): Promise<Promotion[]> {
  const rows = await db
    .selectFrom('promotions')
    .selectAll()
    .where('isActive', '=', true)
    .where(sql<boolean>`(now() at time zone 'utc')::date between start_date and end_date`)
    .where('targetAudience', 'in', audiences)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return rows.map(toPromotion)
}

export async function insertPromotion(tx: Tx, input: PromotionInput): Promise<Promotion> {
  const { title, message, type, targetAudience, startDate, endDate } = input
  const values = { title, message, type, targetAudience, startDate, endDate }
  return toPromotion(await tx.insertInto('promotions').values(values).returningAll().executeTakeFirstOrThrow())
}

export async function lockPromotion(tx: Tx, id: string): Promise<Promotion | undefined> {
  const row = await tx.selectFrom('promotions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toPromotion(row)
}

export async function updatePromotion(tx: Tx, id: string, change: PromotionChange): Promise<Promotion> {
  const row = await tx
    .updateTable('promotions')
    .set({ ...change, version: sql<number>`version + 1`, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toPromotion(row)
}

export async function removePromotion(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('promotions').where('id', '=', id).execute()
}
