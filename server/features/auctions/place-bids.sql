-- Decides bids, each {post, bidder, key, kind, cents}. Processes the auctions in the order of their post ids, so that two callers
-- cannot deadlock, and the bids of an auction in the given order. A 'bid' contains its price. A 'max' is a limit up to which the
-- server bids for the dealer, one increment at a time. All amounts are in cents.
--
-- Returns a row per bid, with its `bid_no` (from 1) and the auction's price and end after the bid. If the bid was refused,
-- `refusal` contains the reason, and the rest of the row is the state of the auction. Reasons:
--   GONE      the bidder is suspended or deleted         CLOSED   the auction has not begun, or is over
--   STOPPED   an admin has to allow the bidder again     OWN      it is the bidder's own auction
--   NO_PLAN   the bidder has no plan
--   OWING     the bidder's plan is not paid              LEADING  the bidder already leads
--   LICENSE   the network requires a verified license    TOO_LOW  less than `min_next_cents`
--   NONE      there is no such auction                   LIMIT    the bid would exceed the bidder's day limit (day-use.sql)
--   KEY       the key was used for another bid           UNCONFIRMED  the network requires a confirmed address
-- Preset maximums of these auctions are decided first, in the order in which they were set. They have no row of their own: to get
-- their results, call this function again with their keys.
-- Also returns a row without `bid_no` for each auction that changed, with its new `seq` and price. `outbox_id` is the id of the
-- stored event, `outbid` lists the dealers who lost the lead, and `title` is the title of the post.
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
-- Each connection plans these statements once. A plan made while the tables are small would scan all of `bid_receipts` for every bid. It
-- would last until the next analyze, which a busy minute reaches only after thousands of bids.
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  incoming record;
  auction auctions;           -- the auction after the bids decided so far
  stored auctions;            -- the auction as stored in the table
  locked boolean;
  receipt bid_receipts;
  led_before uuid[];          -- dealers who lost the lead to one of these bids
  highest bigint;             -- the leader's maximum
  own_price bigint;           -- the price of the incoming bid
  counter_price bigint;       -- the price of the leader's automatic counterbid
  has_limit boolean;          -- true if the bidder has a day limit
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

    -- Dealers may bid if their account is active and, where the network requires a plan, their plan is paid. A dealer has at most one
    -- subscription with these statuses (index `subscriptions_live`).
    refusal := 'GONE';
    select case
      when dealers.deleted_at is not null or is_suspended(dealers.suspended_at, dealers.suspended_until) then 'GONE'
      -- The dealer has cancelled too many won auctions, and the network blocks such bidders.
      when dealers.bidding_stopped_at is not null and (select stop_after_cancels from network_settings) then 'STOPPED'
      when dealers.email_verified_at is null
        and (select coalesce(confirmed_only, current_setting('lanewire.confirmed_only', true) = 'on') from network_settings)
        then 'UNCONFIRMED'
      -- A license is valid through its last day in every time zone (UTC-12 is the last one).
      when (dealers.license_verified_at is null
          or dealers.license_expires_on < (clock_timestamp() at time zone 'utc' - interval '12 hours')::date)
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

      -- A key belongs to one bid forever. If the key is sent again, it returns the first result.
      select * into receipt from bid_receipts r where r.bidder_id = incoming.bidder and r.key = incoming.key;
      if receipt.key is not null then
        if (receipt.post_id, receipt.kind, receipt.amount_cents) <> (incoming.post, incoming.kind, incoming.cents) then
          refusal := 'KEY';
          receipt := null;
        end if;
        exit;
      end if;

      -- Read the clock after locking the row, so that a bid that waited past the end is refused. The leader may only change their maximum,
      -- and not to an amount below the price. Other dealers must bid at least one increment above the price.
      decided_at := clock_timestamp();
      min_next_cents := coalesce(auction.amount_cents + auction.increment_cents, auction.start_cents);
      refusal := case
        when auction.status <> 'open' or decided_at < auction.starts_at or decided_at >= auction.ends_at then 'CLOSED'
        when auction.seller_id = incoming.bidder then 'OWN'
        when auction.leader_id = incoming.bidder and incoming.kind = 'bid' then 'LEADING'
        when auction.leader_id = incoming.bidder and incoming.cents < auction.amount_cents then 'TOO_LOW'
        when auction.leader_id is distinct from incoming.bidder and incoming.cents < min_next_cents then 'TOO_LOW'
      end;
      -- Concurrent bids on other auctions are not visible here, so together they may exceed the limit by one bid. A leader may always lower
      -- their maximum.
      if refusal is null and has_limit
          and (auction.leader_id is distinct from incoming.bidder or incoming.cents > auction.leader_max_cents) then
        select 'LIMIT' into refusal from day_use(incoming.bidder, incoming.post) d
          where d.won_cents + d.committed_cents + d.headroom_cents + incoming.cents > d.limit_cents;
      end if;

      -- A bid that the committed state refuses does not wait for the lock: prices only rise, so a bid that is too low stays too low.
      -- However, an uncommitted bid may have extended an auction past its end, up to the hard end. This case, and every bid that is not
      -- refused, is checked again under the lock.
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
        -- A leader's new maximum changes neither the price nor the end.
        auction.leader_max_cents := incoming.cents;
      else
        -- Bidders see each other only as numbers, assigned in the order of their first bids.
        if bidder_number is null then
          auction.bidder_count := auction.bidder_count + 1;
          bidder_number := auction.bidder_count;
          insert into auction_bidders (post_id, bidder_id, number) values (incoming.post, incoming.bidder, bidder_number);
        end if;

        highest := auction.leader_max_cents;
        if highest is null or incoming.cents > highest then
          -- The bidder takes the lead. A bid pays its own price. A maximum pays one increment above the previous leader's maximum.
          own_price := case incoming.kind
            when 'bid' then incoming.cents
            else least(incoming.cents, coalesce(highest + auction.increment_cents, auction.start_cents)) end;
          counter_price := null;
          if auction.leader_id is not null then led_before := led_before || auction.leader_id; end if;
          auction.leader_id := incoming.bidder;
          auction.leader_max_cents := incoming.cents;
        else
          -- The leader's maximum outbids the new bid. If both are equal, the earlier one leads and appears in the history once.
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

        -- Soft close: outbid dealers get this much time to bid again, but not past the hard end.
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

    -- Update the auction's row once for all of its bids.
    if incoming.is_last and auction is distinct from stored then
      update auctions set seq = auction.seq, amount_cents = auction.amount_cents, leader_id = auction.leader_id,
        leader_max_cents = auction.leader_max_cents, bid_count = auction.bid_count, bidder_count = auction.bidder_count,
        ends_at = auction.ends_at
      where auctions.post_id = incoming.post;
    end if;
    if incoming.is_last and auction.seq > stored.seq then
      insert into outbox (kind, name, payload)
      values ('event', 'auction.changed', jsonb_build_object('postId', incoming.post)) returning id into outbox_id;
      -- Mark outbid dealers until they are notified, except a dealer who leads again.
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
