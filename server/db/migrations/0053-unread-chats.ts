import { sql, type Kysely } from 'kysely'

/** The digest of unread messages looks at the chats of the last day only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index chats_activity on chats (last_activity)`.execute(db)
}
