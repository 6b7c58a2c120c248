import { sql, type Kysely } from 'kysely'

/**
 * Bids are decided many at a time: one statement and one commit for all that arrived while the last was under way.
 * `place_bids` takes the place of `place_bid`; the rules are the same. A bid that the committed state already refuses
 * never takes the row lock: prices only rise, so what is too low now is too low under the lock as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table auction_bidders add column outbid_seq bigint`.execute(db)
  await sql`create index auction_bidders_outbid on auction_bidders (post_id, bidder_id) where outbid_seq is not null`.execute(
    db,
  )
  // What was a job per dealer is a mark now; those that wait are carried over.
  await sql`
    with waiting as (delete from outbox where name = 'auction.notifyOutbid' returning payload)
    update auction_bidders b set outbid_seq = 0 from waiting
    where b.post_id = (payload ->> 'postId')::uuid and b.bidder_id = (payload ->> 'dealerId')::uuid`.execute(db)
  await sql`drop function place_bid`.execute(db)
  await createStandingFunction(db)
  await createRefusalFunction(db)
  await createBidsFunction(db)
}

/** 'ended' for a suspended or deleted dealer, else 'paid', 'owing' or 'none' by the plan. */
async function createStandingFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function bidder_standing(bidder uuid) returns text language sql stable as $$
      select case
        when d.deleted_at is not null
          or (d.suspended_at is not null and (d.suspended_until is null or d.suspended_until >= now())) then 'ended'
        when s.status is null then 'none'
        when s.status in ('active', 'trialing') then 'paid'
        else 'owing' end
      from dealers d
      left join subscriptions s on s.dealer_id = d.id and s.status in ('active', 'past_due', 'unpaid', 'trialing')
      where d.id = bidder
    $$`.execute(db)
}

/** Why the auction as given does not take the bid at this time; null when it does. */
async function createRefusalFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function bid_refusal(a auctions, bidder uuid, kind text, cents bigint, at timestamptz)
    returns jsonb language plpgsql immutable as $$
    declare
      lowest bigint := coalesce(a.amount_cents + a.increment_cents, a.start_cents);
      code text := case
        when a.status <> 'open' or at < a.starts_at or at >= a.ends_at then 'CLOSED'
        when a.seller_id = bidder then 'OWN'
        when a.leader_id = bidder and kind = 'bid' then 'LEADING'
        when a.leader_id = bidder and cents < a.amount_cents then 'TOO_LOW'
        when a.leader_id is distinct from bidder and cents < lowest then 'TOO_LOW'
      end;
    begin
      if code is null then return null; end if;
      return jsonb_build_object('code', code, 'amount', a.amount_cents / 100.0, 'minNext', lowest / 100.0,
        'startsAt', a.starts_at, 'endsAt', a.ends_at, 'serverNow', at);
    end $$`.execute(db)
}

/**
 * Decides bids, each {post, bidder, key, kind, cents}, in the order of their posts (so that two callers never wait in a
 * ring) and within a post in the order given. `kind` 'bid' names its amount; 'max' is a ceiling, bid for one increment
 * at a time; the earlier of two equal ones leads.
 * A row with `bid_no` (from 1) answers that bid: {seq, amount, endsAt, leading, number}, or {code, …} for a refusal.
 * A row without tells of an auction that moved: {outboxId, state, title, outbid}; its outbox row is inserted here, and
 * who was outbid is marked in `auction_bidders` until they are notified.
 */
