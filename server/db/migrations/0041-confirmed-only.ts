import { sql, type Kysely } from 'kysely'

/** Whether posting, bidding and offering take a confirmed address. Null: as the server's configuration has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table network_settings add column confirmed_only boolean`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table network_settings drop column confirmed_only`.execute(db)
}
