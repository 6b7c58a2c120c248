import { sql, type Kysely } from 'kysely'

/**
 * Connections. A row in `connections` means "dealer has other in their network". A connection is mutual if both rows exist.
 * A request asks the other dealer to make it mutual.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table connections (
      dealer_id uuid not null references dealers on delete cascade,
      other_id uuid not null references dealers on delete cascade,
      created_at timestamptz not null default now(),
      primary key (dealer_id, other_id),
      check (dealer_id <> other_id)
    );
    create index connections_other on connections (other_id);

    create table connection_requests (
      id uuid primary key default uuidv7(),
      requester_id uuid not null references dealers on delete cascade,
      dealer_id uuid not null references dealers on delete cascade,
      status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'withdrawn')),
      created_at timestamptz not null default now(),
      decided_at timestamptz,
      check (requester_id <> dealer_id)
    );
    create unique index connection_requests_open on connection_requests (requester_id, dealer_id) where status = 'pending';
    create index connection_requests_inbox on connection_requests (dealer_id, created_at desc) where status = 'pending';
    create index connection_requests_pair on connection_requests (requester_id, dealer_id, decided_at desc);

    create table profile_views (
      dealer_id uuid not null references dealers on delete cascade,
      viewer_id uuid not null references dealers on delete cascade,
      day date not null default current_date,
      primary key (dealer_id, viewer_id, day)
    );`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table profile_views, connection_requests, connections`.execute(db)
}
