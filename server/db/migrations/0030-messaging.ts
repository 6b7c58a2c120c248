import { sql, type Kysely } from 'kysely'

/**
 * One chat per pair of dealers. `last_seq` numbers its messages and `rev` its changes, both without gaps and both taken
 * under the chat's row lock. What one has read is a pointer per member; nothing is kept per recipient of a message.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chats (
      id uuid primary key default uuidv7(),
      low_dealer_id uuid not null references dealers,
      high_dealer_id uuid not null references dealers,
      opened_by uuid not null references dealers,
      post_id uuid references posts on delete set null,
      rev bigint not null default 0,
      last_seq bigint not null default 0,
      last_activity timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
      created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
      constraint chats_pair unique (low_dealer_id, high_dealer_id),
      check (low_dealer_id < high_dealer_id)
    )`.execute(db)
  await sql`create index chats_post on chats (post_id) where post_id is not null`.execute(db)
  await sql`
    create table chat_members (
      chat_id uuid not null references chats on delete cascade,
      dealer_id uuid not null references dealers,
      read_seq bigint not null default 0,
      muted_at timestamptz,
      blocked_at timestamptz,
      primary key (dealer_id, chat_id)
    )`.execute(db)
  await sql`create index chat_members_chat on chat_members (chat_id)`.execute(db)
  await sql`
    create table messages (
      chat_id uuid not null references chats on delete cascade,
      seq bigint not null,
      rev bigint not null,
      id uuid not null default uuidv7() unique,
      sender_id uuid not null references dealers,
      client_id uuid not null,
      content text not null check (length(content) <= 4000),
      attachment_url text check (length(attachment_url) <= 2000),
      attachment_name text check (length(attachment_name) <= 200),
      created_at timestamptz not null,
      search tsvector generated always as (to_tsvector('simple', content)) stored,
      primary key (chat_id, seq),
      constraint messages_client unique (sender_id, client_id),
      check (content <> '' or attachment_url is not null)
    )`.execute(db)
  await sql`create index messages_rev on messages (chat_id, rev)`.execute(db)
  await sql`create index messages_search on messages using gin (search)`.execute(db)
  await sql`create index messages_attachment on messages (attachment_url) where attachment_url is not null`.execute(db)
}
