import { sql, type Kysely } from 'kysely'

/**
 * `push_keys`: the network's one VAPID key pair (RFC 8292); the private key is encrypted. `push_devices`: a push subscription of one
 * browser. It belongs to the session that registered it and is deleted with it. `failed_since`: since when no delivery has arrived.
 * `day_count`: pushes sent on `day` (UTC).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table push_keys (
      only_row boolean primary key default true check (only_row),
      public_key bytea not null check (length(public_key) = 65),
      private_key bytea not null,
      created_at timestamptz not null default now()
    );
    create table push_devices (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      session_hash bytea not null references sessions on delete cascade,
      endpoint text not null unique check (length(endpoint) <= 1024),
      p256dh bytea not null check (length(p256dh) = 65),
      auth bytea not null check (length(auth) = 16),
      label text not null check (length(label) between 1 and 60),
      hide_content boolean not null default false,
      created_at timestamptz not null default now(),
      last_ok_at timestamptz,
      failed_since timestamptz,
      last_error text check (length(last_error) <= 200),
      day date,
      day_count int not null default 0
    );
    create index push_devices_dealer on push_devices (dealer_id);
    create index push_devices_session on push_devices (session_hash);
    comment on column push_devices.endpoint is 'personal: delete; export: no (lets others send)';
    comment on column push_devices.p256dh is 'personal: delete; export: no (lets others send)';
    comment on column push_devices.auth is 'personal: delete; export: no (lets others send)';
    comment on column push_devices.label is 'personal: delete; export: yes';
    comment on column push_devices.last_error is 'not personal';
    comment on column push_keys.private_key is 'not personal';
    comment on column push_keys.public_key is 'not personal';`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table push_devices; drop table push_keys;`.execute(db)
}
