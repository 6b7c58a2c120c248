import { sql, type Kysely } from 'kysely'

/**
 * Lane: pinned auctions, maximums submitted when an auction starts, the outcome of a reserve, and indexes in the order of the Lane's
 * lists.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lane_pins (
      dealer_id uuid not null references dealers on delete cascade,
      post_id uuid not null references auctions on delete cascade,
      -- Null: only in the strip.
      slot smallint check (slot between 1 and 6),
      pinned_at timestamptz not null default clock_timestamp(),
      primary key (dealer_id, post_id),
      unique (dealer_id, slot) deferrable
    );
    create index lane_pins_post on lane_pins (post_id);

    -- The key is the idempotency key of the later bid, so that a maximum submitted twice counts once.
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

    -- Bids do not change these columns, so a bid does not update the indexes.
    create index auctions_starting on auctions (starts_at, post_id) where status = 'open';
    create index auctions_closed on auctions (closed_at desc, post_id desc) where closed_at is not null;`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index auctions_closed, auctions_starting;
    drop table reserve_changes, auction_presets, lane_pins;`.execute(db)
}
