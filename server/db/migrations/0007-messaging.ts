import { sql, type Kysely } from 'kysely'

/**
 * One chat per pair of dealers; server/features/messaging/store-messages.sql has the rules for messages. `last_seq` numbers a chat's
 * messages and `rev` its changes, both without gaps and assigned under the chat's row lock. The read position is one number per
 * member, so no row is written per recipient of a message. Also the notifications of dealers.
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
    );
    create index chats_post on chats (post_id) where post_id is not null;
    create index chats_activity on chats (last_activity);

    create table chat_members (
      chat_id uuid not null references chats on delete cascade,
      dealer_id uuid not null references dealers,
      read_seq bigint not null default 0,
      muted_at timestamptz,
      blocked_at timestamptz,
      primary key (dealer_id, chat_id)
    );
    create index chat_members_chat on chat_members (chat_id);

    create table messages (
      id uuid not null default uuidv7() unique,
      chat_id uuid not null references chats on delete cascade,
      seq bigint not null,
      rev bigint not null,
      sender_id uuid not null references dealers,
      client_id uuid not null,
      content text not null check (length(content) <= 4000),
      attachment_url text check (length(attachment_url) <= 2000),
      attachment_name text check (length(attachment_name) <= 200),
      created_at timestamptz not null,
      hidden_at timestamptz,
      search tsvector generated always as (to_tsvector('simple', content)) stored,
      primary key (chat_id, seq),
      constraint messages_client unique (sender_id, client_id),
      check (content <> '' or attachment_url is not null)
    );
    create index messages_rev on messages (chat_id, rev);
    create index messages_search on messages using gin (search);
    create index messages_attachment on messages (attachment_url) where attachment_url is not null;`.execute(db)
  await createNotifications(db)
}

/** `dedupe_key` prevents duplicate notices per dealer. `mail_due_at` is when an unread notice is emailed; null: never. */
async function createNotifications(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notifications (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      kind text not null,
      title text not null check (length(title) <= 300),
      body text not null default '' check (length(body) <= 1000),
      path text not null check (path like '/%' and length(path) <= 500),
      actor_id uuid references dealers on delete set null,
      dedupe_key text,
      in_app boolean not null,
      push boolean not null,
      mail_due_at timestamptz,
      mailed_at timestamptz,
      read_at timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      unique (dealer_id, dedupe_key)
    );
    create index notifications_list on notifications (dealer_id, id desc) where in_app;
    create index notifications_unread on notifications (dealer_id) where in_app and read_at is null;
    create index notifications_mail on notifications (dealer_id, mail_due_at)
      where mail_due_at is not null and mailed_at is null and read_at is null;
    create index notifications_old on notifications (created_at);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table notifications, messages, chat_members, chats`.execute(db)
}
