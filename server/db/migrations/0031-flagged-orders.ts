import { sql, type Kysely } from 'kysely'

/** What moderators know of an order's price: each time that one comes to stand far below what is asked they are told once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The price that they were told of last; null: it was not far below since.
    alter table buy_orders add column flagged_cents bigint;`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table buy_orders drop column flagged_cents`.execute(db)
}
