import { sql, type Kysely } from 'kysely'

/** Index for notifications that are pushed to the browser but not listed in the app. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index notifications_push on notifications (dealer_id, id desc) where push`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index notifications_push`.execute(db)
}
