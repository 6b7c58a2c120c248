import { sql, type Kysely } from 'kysely'

/** Moderators are notified once each time the price of an order falls far below asking prices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The price of the last notification; null: the price has not been far below since.
    alter table buy_orders add column flagged_cents bigint;`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table buy_orders drop column flagged_cents`.execute(db)
}
