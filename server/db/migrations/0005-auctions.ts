import { sql, type Kysely } from 'kysely'

/**
 * Auctions and their bids; server/features/auctions/place-bids.sql has the rules for bids. Every bid updates its auction's row, so
 * the fill factor leaves room for the new version on the same page, and no index has to be updated.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table auctions (
      post_id uuid primary key references posts on delete cascade,
      seller_id uuid not null references dealers,
      start_cents bigint not null check (start_cents > 0),
      reserve_cents bigint check (reserve_cents > 0),
      increment_cents bigint not null check (increment_cents > 0),
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      hard_ends_at timestamptz not null,
      status text not null default 'open' check (status in ('open', 'deciding', 'sold', 'no_sale')),
      seq bigint not null default 0,
      amount_cents bigint,
      leader_id uuid references dealers,
      leader_max_cents bigint,
      bid_count integer not null default 0,
      bidder_count integer not null default 0,
      demo boolean not null default false,
      created_at timestamptz not null default now(),
      closed_at timestamptz,
      check (ends_at > starts_at),
      check (hard_ends_at >= ends_at),
      check ((leader_id is null) = (amount_cents is null)),
      check ((leader_id is null) = (leader_max_cents is null)),
      check (leader_max_cents >= amount_cents),
      check (leader_id <> seller_id)
    ) with (fillfactor = 50);
    create index auctions_ending on auctions (ends_at, post_id) where status = 'open';
    create index auctions_seller on auctions (seller_id);

    -- Bidders see each other as numbers. outbid_seq is set for a bidder who was outbid but not notified yet.
    create table auction_bidders (
      post_id uuid not null references auctions on delete cascade,
      bidder_id uuid not null references dealers,
      number integer not null,
      outbid_seq bigint,
      primary key (post_id, bidder_id),
      unique (post_id, number)
    );
    create index auction_bidders_bidder on auction_bidders (bidder_id);
    create index auction_bidders_outbid on auction_bidders (post_id, bidder_id) where outbid_seq is not null;

    create table bids (
      post_id uuid not null references auctions on delete cascade,
      seq bigint not null,
      bidder_id uuid not null references dealers,
      amount_cents bigint not null check (amount_cents > 0),
      auto boolean not null default false,
      at timestamptz not null default clock_timestamp(),
      primary key (post_id, seq)
    );
    create index bids_bidder on bids (bidder_id, at desc);

    -- Requests by idempotency key, with their answers.
    create table bid_receipts (
      bidder_id uuid not null references dealers on delete cascade,
      key uuid not null,
      post_id uuid not null references auctions on delete cascade,
      kind text not null check (kind in ('bid', 'max')),
      amount_cents bigint not null,
      seq bigint not null,
      price_cents bigint not null,
      ends_at timestamptz not null,
      leads boolean not null,
      bidder_number integer not null,
      primary key (bidder_id, key)
    );
    create index bid_receipts_post on bid_receipts (post_id);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table bid_receipts, bids, auction_bidders, auctions`.execute(db)
}
