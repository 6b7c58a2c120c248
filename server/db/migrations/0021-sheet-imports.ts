import { sql, type Kysely } from 'kysely'

/** How the import of a spreadsheet post went; one row per post, replaced by every new attempt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sheet_imports (
      post_id uuid primary key references posts on delete cascade,
      state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
      found integer not null default 0,
      faults jsonb not null default '[]',
      error text,
      updated_at timestamptz not null default now()
    )`.execute(db)
}
