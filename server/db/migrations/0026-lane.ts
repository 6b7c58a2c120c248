import { sql, type Kysely } from 'kysely'

/**
 * Live auctions side by side: what a dealer has pinned, maximums that are handed in at the start, what became of a reserve, and the
 * orders in which the lists of the Lane are read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lane_pins (
      dealer_id uuid not null references dealers on delete cascade,
      post_id uuid not null references auctions on delete cascade,
      -- Null: in the strip alone.
      slot smallint check (slot between 1 and 6),
      pinned_at timestamptz not null default clock_timestamp(),
      primary key (dealer_id, post_id),
      unique (dealer_id, slot) deferrable
    );
    create index lane_pins_post on lane_pins (post_id);

    -- The key is that of the bid which it becomes: however often it is handed in, it counts once.
    create table auction_presets (
      post_id uuid not null references auctions on delete cascade,
      bidder_id uuid not null references dealers on delete cascade,
      max_cents bigint not null check (max_cents > 0),
      key uuid not null default uuidv7(),
      created_at timestamptz not null default clock_timestamp(),
      primary key (post_id, bidder_id)
    );
    create index auction_presets_bidder on auction_presets (bidder_id);

    create table reserve_changes (
      post_id uuid not null references auctions on delete cascade,
      seq bigint not null,
      at timestamptz not null default clock_timestamp(),
      actor_id uuid not null references dealers,
      key uuid not null,
      from_cents bigint not null,
      to_cents bigint not null check (to_cents > 0),
      primary key (post_id, seq),
      unique (post_id, key),
      check (to_cents < from_cents)
    );

    -- No bid changes what stands in these: its new row version needs no index of its own.
    create index auctions_starting on auctions (starts_at, post_id) where status = 'open';
    create index auctions_closed on auctions (closed_at desc, post_id desc) where closed_at is not null;`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index auctions_closed, auctions_starting;
    drop table reserve_changes, auction_presets, lane_pins;`.execute(db)
}
