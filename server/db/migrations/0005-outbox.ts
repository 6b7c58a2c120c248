import { sql, type Kysely } from 'kysely'

/**
 * What must not be lost: a row written in the same transaction as the change it follows from.
 * kind 'event' is published on the bus and deleted; kind 'job' is the job itself, BullMQ only dispatches its id.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outbox (
      id uuid primary key default uuidv7(),
      kind text not null check (kind in ('event', 'job')),
      name text not null,
      payload jsonb not null,
      unique_key text,
      run_at timestamptz not null default clock_timestamp(),
      dispatched_at timestamptz,
      failed_at timestamptz,
      last_error text,
      created_at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`create index outbox_due on outbox (kind, run_at) where failed_at is null`.execute(db)
  await sql`create unique index outbox_unique on outbox (name, unique_key) where unique_key is not null`.execute(db)
}
