import { sql, type Kysely } from 'kysely'

/**
 * What dealers were told. `dedupe_key` makes a notice single per dealer; `mail_due_at` is when it goes out by mail unless
 * it has been read by then, null where it does not.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notifications (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      kind text not null,
      title text not null check (length(title) <= 300),
      body text not null default '' check (length(body) <= 1000),
      path text not null check (path like '/%' and length(path) <= 500),
      actor_id uuid references dealers on delete set null,
      dedupe_key text,
      in_app boolean not null,
      push boolean not null,
      mail_due_at timestamptz,
      mailed_at timestamptz,
      read_at timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      unique (dealer_id, dedupe_key)
    )`.execute(db)
  await sql`create index notifications_list on notifications (dealer_id, id desc) where in_app`.execute(db)
  await sql`create index notifications_unread on notifications (dealer_id) where in_app and read_at is null`.execute(db)
  await sql`create index notifications_mail on notifications (dealer_id, mail_due_at) where mail_due_at is not null and mailed_at is null and read_at is null`.execute(
    db,
  )
  await sql`create index notifications_old on notifications (created_at)`.execute(db)
}
