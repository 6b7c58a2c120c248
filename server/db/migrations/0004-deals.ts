import { sql, type Kysely } from 'kysely'

/** Deals: pending → approved → completed, pending|approved → cancelled (READING.md "Deals"). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deals (
      id uuid primary key default uuidv7(),
      post_id uuid references posts on delete set null,
      vehicle_id uuid references vehicles on delete set null,
      seller_id uuid not null references dealers,
      buyer_id uuid not null references dealers,
      status text not null default 'pending' check (status in ('pending', 'approved', 'cancelled', 'completed')),
      year integer, make text not null default '', model text not null default '', vin text,
      price_cents bigint not null check (price_cents >= 0),
      location text not null default '',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      completed_at timestamptz,
      version bigint not null default 1,
      check (seller_id <> buyer_id)
    )`.execute(db)
  await sql`create index deals_seller on deals (seller_id, created_at desc)`.execute(db)
  await sql`create index deals_buyer on deals (buyer_id, created_at desc)`.execute(db)
}
