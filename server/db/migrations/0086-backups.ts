import { sql, type Kysely } from 'kysely'

/** What was backed up when, and whether it was proved to restore. One runs at a time. Contact messages can be handled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backups (
      id uuid primary key default uuidv7(),
      requested_by uuid references dealers on delete set null,
      state text not null default 'running' check (state in ('running', 'verified', 'failed')),
      started_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz,
      folder text,
      size_bytes bigint,
      row_count bigint,
      error text,
      check ((state = 'running') = (finished_at is null))
    )`.execute(db)
  await sql`create unique index backups_one_at_a_time on backups ((true)) where state = 'running'`.execute(db)
  await sql`
    alter table contact_messages
      add column handled_at timestamptz,
      add column handled_by uuid references dealers on delete set null`.execute(db)
  await sql`create index contact_messages_waiting on contact_messages (id desc) where handled_at is null`.execute(db)
}
