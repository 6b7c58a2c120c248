import { sql, type Kysely } from 'kysely'

/** What dealers report and what was decided about it. One open report per reporter and subject. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reports (
      id uuid primary key default uuidv7(),
      reporter_id uuid not null references dealers on delete cascade,
      kind text not null check (kind in ('post', 'comment', 'message', 'dealer')),
      subject_id uuid not null,
      /* Whose words or account it is. */
      dealer_id uuid not null references dealers on delete cascade,
      reason text not null check (reason in ('fraud', 'spam', 'abuse', 'wrong', 'other')),
      details text not null default '' check (length(details) <= 1000),
      /* What was there when it was reported: an edit must not hide it. */
      excerpt text not null default '',
      status text not null default 'open' check (status in ('open', 'resolved')),
      decision text check (decision in ('dismissed', 'hidden', 'restored', 'warned', 'suspended')),
      decided_at timestamptz,
      created_at timestamptz not null default now(),
      check ((status = 'resolved') = (decision is not null))
    )`.execute(db)
  await sql`create unique index reports_once on reports (reporter_id, kind, subject_id) where status = 'open'`.execute(
    db,
  )
  await sql`create index reports_queue on reports (status, id desc)`.execute(db)
  await sql`create index reports_dealer on reports (dealer_id)`.execute(db)
}
