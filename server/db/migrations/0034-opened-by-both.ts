import { sql, type Kysely } from 'kysely'

/** The dealer who opened an empty chat, which only their list shows. Null: both have opened it, so both lists show it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table chats alter column opened_by drop not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update chats set opened_by = low_dealer_id where opened_by is null`.execute(db)
  await sql`alter table chats alter column opened_by set not null`.execute(db)
}
