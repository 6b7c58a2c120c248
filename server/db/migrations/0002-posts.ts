import { sql, type Kysely } from 'kysely'

/**
 * Posts with their vehicles, photos, comments, reactions and views. Money is integer cents.
 * `heat` sorts by interest with time decay: tenfold interest outweighs 45,000 s (12.5 h) of age, and no row has to be
 * recomputed as time passes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table posts (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers,
      type text not null check (type in ('single', 'multiple', 'spreadsheet')),
      title text not null check (length(title) between 1 and 200),
      description text not null default '' check (length(description) <= 5000),
      status text not null default 'active' check (status in ('active', 'sold', 'expired')),
      auction_facilitator text,
      is_auction boolean generated always as (title ~* 'auction' or description ~* 'auction') stored,
      spreadsheet_url text,
      ai_summary text,
      vehicle_count integer not null default 0,
      available_count integer not null default 0,
      comment_count integer not null default 0,
      like_count integer not null default 0,
      info_count integer not null default 0,
      view_count integer not null default 0,
      bid_count integer not null default 0,
      heat double precision generated always as (
        log(greatest(1, like_count * 3 + info_count * 4 + comment_count * 5 + bid_count * 2 + view_count * 0.2))
        + extract(epoch from (created_at - timestamptz '2024-01-01 00:00:00+00')) / 45000
      ) stored,
      version bigint not null default 1,
      search tsvector not null default ''::tsvector,
      search_text text not null default '',
      idempotency_key uuid,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      expires_at timestamptz not null default now() + interval '30 days',
      deleted_at timestamptz,
      hidden_at timestamptz,
      unique (dealer_id, idempotency_key),
      check (type <> 'spreadsheet' or spreadsheet_url is not null)
    )`.execute(db)
  const visible = sql`deleted_at is null and hidden_at is null`
  await sql`create index posts_recent on posts (created_at desc, id desc) where ${visible}`.execute(db)
  await sql`create index posts_hottest on posts (heat desc, id desc) where ${visible}`.execute(db)
  await sql`create index posts_for_sale on posts (created_at desc, id desc) where ${visible} and status = 'active' and not is_auction`.execute(
    db,
  )
  await sql`create index posts_auction on posts (created_at desc, id desc) where ${visible} and is_auction`.execute(db)
  await sql`create index posts_dealer on posts (dealer_id, created_at desc, id desc)`.execute(db)
  await sql`create index posts_expiring on posts (expires_at) where status = 'active' and deleted_at is null`.execute(
    db,
  )
  await sql`create index posts_search on posts using gin (search)`.execute(db)
  await sql`create index posts_search_text on posts using gin (search_text gin_trgm_ops)`.execute(db)
  await sql`
    create table vehicles (
      id uuid primary key default uuidv7(),
      post_id uuid not null references posts on delete cascade,
      position integer not null,
      vin text check (length(vin) <= 17),
      year integer check (year between 1900 and 2030),
      make text, model text, trim text,
      mileage integer check (mileage >= 0),
      price_cents bigint check (price_cents >= 0),
      city text, state text, color text, notes text, location text,
      at_dealership boolean,
      status text not null default 'available' check (status in ('available', 'pending', 'sold')),
      unique (post_id, position)
    )`.execute(db)
  await sql`create index vehicles_vin on vehicles (vin)`.execute(db)
  await sql`create index vehicles_comparable on vehicles (lower(make), lower(model), year)`.execute(db)
  await sql`
    create table photos (
      id uuid primary key default uuidv7(),
      post_id uuid not null references posts on delete cascade,
      vehicle_id uuid references vehicles on delete cascade,
      position integer not null,
      url text not null check (length(url) <= 2000)
    )`.execute(db)
  await sql`create index photos_post on photos (post_id, position)`.execute(db)
  await sql`create index photos_url on photos (url)`.execute(db)
  await sql`
    create table comments (
      id uuid primary key default uuidv7(),
      post_id uuid not null references posts on delete cascade,
      dealer_id uuid not null references dealers,
      content text not null check (length(content) between 1 and 2000),
      attachment_url text,
      idempotency_key uuid,
      created_at timestamptz not null default now(),
      hidden_at timestamptz,
      unique (dealer_id, idempotency_key)
    )`.execute(db)
  await sql`create index comments_post on comments (post_id, created_at, id)`.execute(db)
  await sql`create index comments_dealer on comments (dealer_id)`.execute(db)
  await sql`
    create table reactions (
      post_id uuid not null references posts on delete cascade,
      dealer_id uuid not null references dealers on delete cascade,
      kind text not null check (kind in ('like', 'info')),
      created_at timestamptz not null default now(),
      primary key (post_id, dealer_id, kind)
    )`.execute(db)
  await sql`create index reactions_dealer on reactions (dealer_id, kind)`.execute(db)
  await sql`
    create table post_views (
      post_id uuid not null references posts on delete cascade,
      dealer_id uuid not null references dealers on delete cascade,
      day date not null default current_date,
      primary key (post_id, dealer_id, day)
    )`.execute(db)
  await sql`create index post_views_dealer on post_views (dealer_id, day)`.execute(db)
}
