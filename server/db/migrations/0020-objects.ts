import { sql, type Kysely } from 'kysely'

/**
 * Uploaded files. A row is made when an upload is allowed, before its bytes arrive; `attached_at` is set when a post or
 * comment takes it, and what is never taken is swept.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table objects (
      id uuid primary key,
      dealer_id uuid not null references dealers,
      kind text not null check (kind in ('photo', 'attachment', 'sheet')),
      state text not null default 'awaited' check (state in ('awaited', 'stored', 'ready', 'failed')),
      content_type text,
      bytes integer check (bytes >= 0),
      width integer, height integer,
      widths integer[] not null default '{}',
      error text,
      created_at timestamptz not null default now(),
      stored_at timestamptz,
      attached_at timestamptz
    )`.execute(db)
  await sql`create index objects_orphans on objects (created_at) where attached_at is null`.execute(db)
}
