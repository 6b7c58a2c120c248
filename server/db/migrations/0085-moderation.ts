import { sql, type Kysely } from 'kysely'

/**
 * What dealers report. A report is open until an admin decides about its subject; the decisions themselves stand in the
 * audit log. Posts and comments could be hidden before, messages can be from here on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reports (
      id uuid primary key default uuidv7(),
      reporter_id uuid not null references dealers on delete cascade,
      subject_kind text not null check (subject_kind in ('post', 'comment', 'message', 'dealer')),
      subject_id uuid not null,
      author_id uuid not null references dealers on delete cascade,
      reason text not null check (reason in ('misleading', 'fraud', 'spam', 'abuse', 'private', 'other')),
      details text not null default '' check (length(details) <= 1000),
      created_at timestamptz not null default now(),
      decided_at timestamptz,
      check (reporter_id <> author_id)
    )`.execute(db)
  await sql`
    create unique index reports_open on reports (reporter_id, subject_kind, subject_id) where decided_at is null`.execute(
    db,
  )
  await sql`create index reports_waiting on reports (subject_kind, subject_id) where decided_at is null`.execute(db)
  await sql`create index reports_subject on reports (subject_kind, subject_id, id desc)`.execute(db)
  await sql`create index reports_author on reports (author_id)`.execute(db)
  await sql`alter table messages add column hidden_at timestamptz`.execute(db)
}
