import { sql, type Kysely } from 'kysely'

/** Dealers (one person, one account) and their sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`create extension if not exists citext`.execute(db)
  await sql`
    create table dealers (
      id uuid primary key default uuidv7(),
      email citext not null unique check (length(email::text) between 3 and 254),
      password_hash text,
      role text not null default 'dealer' check (role in ('dealer', 'ops', 'admin')),
      name text not null default '' check (length(name) <= 120),
      avatar text,
      dealership_name text not null default '' check (length(dealership_name) <= 160),
      dealership_type text not null default 'independent' check (dealership_type in ('independent', 'franchise', 'wholesaler')),
      profile_type text not null default 'seller' check (profile_type in ('seller', 'buyer')),
      phone text, website text, description text,
      address text, city text not null default '', state text not null default '', zip text,
      country text not null default 'US' check (country in ('US', 'CA')),
      license_number text, license_verified_at timestamptz,
      auction_access_number text, dealership5_mil_number text,
      buys_canadian_vehicles boolean not null default false,
      rating numeric(3, 2), rating_count integer not null default 0,
      deals_completed integer not null default 0 check (deals_completed >= 0),
      connection_count integer not null default 0 check (connection_count >= 0),
      settings jsonb not null default '{}',
      rev bigint not null default 0,
      demo boolean not null default false,
      email_verified_at timestamptz, profile_completed_at timestamptz,
      suspended_at timestamptz, suspended_until timestamptz, suspended_reason text,
      deleted_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index dealers_search on dealers using gin ((name || ' ' || dealership_name || ' ' || city) gin_trgm_ops)`.execute(
    db,
  )
  await sql`create index dealers_name on dealers (lower(name), id) where deleted_at is null`.execute(db)
  await sql`create index dealers_state on dealers (state, lower(name), id) where deleted_at is null`.execute(db)
  await sql`
    create table sessions (
      hash bytea primary key,
      dealer_id uuid not null references dealers on delete cascade,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      expires_at timestamptz not null,
      user_agent text, address text
    )`.execute(db)
  await sql`create index sessions_dealer on sessions (dealer_id)`.execute(db)
}
