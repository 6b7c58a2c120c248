import { sql, type Kysely } from 'kysely'

/** Messages and addresses left on the public pages, the state of our services, and API keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_messages (
      id uuid primary key default uuidv7(),
      name text not null check (length(name) between 1 and 120),
      email citext not null check (length(email::text) between 3 and 254),
      company text not null default '' check (length(company) <= 160),
      dealership_type text check (dealership_type in ('independent', 'franchise', 'wholesaler', 'auction', 'other')),
      topic text not null default 'general' check (topic in ('general', 'sales', 'api', 'careers', 'privacy')),
      message text not null check (length(message) between 1 and 5000),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index contact_messages_sender on contact_messages (email, created_at desc)`.execute(db)
  await sql`
    create table list_subscribers (
      id uuid primary key default uuidv7(),
      list text not null check (list in ('newsletter', 'status')),
      email citext not null check (length(email::text) between 3 and 254),
      confirm_hash bytea,
      confirm_until timestamptz,
      confirmed_at timestamptz,
      created_at timestamptz not null default now(),
      unique (list, email)
    )`.execute(db)
  await sql`create unique index list_subscribers_confirm on list_subscribers (confirm_hash) where confirm_hash is not null`.execute(
    db,
  )
  await sql`
    create table service_states (
      service text primary key check (service in ('platform', 'messaging', 'ai', 'auth', 'database')),
      state text not null check (state in ('operational', 'degraded', 'down')),
      latency_ms integer,
      checked_at timestamptz not null,
      since timestamptz not null
    )`.execute(db)
  await sql`
    create table service_days (
      service text not null references service_states,
      day date not null,
      samples integer not null check (samples > 0),
      good integer not null check (good between 0 and samples),
      primary key (service, day)
    )`.execute(db)
  await sql`
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
    )`.execute(db)
  await sql`create index api_keys_dealer on api_keys (dealer_id, created_at desc) where revoked_at is null`.execute(db)
}
