-- Stores messages, each {chat, sender, key, content, attachment_url, attachment_name, post_id}. Processes the chats in the order of their
-- ids, so that concurrent calls cannot deadlock, and the messages of a chat in the given order.
--
-- Returns one row per message with its `message_no`, starting at 1, and its sequence numbers. `outbox_id` is the event stored with it.
-- `refusal` is the reason why a message was not stored; ignore the rest of that row:
--   KNOWN: the sender has used the key before, for this or another message.
--   CLOSED: the sender may not write to the chat. The sender is not a member, one dealer has blocked the other, or one is deleted or
--   suspended.
-- Concurrent messages with the same key violate the constraint `messages_client`, which rolls back the whole call.
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

    -- A key belongs to one message permanently.
    if exists (select from messages where sender_id = incoming.sender and client_id = incoming.key) then
      refusal := 'KNOWN';
      return next;
      continue;
    end if;

    -- Both dealers must be active, and neither may have blocked the other. The update locks the chat's row, so that sequence numbers have
    -- no gaps. Times are in whole milliseconds, as in JavaScript.
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
      -- Link a post only if other dealers can see it.
      (select posts.id from posts where posts.id = incoming.post_id and deleted_at is null and hidden_at is null))
    returning id into message_id;

    -- If the sender had read everything, their own message counts as read, too. Otherwise, earlier messages stay unread.
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