async function createBidsFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function place_bids(requests jsonb) returns table (bid_no integer, outcome jsonb) language plpgsql as $$
    declare
      q record; a auctions; known bid_receipts; standing text; at timestamptz; locked boolean; before auctions;
      theirs bigint; reply bigint; outbid uuid[]; mine integer; event uuid; state jsonb;
    begin
      for q in
        select r.post, r.bidder, r.key, r.kind, r.cents, r.n::integer as n
        from rows from (jsonb_to_recordset(requests) as (post uuid, bidder uuid, key uuid, kind text, cents bigint))
          with ordinality as r (post, bidder, key, kind, cents, n)
        union all select null, null, null, null, null, null
        order by post nulls last, n
      loop
        if q.post is distinct from a.post_id and a is distinct from before then
          update auctions set seq = a.seq, amount_cents = a.amount_cents, leader_id = a.leader_id,
            leader_max_cents = a.leader_max_cents, bid_count = a.bid_count, bidder_count = a.bidder_count,
            ends_at = a.ends_at
          where auctions.post_id = a.post_id;
          if a.seq > before.seq then
            state := auction_state(a, 3);
            insert into outbox (kind, name, payload) values ('event', 'auction.changed', state) returning id into event;
            outbid := array_remove(outbid, a.leader_id);
            if cardinality(outbid) > 0 then
              update auction_bidders b set outbid_seq = a.seq where b.post_id = a.post_id and b.bidder_id = any(outbid);
            end if;
            bid_no := null;
            outcome := jsonb_build_object('outboxId', event, 'state', state, 'outbid', outbid,
              'title', (select title from posts where posts.id = a.post_id));
            return next;
          end if;
        end if;
        exit when q.post is null;
        if q.post is distinct from a.post_id then
          select * into a from auctions where auctions.post_id = q.post;
          before := a;
          locked := false;
          outbid := '{}';
        end if;

        bid_no := q.n;
        outcome := null;
        standing := bidder_standing(q.bidder);
        if standing <> 'paid' then
          outcome := jsonb_build_object('code', 'STANDING', 'standing', standing);
        elsif a.post_id is null then
          outcome := jsonb_build_object('code', 'NONE');
        end if;
        while outcome is null loop
          select * into known from bid_receipts r where r.bidder_id = q.bidder and r.key = q.key;
          if not found then
            at := clock_timestamp();
            outcome := bid_refusal(a, q.bidder, q.kind, q.cents, at);
          elsif (known.post_id, known.kind, known.amount_cents) is distinct from (q.post, q.kind, q.cents) then
            outcome := jsonb_build_object('code', 'KEY');
          else
            outcome := known.answer;
          end if;
          exit when locked;
          if outcome is null then
            select * into a from auctions where auctions.post_id = q.post for no key update;
            if not found then outcome := jsonb_build_object('code', 'NONE'); end if;
            before := a;
            locked := true;
          end if;
        end loop;
        if outcome is not null then
          return next;
          continue;
        end if;

        theirs := null;
        reply := null;
        if a.leader_id = q.bidder then
          a.leader_max_cents := q.cents;
        else
          insert into auction_bidders values (q.post, q.bidder, a.bidder_count + 1) on conflict do nothing;
          if found then a.bidder_count := a.bidder_count + 1; end if;
          if a.leader_id is null or q.cents > a.leader_max_cents then
            theirs := case when q.kind = 'bid' then q.cents
                           else least(q.cents, coalesce(a.leader_max_cents + a.increment_cents, a.start_cents)) end;
            if a.leader_id is not null then outbid := array_remove(outbid, a.leader_id) || a.leader_id; end if;
            a.leader_id := q.bidder;
            a.leader_max_cents := q.cents;
          else
            if q.cents < a.leader_max_cents then theirs := q.cents; end if;
            reply := least(a.leader_max_cents, q.cents + a.increment_cents);
          end if;
          if theirs is not null then
            a.seq := a.seq + 1;
            insert into bids values (q.post, a.seq, q.bidder, theirs, q.kind = 'max', at);
            a.bid_count := a.bid_count + 1;
          end if;
          if reply is not null then
            a.seq := a.seq + 1;
            insert into bids values (q.post, a.seq, a.leader_id, reply, true, at);
            a.bid_count := a.bid_count + 1;
          end if;
          a.amount_cents := coalesce(reply, theirs);
          a.ends_at := greatest(a.ends_at, least(a.hard_ends_at, at + interval '30 seconds'));
        end if;
        select b.number into mine from auction_bidders b where b.post_id = q.post and b.bidder_id = q.bidder;
        outcome := jsonb_build_object('seq', a.seq, 'amount', a.amount_cents / 100.0, 'endsAt', a.ends_at,
          'leading', a.leader_id = q.bidder, 'number', mine);
        insert into bid_receipts values (q.bidder, q.key, q.post, q.kind, q.cents, outcome);
        return next;
      end loop;
    end $$`.execute(db)
}
