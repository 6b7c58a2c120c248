import { sql, type Kysely } from 'kysely'

/** Whether each queue was failing at the last check, so that staff are notified once when it starts failing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table queue_alarms (
      queue text primary key check (length(queue) between 1 and 40),
      failing boolean not null,
      -- When the state last changed.
      since timestamptz not null,
      checked_at timestamptz not null
    );
    comment on column queue_alarms.queue is 'not personal';`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table queue_alarms;`.execute(db)
}
