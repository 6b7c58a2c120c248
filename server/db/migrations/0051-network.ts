import { sql, type Kysely } from 'kysely'

/**
 * The directory's view of dealers. `listed` is everything about being shown in it that no clock decides; the indexes
 * hold listed dealers in the order they are shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dealers add column listed boolean not null generated always as (
      deleted_at is null and profile_completed_at is not null and role = 'dealer'
      and coalesce(settings ->> 'profileVisibility', 'true') <> 'false'
    ) stored`.execute(db)
  await sql`create index dealers_listed on dealers (lower(name), id) where listed`.execute(db)
  await sql`create index dealers_listed_state on dealers (state, lower(name), id) where listed`.execute(db)
  await sql`create index connection_requests_pair on connection_requests (requester_id, dealer_id, decided_at desc)`.execute(
    db,
  )
  await sql`alter table auth_tokens drop constraint auth_tokens_kind_check`.execute(db)
  await sql`alter table auth_tokens add constraint auth_tokens_kind_check check (kind in ('reset', 'verify', 'change'))`.execute(
    db,
  )
  await sql`
    create table saved_searches (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      search text not null check (length(btrim(search)) between 1 and 200),
      sort text not null check (sort in ('recent', 'hottest', 'for-sale', 'auction-promo')),
      query tsquery not null generated always as (websearch_to_tsquery('english', search)) stored,
      pattern text not null,
      created_at timestamptz not null default clock_timestamp(),
      unique (dealer_id, search, sort)
    )`.execute(db)
  await sql`
    create table watches (
      dealer_id uuid not null references dealers on delete cascade,
      post_id uuid not null references posts on delete cascade,
      created_at timestamptz not null default clock_timestamp(),
      primary key (dealer_id, post_id)
    )`.execute(db)
  await sql`create index watches_post on watches (post_id)`.execute(db)
}
