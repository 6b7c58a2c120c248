import { sql, type Kysely } from 'kysely'

/**
 * Deals, offers, the history of both, papers with signatures, and reviews.
 * `turn` says which side has to answer an offer. A counteroffer changes the amount and the turn.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createDeals(db)
  await createOffers(db)
  await createPapers(db)
  await sql`
    create table reviews (
      id uuid primary key default uuidv7(),
      deal_id uuid not null references deals on delete cascade,
      author_id uuid not null references dealers,
      subject_id uuid not null references dealers,
      rating integer not null check (rating between 1 and 5),
      content text not null check (length(content) between 1 and 2000),
      reply text check (length(reply) between 1 and 2000),
      created_at timestamptz not null default now(),
      replied_at timestamptz,
      unique (deal_id, author_id),
      check (author_id <> subject_id)
    );
    create index reviews_subject on reviews (subject_id, created_at desc, id desc);`.execute(db)
}

/**
 * A deal goes from pending to approved to completed and can be cancelled before it is completed. It keeps a copy of its vehicle's
 * data. The network's review does not affect the agreement of the parties.
 */
async function createDeals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deals (
      id uuid primary key default uuidv7(),
      post_id uuid references posts on delete set null,
      vehicle_id uuid references vehicles on delete set null,
      seller_id uuid not null references dealers,
      buyer_id uuid not null references dealers,
      source text not null default 'offer' check (source in ('offer', 'auction')),
      status text not null default 'pending' check (status in ('pending', 'approved', 'cancelled', 'completed')),
      price_cents bigint not null check (price_cents >= 0),
      vin text,
      year integer,
      make text not null default '',
      model text not null default '',
      trim text,
      color text,
      mileage integer,
      location text not null default '',
      version bigint not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      approved_at timestamptz,
      completed_at timestamptz,
      review_status text not null default 'pending' check (review_status in ('pending', 'approved', 'rejected')),
      review_reason text not null default '',
      reviewed_at timestamptz,
      notes text not null default '',
      check (seller_id <> buyer_id)
    );
    create index deals_seller on deals (seller_id, created_at desc);
    create index deals_buyer on deals (buyer_id, created_at desc);
    create index deals_status on deals (status, created_at desc);
    create index deals_review on deals (review_status, id desc);

    -- A vehicle has at most one deal that is not cancelled.
    create unique index deals_living on deals (vehicle_id) where status <> 'cancelled';`.execute(db)
}

async function createOffers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table offers (
      id uuid primary key default uuidv7(),
      post_id uuid not null references posts on delete cascade,
      vehicle_id uuid references vehicles on delete cascade,
      seller_id uuid not null references dealers,
      buyer_id uuid not null references dealers,
      amount_cents bigint not null check (amount_cents > 0),
      turn text not null default 'seller' check (turn in ('seller', 'buyer')),
      status text not null default 'open'
        check (status in ('open', 'accepted', 'declined', 'withdrawn', 'expired', 'ended')),
      source text not null default 'offer' check (source in ('offer', 'auction')),
      deal_id uuid references deals on delete set null,
      version bigint not null default 1,
      idempotency_key uuid,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      expires_at timestamptz not null default clock_timestamp() + interval '24 hours',
      unique (buyer_id, idempotency_key),
      check (seller_id <> buyer_id)
    );
    create unique index offers_open on offers (vehicle_id, buyer_id) where status = 'open' and source = 'offer';
    create index offers_seller on offers (seller_id, updated_at desc);
    create index offers_buyer on offers (buyer_id, updated_at desc);
    create index offers_expiring on offers (expires_at) where status = 'open';
    create index offers_post on offers (post_id);
    create index offers_deal on offers (deal_id);

    create table deal_steps (
      id uuid primary key default uuidv7(),
      offer_id uuid references offers on delete cascade,
      deal_id uuid references deals on delete cascade,
      actor_id uuid references dealers,
      kind text not null,
      amount_cents bigint,
      at timestamptz not null default clock_timestamp(),
      check (offer_id is not null or deal_id is not null)
    );
    create index deal_steps_offer on deal_steps (offer_id, at);
    create index deal_steps_deal on deal_steps (deal_id, at);`.execute(db)
}

async function createPapers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create sequence deal_document_numbers;
    create table deal_documents (
      id uuid primary key default uuidv7(),
      deal_id uuid not null references deals on delete cascade,
      kind text not null check (kind in ('bill_of_sale', 'odometer')),
      number text not null,
      version integer not null,
      pdf bytea,
      created_at timestamptz not null default now(),
      made_at timestamptz,
      unique (deal_id, kind, version)
    );

    create table deal_signatures (
      deal_id uuid not null references deals on delete cascade,
      kind text not null check (kind in ('bill_of_sale', 'odometer')),
      dealer_id uuid not null references dealers,
      name text not null check (length(name) between 2 and 120),
      address text not null,
      signed_at timestamptz not null default clock_timestamp(),
      primary key (deal_id, kind, dealer_id)
    );`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table reviews, deal_signatures, deal_documents, deal_steps, offers, deals;
    drop sequence deal_document_numbers;`.execute(db)
}
