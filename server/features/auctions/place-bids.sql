-- Decides bids, each {post, bidder, key, kind, cents}: auction by auction in the order of their posts, so that two callers
-- never wait for each other in a ring, and within an auction in the order given. A bid of the kind 'bid' names its price; a
-- 'max' is a ceiling, up to which it is bid for its dealer one increment at a time. All amounts are cents.
--
-- Answers a row per bid, by its `bid_no` from 1, with the price and the end of the auction after it. `refusal` says why it was
-- not taken; the rest of such a row is how the auction stands:
--   GONE      the bidder is suspended or deleted         CLOSED   the auction has not begun, or is over
--   STOPPED   the bidder waits for an admin's word       OWN      it is the bidder's own auction
--   NO_PLAN   the bidder has no plan
--   OWING     the bidder's plan is not paid              LEADING  the bidder leads already
--   LICENSE   the network asks for a verified one        TOO_LOW  less than `min_next_cents`
--   NONE      there is no such auction                   LIMIT    more than the bidder's own limit of a day leaves (day-use.sql)
--   KEY       the key was used for another bid           UNCONFIRMED  the network asks for a confirmed address
-- Maximums at the start that wait for one of these auctions are decided before them, in the order in which they were set, and have no
-- row: whoever hands them in by their keys is answered what became of them.
-- And a row without `bid_no` per auction that moved, with its new number and price: `outbox_id` is the event that is stored
-- with it, `outbid` are those who led before and lead no longer, `title` is what they know it by.
create or replace function place_bids(requests jsonb, soft_close_ms integer, paid_statuses text[])
returns table (
  bid_no integer,
  refusal text,
  post_id uuid,
  seq bigint,
  price_cents bigint,
  min_next_cents bigint,
  starts_at timestamptz,
  ends_at timestamptz,
  decided_at timestamptz,
  leads boolean,
  bidder_number integer,
  outbox_id uuid,
  outbid uuid[],
  title text
)
language plpgsql
rows 64
-- A connection plans these statements once. Planned while the tables are small they would read all of `bid_receipts` for every
-- bid, and go on so until the next analyze: thousands of bids later in a busy minute.
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  incoming record;
  auction auctions;           -- as the bids decided so far have left it
  stored auctions;            -- as it stands in the table
  locked boolean;
  receipt bid_receipts;
  led_before uuid[];          -- who lost the lead to one of these bids
  highest bigint;             -- the most that the leader would pay
  own_price bigint;           -- what is bid for the incoming bidder
  counter_price bigint;       -- what is bid against it for the leader
  has_limit boolean;          -- whether the bidder has set one for a day
