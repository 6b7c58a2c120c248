import { sql, type Kysely } from 'kysely'

/**
 * The one rule of who is suspended now: a suspension with an end is over by itself. Inlined where it is asked, so indexes
 * still serve. The functions that had a rule of their own now ask it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function is_suspended(since timestamptz, until timestamptz) returns boolean language sql stable as $$
      select since is not null and (until is null or until > now())
    $$`.execute(db)
  await sql`
    create or replace function bidder_standing(bidder uuid) returns text language sql stable as $$
      select case
        when d.deleted_at is not null or is_suspended(d.suspended_at, d.suspended_until) then 'ended'
        when s.status is null then 'none'
        when s.status in ('active', 'trialing') then 'paid'
        else 'owing' end
      from dealers d
      left join subscriptions s on s.dealer_id = d.id and s.status in ('active', 'past_due', 'unpaid', 'trialing')
      where d.id = bidder
    $$`.execute(db)
  await createMessagesFunction(db)
}

/** That of 0081 with the rule above. */
async function createMessagesFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function store_messages(requests jsonb) returns table (message_no integer, outcome jsonb)
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
              member.blocked_at is not null or dealers.deleted_at is not null
              or is_suspended(dealers.suspended_at, dealers.suspended_until)))
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
