-- Stores messages, each {chat, sender, key, content, attachment_url, attachment_name, post_id}. Takes the chats in the order of their
-- ids, so that two callers cannot deadlock, and the messages of a chat in the given order.
--
-- Returns a row per message, with its `message_no` from 1 and its sequence numbers. `outbox_id` is the event stored with it.
-- `refusal` says why a message was not stored; ignore the rest of its row:
--   KNOWN   the sender has used the key before, for this or another message
--   CLOSED  the sender may not write here: not a member, one dealer has blocked the other, or one is deleted or suspended
-- Concurrent messages with the same key violate `messages_client`, which rolls back the whole call.
create or replace function store_messages(requests jsonb)
returns table (
  message_no integer,
  refusal text,
  message_id uuid,
  seq bigint,
  rev bigint,
  sent_at timestamptz,
  recipient_id uuid,
  outbox_id uuid
)
language plpgsql
rows 64
as $$
#variable_conflict use_column
declare
  incoming record;
  chat chats;
begin
  for incoming in
    select r.* from rows from (jsonb_to_recordset(requests) as (
      chat uuid, sender uuid, key uuid, content text, attachment_url text, attachment_name text, post_id uuid))
      with ordinality as r (chat, sender, key, content, attachment_url, attachment_name, post_id, no)
    order by r.chat, r.no
  loop
    message_no := incoming.no;
    refusal := null;

    -- A key belongs to one message forever.
    if exists (select from messages where sender_id = incoming.sender and client_id = incoming.key) then
      refusal := 'KNOWN';
      return next;
      continue;
    end if;

    -- Both dealers must be active, and neither may have blocked the other. The update locks the chat's row, so that its numbers have
    -- no gaps. Times are whole milliseconds, like those of JavaScript.
    update chats set last_seq = last_seq + 1, rev = rev + 1,
      last_activity = date_trunc('milliseconds', clock_timestamp())
    where id = incoming.chat and incoming.sender in (low_dealer_id, high_dealer_id)
      and not exists (
        select from chat_members member join dealers on dealers.id = member.dealer_id
        where member.chat_id = incoming.chat and (
          member.blocked_at is not null or dealers.deleted_at is not null
          or is_suspended(dealers.suspended_at, dealers.suspended_until)))
    returning * into chat;
    if not found then
      refusal := 'CLOSED';
      return next;
      continue;
    end if;

    insert into messages
      (chat_id, seq, rev, sender_id, client_id, content, attachment_url, attachment_name, created_at, post_id)
    values (chat.id, chat.last_seq, chat.rev, incoming.sender, incoming.key, incoming.content,
      incoming.attachment_url, incoming.attachment_name, chat.last_activity,
      -- Links only a post that others can see.
      (select posts.id from posts where posts.id = incoming.post_id and deleted_at is null and hidden_at is null))
    returning id into message_id;

    -- If the sender had read everything, their own message is read too. Otherwise unread messages stay unread.
    update chat_members set read_seq = chat.last_seq
    where chat_id = chat.id and dealer_id = incoming.sender and read_seq = chat.last_seq - 1;

    insert into outbox (kind, name, payload)
    values ('event', 'message.sent', jsonb_build_object('messageId', message_id)) returning id into outbox_id;
    seq := chat.last_seq;
    rev := chat.rev;
    sent_at := chat.last_activity;
    recipient_id := case incoming.sender when chat.low_dealer_id then chat.high_dealer_id else chat.low_dealer_id end;
    return next;
  end loop;
end $$;
