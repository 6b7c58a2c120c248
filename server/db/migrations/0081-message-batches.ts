import { sql, type Kysely } from 'kysely'

/**
 * Stores messages, each {chat, sender, key, content, attachmentUrl, attachmentName}, in the order of their chats (so that
 * two callers never wait in a ring) and within a chat in the order given: the chat's numbers rise under its row lock, the
 * message takes them, the sender's read pointer follows, and the outbox gets the event.
 * Answers each request (`message_no` from 1) with {outboxId, event, demoId}; {known} when the key was used before; or {}
 * when the sender may not write here now (no member, blocked, or the other is gone). `demoId` is the other where it is a
 * demo dealer whom nobody plays.
 * Two that use one key in the same moment break `messages_client`, which undoes the whole call.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function store_messages(requests jsonb) returns table (message_no integer, outcome jsonb)
    language plpgsql as $$
    declare
      q record; c chats; m messages; event jsonb; stored uuid; demo uuid;
    begin
      for q in
        select r.chat, r.sender, r.key, r.content, r.url, r.name, r.n::integer as n
        from rows from (jsonb_to_recordset(requests) as (
          chat uuid, sender uuid, key uuid, content text, "attachmentUrl" text, "attachmentName" text))
          with ordinality as r (chat, sender, key, content, url, name, n)
        order by r.chat, r.n
      loop
        message_no := q.n;
        if exists (select from messages where sender_id = q.sender and client_id = q.key) then
          outcome := '{"known": true}';
          return next;
          continue;
        end if;
        update chats set last_seq = last_seq + 1, rev = rev + 1,
          last_activity = date_trunc('milliseconds', clock_timestamp())
        where id = q.chat and q.sender in (low_dealer_id, high_dealer_id)
          and not exists (
            select from chat_members member join dealers on dealers.id = member.dealer_id
            where member.chat_id = q.chat and (
              member.blocked_at is not null or dealers.suspended_at is not null or dealers.deleted_at is not null))
        returning * into c;
        if not found then
          outcome := '{}';
          return next;
          continue;
        end if;
        insert into messages
          (chat_id, seq, rev, sender_id, client_id, content, attachment_url, attachment_name, created_at)
        values (c.id, c.last_seq, c.rev, q.sender, q.key, q.content, q.url, q.name, c.last_activity)
        returning * into m;
        update chat_members set read_seq = m.seq where chat_id = m.chat_id and dealer_id = m.sender_id;
        event := jsonb_build_object('chatId', m.chat_id, 'rev', m.rev, 'seq', m.seq,
          'dealerIds', jsonb_build_array(c.low_dealer_id, c.high_dealer_id), 'message', jsonb_build_object(
            'id', m.id, 'seq', m.seq, 'rev', m.rev, 'senderId', m.sender_id, 'content', m.content,
            'clientId', m.client_id, 'attachmentUrl', m.attachment_url, 'attachmentName', m.attachment_name,
            'createdAt', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
        insert into outbox (kind, name, payload) values ('event', 'message.sent', event) returning id into stored;
        select dealers.id into demo from dealers
        where dealers.id = case when c.low_dealer_id = m.sender_id then c.high_dealer_id else c.low_dealer_id end
          and dealers.demo
          and not exists (select from sessions where sessions.dealer_id = dealers.id and expires_at > now());
        outcome := jsonb_build_object('outboxId', stored, 'event', event, 'demoId', demo);
        return next;
      end loop;
    end $$`.execute(db)
}
