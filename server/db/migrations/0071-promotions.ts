import { sql, type Kysely } from 'kysely'

/** Messages of the network to its dealers, shown as a banner between two dates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table promotions (
      id uuid primary key default uuidv7(),
      title text not null check (length(title) between 1 and 120),
      message text not null check (length(message) between 1 and 500),
      type text not null check (type in ('info', 'warning', 'success', 'promotion')),
      target_audience text not null check (target_audience in ('all', 'premium', 'basic')),
      is_active boolean not null default true,
      start_date date not null,
      end_date date not null,
      version bigint not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (end_date >= start_date)
    )`.execute(db)
  await sql`create index promotions_active on promotions (end_date) where is_active`.execute(db)
}