begin
  for incoming in
    with asked as materialized (
      select r.post, r.bidder, r.key, r.kind, r.cents, r.no, null::timestamptz as set_at
      from rows from (jsonb_to_recordset(requests) as (post uuid, bidder uuid, key uuid, kind text, cents bigint))
        with ordinality as r (post, bidder, key, kind, cents, no)
    )
    select r.post, r.bidder, r.key, r.kind, r.cents, r.no,
      row_number() over of_post = 1 as is_first, lead(r.key) over of_post is null as is_last
    from (
      select * from asked
      union all
      select p.post_id, p.bidder_id, p.key, 'max', p.max_cents, null, p.created_at
      from (select distinct post from asked) of_asked
      join auctions a on a.post_id = of_asked.post
      join auction_presets p on p.post_id = a.post_id
      where a.status = 'open' and a.bid_count = 0 and a.starts_at <= clock_timestamp()
    ) r
    window of_post as (partition by r.post order by r.no nulls first, r.set_at, r.bidder)
    order by r.post, r.no nulls first, r.set_at, r.bidder
  loop
    if incoming.is_first then
      select * into auction from auctions where auctions.post_id = incoming.post;
      stored := auction;
      locked := false;
      led_before := '{}';
    end if;

    -- Bidding is for dealers who are there, and whose plan is paid where the network asks for a plan. The statuses listed are those of which a dealer has one at
    -- most, as the index `subscriptions_live` has them.
    refusal := 'GONE';
    select case
      when dealers.deleted_at is not null or is_suspended(dealers.suspended_at, dealers.suspended_until) then 'GONE'
      -- The dealer won and cancelled too often, and the network stops such bidders.
      when dealers.bidding_stopped_at is not null and (select stop_after_cancels from network_settings) then 'STOPPED'
      when dealers.email_verified_at is null
        and (select coalesce(confirmed_only, current_setting('lanewire.confirmed_only', true) = 'on') from network_settings)
        then 'UNCONFIRMED'
      when (dealers.license_verified_at is null or dealers.license_expires_on < (clock_timestamp() at time zone 'utc')::date)
        and (select coalesce(verified_only, current_setting('lanewire.verified_only', true) = 'on') from network_settings)
        then 'LICENSE'
      when current_setting('lanewire.billing', true) = 'off' or (select not plan_required from network_settings) then null
      when subscriptions.status is null then 'NO_PLAN'
      when subscriptions.status <> all (paid_statuses) then 'OWING'
    end, dealers.settings #>> '{lane,dayLimit}' is not null into refusal, has_limit
    from dealers
    left join subscriptions on subscriptions.dealer_id = dealers.id
      and subscriptions.status in ('active', 'past_due', 'unpaid', 'trialing')
    where dealers.id = incoming.bidder;

    receipt := null;
    while refusal is null loop
      if auction.post_id is null then
        refusal := 'NONE';
        exit;
      end if;

      -- A key is good for one bid, for ever: asked for again, it gives the first answer.
      select * into receipt from bid_receipts r where r.bidder_id = incoming.bidder and r.key = incoming.key;
      if receipt.key is not null then
        if (receipt.post_id, receipt.kind, receipt.amount_cents) <> (incoming.post, incoming.kind, incoming.cents) then
          refusal := 'KEY';
          receipt := null;
        end if;
        exit;
      end if;

      -- Reads the clock after locking the row, so that a bid that waited past the end is refused. The leader may only change their
      -- maximum, and not below the price. Other dealers must bid at least one increment above the price.
      decided_at := clock_timestamp();
      min_next_cents := coalesce(auction.amount_cents + auction.increment_cents, auction.start_cents);
      refusal := case
        when auction.status <> 'open' or decided_at < auction.starts_at or decided_at >= auction.ends_at then 'CLOSED'
        when auction.seller_id = incoming.bidder then 'OWN'
        when auction.leader_id = incoming.bidder and incoming.kind = 'bid' then 'LEADING'
        when auction.leader_id = incoming.bidder and incoming.cents < auction.amount_cents then 'TOO_LOW'
        when auction.leader_id is distinct from incoming.bidder and incoming.cents < min_next_cents then 'TOO_LOW'
      end;
      -- Bids on other auctions that are decided in the same moment are not seen: they may pass the limit by one. A leader may always
      -- want to pay less than before.
      if refusal is null and has_limit
          and (auction.leader_id is distinct from incoming.bidder or incoming.cents > auction.leader_max_cents) then
        select 'LIMIT' into refusal from day_use(incoming.bidder, incoming.post) d
          where d.won_cents + d.committed_cents + d.headroom_cents + incoming.cents > d.limit_cents;
      end if;

      -- What the committed state refuses never waits for the row: prices only rise, so that what is too low now is too low under
      -- the lock as well. But an end that is past may have been moved by a bid that is not committed yet, up to the hard end.
      -- That, and whatever is not refused, is looked at again under the lock.
      exit when locked or (refusal is not null and not (
        refusal = 'CLOSED' and auction.status = 'open' and decided_at >= auction.ends_at and decided_at < auction.hard_ends_at));
      refusal := null;
      select * into auction from auctions where auctions.post_id = incoming.post for no key update;
      stored := auction;
      locked := true;
    end loop;

    if refusal is null and receipt.key is null then
      select b.number into bidder_number from auction_bidders b
        where b.post_id = incoming.post and b.bidder_id = incoming.bidder;
      if auction.leader_id = incoming.bidder then
        -- A new maximum of the leader's own moves neither the price nor the end.
        auction.leader_max_cents := incoming.cents;
      else
        -- Bidders are numbers to each other, in the order in which they came.
        if bidder_number is null then
          auction.bidder_count := auction.bidder_count + 1;
          bidder_number := auction.bidder_count;
          insert into auction_bidders (post_id, bidder_id, number) values (incoming.post, incoming.bidder, bidder_number);
        end if;

        highest := auction.leader_max_cents;
        if highest is null or incoming.cents > highest then
          -- Takes the lead: at the price named, or for a maximum one increment over what was the highest.
          own_price := case incoming.kind
            when 'bid' then incoming.cents
            else least(incoming.cents, coalesce(highest + auction.increment_cents, auction.start_cents)) end;
          counter_price := null;
          if auction.leader_id is not null then led_before := led_before || auction.leader_id; end if;
          auction.leader_id := incoming.bidder;
          auction.leader_max_cents := incoming.cents;
        else
          -- The leader's maximum answers. Of two equal ones the earlier leads, and stands in the history once.
          own_price := nullif(incoming.cents, highest);
          counter_price := least(highest, incoming.cents + auction.increment_cents);
        end if;
        if own_price is not null then
          auction.seq := auction.seq + 1;
          auction.bid_count := auction.bid_count + 1;
          insert into bids (post_id, seq, bidder_id, amount_cents, auto, at)
          values (incoming.post, auction.seq, incoming.bidder, own_price, incoming.kind = 'max', decided_at);
        end if;
        if counter_price is not null then
          auction.seq := auction.seq + 1;
          auction.bid_count := auction.bid_count + 1;
          insert into bids (post_id, seq, bidder_id, amount_cents, auto, at)
          values (incoming.post, auction.seq, auction.leader_id, counter_price, true, decided_at);
        end if;
        auction.amount_cents := coalesce(counter_price, own_price);

        -- The soft close: whoever was outbid has so long to answer, but not past the hard end.
        auction.ends_at := greatest(auction.ends_at,
          least(auction.hard_ends_at, decided_at + soft_close_ms * interval '1 millisecond'));
      end if;

      insert into bid_receipts
        (bidder_id, key, post_id, kind, amount_cents, seq, price_cents, ends_at, leads, bidder_number)
      values (incoming.bidder, incoming.key, incoming.post, incoming.kind, incoming.cents, auction.seq, auction.amount_cents,
        auction.ends_at, auction.leader_id = incoming.bidder, bidder_number)
      returning * into receipt;
    end if;

    bid_no := incoming.no;
    post_id := incoming.post;
    outbox_id := null;
    outbid := null;
    title := null;
    seq := receipt.seq;
    leads := receipt.leads;
    bidder_number := receipt.bidder_number;
    price_cents := coalesce(receipt.price_cents, auction.amount_cents);
    starts_at := auction.starts_at;
    ends_at := coalesce(receipt.ends_at, auction.ends_at);
    if incoming.no is not null then return next; end if;

    -- All bids on an auction are one change of its row.
    if incoming.is_last and auction is distinct from stored then
      update auctions set seq = auction.seq, amount_cents = auction.amount_cents, leader_id = auction.leader_id,
        leader_max_cents = auction.leader_max_cents, bid_count = auction.bid_count, bidder_count = auction.bidder_count,
        ends_at = auction.ends_at
      where auctions.post_id = incoming.post;
    end if;
    if incoming.is_last and auction.seq > stored.seq then
      insert into outbox (kind, name, payload)
      values ('event', 'auction.changed', jsonb_build_object('postId', incoming.post)) returning id into outbox_id;
      -- Whoever leads again has nothing to be told; the others are marked until they are.
      outbid := array(select distinct dealer from unnest(led_before) dealer where dealer <> auction.leader_id);
      if cardinality(outbid) > 0 then
        update auction_bidders b set outbid_seq = auction.seq where b.post_id = incoming.post and b.bidder_id = any (outbid);
        select posts.title into title from posts where posts.id = incoming.post;
      end if;
      bid_no := null;
      refusal := null;
      seq := auction.seq;
      price_cents := auction.amount_cents;
      return next;
    end if;
  end loop;
end $$;
