import { sql, type Kysely } from 'kysely'

/** Posts with vehicles, comments, reactions and files, and bookmarks and saved searches. Money is integer cents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSearchWords(db)
  await createPosts(db)
  await createVehicles(db)
  await createReplies(db)
  await createFiles(db)
  await createSaved(db)
}

/**
 * Reads `F-150`, `CR-V` and `CX-5` as one word each, like `f150` and `crv`, because dealers write both. PostgreSQL's parser would
 * split them and read `-150` as a negative number. Posts and searches are normalized alike. Repeated minus signs are removed,
 * because more than thirty cause an internal error in the parser.
 */
async function createSearchWords(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function model_words(words text) returns text language sql immutable parallel safe strict return
      regexp_replace(words, '(?<=\\m[[:alpha:]]{1,3})-(?=\\d)|(?<=\\m[[:alpha:]]{1,2})-(?=[[:alpha:]]{1,2}\\M)', '', 'g');

    create function search_query(search text) returns tsquery language sql immutable parallel safe strict return
      websearch_to_tsquery('english', model_words(regexp_replace(search, '(-[^[:alnum:]"]*){8,}', ' ', 'g')))`.execute(
    db,
  )
}

/** `heat` sorts by interest with time decay: tenfold interest outweighs 12.5 hours of age. It is not recomputed as time passes. */
async function createPosts(db: Kysely<unknown>): Promise<void> {
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
    );

    -- For the feed: posts that are neither deleted nor hidden. One index per sort order.
    create index posts_recent on posts (created_at desc, id desc) where deleted_at is null and hidden_at is null;
    create index posts_hottest on posts (heat desc, id desc) where deleted_at is null and hidden_at is null;
    create index posts_for_sale on posts (created_at desc, id desc)
      where deleted_at is null and hidden_at is null and status = 'active' and not is_auction;
    create index posts_auction on posts (created_at desc, id desc)
      where deleted_at is null and hidden_at is null and is_auction;

    create index posts_dealer on posts (dealer_id, created_at desc, id desc);
    create index posts_expiring on posts (expires_at) where status = 'active' and deleted_at is null;
    create index posts_search on posts using gin (search);
    create index posts_search_text on posts using gin (search_text gin_trgm_ops);`.execute(db)
}

async function createVehicles(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table vehicles (
      id uuid primary key default uuidv7(),
      post_id uuid not null references posts on delete cascade,
      position integer not null,
      vin text check (length(vin) <= 17),
      year integer check (year between 1900 and 2030),
      make text,
      model text,
      trim text,
      color text,
      mileage integer check (mileage >= 0),
      price_cents bigint check (price_cents >= 0),
      city text,
      state text,
      location text,
      at_dealership boolean,
      notes text,
      status text not null default 'available' check (status in ('available', 'pending', 'sold')),
      unique (post_id, position)
    );
    create index vehicles_vin on vehicles (vin);
    create index vehicles_comparable on vehicles (lower(make), lower(model), year);

    create table photos (
      id uuid primary key default uuidv7(),
      post_id uuid not null references posts on delete cascade,
      vehicle_id uuid references vehicles on delete cascade,
      position integer not null,
      url text not null check (length(url) <= 2000)
    );
    create index photos_post on photos (post_id, position);
    create index photos_url on photos (url);`.execute(db)
}

/** `attachment_object` is the upload that a comment shows. The comment follows its state. */
async function createReplies(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table comments (
      id uuid primary key default uuidv7(),
      post_id uuid not null references posts on delete cascade,
      dealer_id uuid not null references dealers,
      content text not null check (length(content) between 1 and 2000),
      attachment_url text,
      attachment_name text check (length(attachment_name) <= 200),
      attachment_object uuid generated always as (
        case when attachment_url ~ '^/api/objects/[0-9a-f-]{36}$' then right(attachment_url, 36)::uuid end
      ) stored,
      idempotency_key uuid,
      created_at timestamptz not null default now(),
      hidden_at timestamptz,
      unique (dealer_id, idempotency_key)
    );
    create index comments_post on comments (post_id, created_at, id);
    create index comments_dealer on comments (dealer_id);
    create index comments_attachment_object on comments (attachment_object) where attachment_object is not null;

    create table reactions (
      post_id uuid not null references posts on delete cascade,
      dealer_id uuid not null references dealers on delete cascade,
      kind text not null check (kind in ('like', 'info')),
      created_at timestamptz not null default now(),
      primary key (post_id, dealer_id, kind)
    );
    create index reactions_dealer on reactions (dealer_id, kind);

    create table post_views (
      post_id uuid not null references posts on delete cascade,
      dealer_id uuid not null references dealers on delete cascade,
      day date not null default current_date,
      primary key (post_id, dealer_id, day)
    );
    create index post_views_dealer on post_views (dealer_id, day);`.execute(db)
}

/**
 * An upload's row is inserted when the upload is allowed, before its bytes arrive. `attached_at` is set when a post, comment or
 * message shows the file; files without it are removed later.
 */
async function createFiles(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table objects (
      id uuid primary key,
      dealer_id uuid not null references dealers,
      kind text not null check (kind in ('photo', 'attachment', 'sheet', 'avatar')),
      state text not null default 'awaited' check (state in ('awaited', 'stored', 'ready', 'failed')),
      content_type text,
      bytes integer check (bytes >= 0),
      width integer,
      height integer,
      widths integer[] not null default '{}',
      error text,
      created_at timestamptz not null default now(),
      stored_at timestamptz,
      attached_at timestamptz
    );
    create index objects_orphans on objects (created_at) where attached_at is null;
    create index objects_avatars on objects (dealer_id, id desc) where kind = 'avatar';

    -- Result of a spreadsheet import: one row per post, replaced by every attempt.
    create table sheet_imports (
      post_id uuid primary key references posts on delete cascade,
      state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
      found integer not null default 0,
      faults jsonb not null default '[]',
      error text,
      updated_at timestamptz not null default now()
    );`.execute(db)
}

/** A search without three consecutive letters or digits has no `pattern`: only whole words match, as in the feed. */
async function createSaved(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_searches (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      search text not null check (length(btrim(search)) between 1 and 200),
      sort text not null check (sort in ('recent', 'hottest', 'for-sale', 'auction-promo')),
      query tsquery not null generated always as (search_query(search)) stored,
      pattern text,
      created_at timestamptz not null default clock_timestamp(),
      unique (dealer_id, search, sort)
    );

    create table watches (
      dealer_id uuid not null references dealers on delete cascade,
      post_id uuid not null references posts on delete cascade,
      created_at timestamptz not null default clock_timestamp(),
      primary key (dealer_id, post_id)
    );
    create index watches_post on watches (post_id);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table watches, saved_searches, sheet_imports, objects, post_views, reactions, comments, photos, vehicles, posts;
    drop function search_query, model_words;`.execute(db)
}
