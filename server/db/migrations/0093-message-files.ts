import { sql, type Kysely } from 'kysely'

/** Files that were sent in messages are in use: until now the sweep of unused uploads took them after a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update objects set attached_at = messages.created_at from messages
    where objects.attached_at is null and messages.attachment_url is not null
      and objects.id::text = right(messages.attachment_url, 36)`.execute(db)
}
