import { sql, type Kysely } from 'kysely'

/**
 * Dealers and how they sign in. A dealer is one person with one account. Every column with an email address holds exactly one address,
 * because a list would send one dealer's links to other people.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists citext;
    create extension if not exists pg_trgm;`.execute(db)
  await createDealers(db)
  await sql`
    create table sessions (
      hash bytea primary key,
      dealer_id uuid not null references dealers on delete cascade,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      expires_at timestamptz not null,
      user_agent text,
      address text
    );
    create index sessions_dealer on sessions (dealer_id);

    -- Accounts at other providers that dealers sign in with.
    create table identities (
      provider text not null check (provider in ('google')),
      subject text not null,
      dealer_id uuid not null references dealers on delete cascade,
      created_at timestamptz not null default now(),
      primary key (provider, subject)
    );
    create unique index identities_dealer on identities (dealer_id, provider);

    -- Emailed links for one use. 'keys' revokes an account's API keys after its sign-in was changed.
    create table auth_tokens (
      hash bytea primary key,
      dealer_id uuid not null references dealers on delete cascade,
      kind text not null check (kind in ('reset', 'verify', 'change', 'keys')),
      email citext not null,
      expires_at timestamptz not null,
      created_at timestamptz not null default now()
    );
    create index auth_tokens_dealer on auth_tokens (dealer_id, kind);

    -- New email addresses until the link sent to them is opened; one per dealer.
    create table email_changes (
      dealer_id uuid primary key references dealers on delete cascade,
      email citext not null check (length(email::text) between 3 and 254),
      expires_at timestamptz not null,
      constraint email_changes_one_address check (email::text ~ '^[^[:space:][:cntrl:],;:<>()"@]+@[^[:space:][:cntrl:],;:<>()"@]+$')
    );

    create table api_keys (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      name text not null check (length(name) between 1 and 60),
      scope text not null check (scope in ('read', 'full')),
      prefix text not null,
      hash bytea not null unique,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz
    );
    create index api_keys_dealer on api_keys (dealer_id, created_at desc) where revoked_at is null;`.execute(db)
}

/** `listed` combines all conditions for the directory that do not depend on the time. */
async function createDealers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dealers (
      id uuid primary key default uuidv7(),
      role text not null default 'dealer' check (role in ('dealer', 'ops', 'admin')),
      email citext not null unique check (length(email::text) between 3 and 254),
      password_hash text,
      name text not null default '' check (length(name) <= 120),
      avatar text,
      dealership_name text not null default '' check (length(dealership_name) <= 160),
      dealership_type text not null default 'independent' check (dealership_type in ('independent', 'franchise', 'wholesaler')),
      profile_type text not null default 'seller' check (profile_type in ('seller', 'buyer')),
      description text,
      phone text,
      website text,
      address text,
      city text not null default '',
      state text not null default '',
      zip text,
      country text not null default 'US' check (country in ('US', 'CA')),
      license_number text,
      license_verified_at timestamptz,
      auction_access_number text,
      dealership5_mil_number text,
      buys_canadian_vehicles boolean not null default false,
      rating numeric(3, 2),
      rating_count integer not null default 0,
      deals_completed integer not null default 0 check (deals_completed >= 0),
      connection_count integer not null default 0 check (connection_count >= 0),
      settings jsonb not null default '{}',
      rev bigint not null default 0,
      demo boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      email_verified_at timestamptz,
      profile_completed_at timestamptz,
      suspended_at timestamptz,
      suspended_until timestamptz,
      suspended_reason text,
      deleted_at timestamptz,
      listed boolean not null generated always as (
        deleted_at is null and profile_completed_at is not null and role = 'dealer'
        and coalesce(settings ->> 'profileVisibility', 'true') <> 'false'
      ) stored,
      constraint dealers_one_address check (email::text ~ '^[^[:space:][:cntrl:],;:<>()"@]+@[^[:space:][:cntrl:],;:<>()"@]+$')
    );
    create index dealers_name on dealers (lower(name), id) where deleted_at is null;
    create index dealers_state on dealers (state, lower(name), id) where deleted_at is null;
    create index dealers_search on dealers using gin ((name || ' ' || dealership_name || ' ' || city) gin_trgm_ops);
    create index dealers_avatar on dealers (avatar) where avatar is not null;

    -- For the directory, in its order.
    create index dealers_listed on dealers (lower(name), id) where listed;
    create index dealers_listed_state on dealers (state, lower(name), id) where listed;

    -- For lists of admins.
    create index dealers_newest on dealers (id desc) where deleted_at is null;
    create index dealers_suspended on dealers (id desc, suspended_until) where suspended_at is not null and deleted_at is null;
    create index dealers_unverified on dealers (id)
      where license_number is not null and license_verified_at is null and deleted_at is null;
    create index dealers_admin_search on dealers
      using gin ((name || ' ' || dealership_name || ' ' || email::text) gin_trgm_ops);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table api_keys, email_changes, auth_tokens, identities, sessions, dealers;
    drop extension pg_trgm, citext;`.execute(db)
}
