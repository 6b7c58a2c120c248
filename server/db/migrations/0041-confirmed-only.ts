import { sql, type Kysely } from 'kysely'

/** True if posting, bidding and offering require a confirmed email address. Null: the server's configuration decides. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table network_settings add column confirmed_only boolean`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table network_settings drop column confirmed_only`.execute(db)
}
