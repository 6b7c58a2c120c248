import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/db.ts'

const pendingHours = 24

/** A new pending address replaces the previous one. */
export async function upsertEmailChange(tx: Tx, dealerId: string, email: string): Promise<void> {
  const expiresAt = sql<Date>`now() + ${pendingHours} * interval '1 hour'`
  await tx
    .insertInto('emailChanges')
    .values({ dealerId, email, expiresAt })
    .onConflict((conflict) => conflict.column('dealerId').doUpdateSet({ email, expiresAt }))
    .execute()
}

/** Removes the pending address. Returns true if there was one. If `email` is set, the address must match it and must not have expired. */
export async function removeEmailChange(tx: Tx, dealerId: string, email?: string): Promise<boolean> {
  let query = tx.deleteFrom('emailChanges').where('dealerId', '=', dealerId)
  if (email !== undefined) query = query.where('email', '=', email).where('expiresAt', '>', sql<Date>`now()`)
  const result = await query.executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function findEmailChange(db: Db, dealerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('emailChanges')
    .select('email')
    .where('dealerId', '=', dealerId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.email
}
