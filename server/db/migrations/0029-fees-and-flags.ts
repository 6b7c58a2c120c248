import { sql, type Kysely } from 'kysely'

/**
 * The buy fee, stored with each auction, offer and deal as agreed. Also protection against dishonest bidding: bidders who share
 * traits with the seller or with each other are flagged, and a bidder who repeatedly cancels wins is stopped until an admin allows
 * bids again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table network_settings
      add column buy_fee_cents bigint not null default 0 check (buy_fee_cents >= 0),
      -- Hundredths of a percent.
      add column buy_fee_basis_points integer not null default 0 check (buy_fee_basis_points between 0 and 10000),
      add column stop_after_cancels boolean not null default true;
    alter table auctions add column buy_fee_cents bigint not null default 0,
      add column buy_fee_basis_points integer not null default 0;
    alter table offers add column buy_fee_cents bigint not null default 0,
      add column buy_fee_basis_points integer not null default 0;
    -- The fee on the agreed price.
    alter table deals add column buy_fee_cents bigint not null default 0;

    -- Set when the dealer was stopped from bidding for cancelling too many wins. An admin clears it.
    alter table dealers add column bidding_stopped_at timestamptz,
      -- Cancelled wins before this time no longer count.
      add column bidding_cleared_at timestamptz;

    -- The provider's fingerprint of the card. Two accounts with one card have the same fingerprint.
    alter table billing_customers add column card_mark text check (length(card_mark) <= 100);
    comment on column billing_customers.card_mark is
      'personal: delete; export: no (what the payment provider knows a card by)';

    -- True once a bidder was compared with the seller and other bidders. Existing bidders count as compared.
    alter table auction_bidders add column looked_at timestamptz default now();
    alter table auction_bidders alter column looked_at drop default;
    create index auction_bidders_unseen on auction_bidders (post_id, number) where looked_at is null;

    -- Traits that two accounts of one auction share: a bidder and the seller, or two bidders. One row per pair, with the newer bidder
    -- first.
    create table auction_flags (
      post_id uuid not null references auctions on delete cascade,
      bidder_id uuid not null references dealers on delete cascade,
      other_id uuid not null references dealers on delete cascade,
      signals text[] not null check (cardinality(signals) > 0
        and signals <@ array['dealership', 'license', 'address', 'device', 'card']),
      flagged_at timestamptz not null default clock_timestamp(),
      primary key (post_id, bidder_id, other_id),
      check (bidder_id <> other_id)
    );
    create index auction_flags_old on auction_flags (flagged_at);
    create index auction_flags_bidder on auction_flags (bidder_id);
    create index auction_flags_other on auction_flags (other_id);
    comment on column auction_flags.signals is
      'personal: keep (a case about others rests on it, until the logs go); export: no (what the network noted)';

    -- Automatic reports have no reporter; at most one of them is open per subject.
    alter table reports alter column reporter_id drop not null;
    create unique index reports_open_own on reports (subject_kind, subject_id) where reporter_id is null and decided_at is null;`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index reports_open_own;
    delete from reports where reporter_id is null;
    alter table reports alter column reporter_id set not null;
    drop table auction_flags;
    drop index auction_bidders_unseen;
    alter table auction_bidders drop column looked_at;
    alter table billing_customers drop column card_mark;
    alter table dealers drop column bidding_stopped_at, drop column bidding_cleared_at;
    alter table deals drop column buy_fee_cents;
    alter table offers drop column buy_fee_cents, drop column buy_fee_basis_points;
    alter table auctions drop column buy_fee_cents, drop column buy_fee_basis_points;
    alter table network_settings drop column buy_fee_cents, drop column buy_fee_basis_points, drop column stop_after_cancels;`.execute(
    db,
  )
}
