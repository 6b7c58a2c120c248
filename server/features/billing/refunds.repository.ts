import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import type { Refunds } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

export async function findRefundByKey(db: Db, key: string) {
  return db.selectFrom('refunds').selectAll().where('key', '=', key).executeTakeFirst()
}

export async function findRefund(db: Db, id: string) {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertRefund(tx: Tx, refund: Insertable<Refunds>): Promise<string> {
  const row = await tx.insertInto('refunds').values(refund).returning('id').executeTakeFirstOrThrow()
  return row.id
}

/** Sums the dealer's refunds by invoice, in cents. Includes refunds in progress, but not rejected ones. */
export async function sumRefunds(db: Db, dealerId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('refunds')
    .select(['invoiceId', sql<number>`sum(amount_cents)::int`.as('cents')])
    .where('dealerId', '=', dealerId)
    .where('refusal', 'is', null)
    .groupBy('invoiceId')
    .execute()
  return new Map(rows.map(({ invoiceId, cents }) => [invoiceId, cents]))
}

/** Marks a refund as done or rejected. Returns false if the refund was already done or rejected. */
export async function updateSettled(tx: Tx, id: string, refusal: string | null): Promise<boolean> {
  const result = await tx
    .updateTable('refunds')
    .set(refusal === null ? { doneAt: sql<Date>`now()` } : { refusal })
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .where('refusal', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

const shown = 50

export async function listRefunds(db: Db, dealerId: string) {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('dealerId', '=', dealerId)
    .orderBy('id', 'desc')
    .limit(shown)
    .execute()
}
