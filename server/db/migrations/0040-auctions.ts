import { sql, type Kysely } from 'kysely'

/**
 * Auctions, their bids, and the two functions that are their rules. `place_bid` is one statement for its caller: it takes
 * the row lock first and looks at the clock after it, so bids are decided one by one and none is late.
 * `auction_state` is the one place that says what of an auction is public. Money is integer cents, dollars in its answers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table auctions (
      post_id uuid primary key references posts on delete cascade,
      seller_id uuid not null references dealers,
      start_cents bigint not null check (start_cents > 0),
      reserve_cents bigint check (reserve_cents > 0),
      increment_cents bigint not null default 50000 check (increment_cents > 0),
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      hard_ends_at timestamptz not null,
      status text not null default 'open' check (status in ('open', 'deciding', 'sold', 'no_sale')),
      seq bigint not null default 0,
      amount_cents bigint,
      leader_id uuid references dealers,
      leader_max_cents bigint,
      bid_count integer not null default 0,
      bidder_count integer not null default 0,
      closed_at timestamptz,
      created_at timestamptz not null default now(),
      check (ends_at > starts_at),
      check (hard_ends_at >= ends_at),
      check ((leader_id is null) = (amount_cents is null)),
      check ((leader_id is null) = (leader_max_cents is null)),
      check (leader_max_cents >= amount_cents),
      check (leader_id <> seller_id)
    ) with (fillfactor = 50)`.execute(db)
  await sql`create index auctions_ending on auctions (ends_at, post_id) where status = 'open'`.execute(db)
  await sql`create index auctions_seller on auctions (seller_id)`.execute(db)
  await sql`
    create table auction_bidders (
      post_id uuid not null references auctions on delete cascade,
      bidder_id uuid not null references dealers,
      number integer not null,
      primary key (post_id, bidder_id),
      unique (post_id, number)
    )`.execute(db)
  await sql`create index auction_bidders_bidder on auction_bidders (bidder_id)`.execute(db)
  await sql`
    create table bids (
      post_id uuid not null references auctions on delete cascade,
      seq bigint not null,
      bidder_id uuid not null references dealers,
      amount_cents bigint not null check (amount_cents > 0),
      auto boolean not null default false,
      at timestamptz not null default clock_timestamp(),
      primary key (post_id, seq)
    )`.execute(db)
  await sql`create index bids_bidder on bids (bidder_id, at desc)`.execute(db)
  await sql`
    create table bid_receipts (
      bidder_id uuid not null references dealers on delete cascade,
      key uuid not null,
      post_id uuid not null references auctions on delete cascade,
      kind text not null check (kind in ('bid', 'max')),
      amount_cents bigint not null,
      answer jsonb not null,
      primary key (bidder_id, key)
    )`.execute(db)
  await sql`create index bid_receipts_post on bid_receipts (post_id)`.execute(db)
  await createStateFunction(db)
  await createBidFunction(db)
}

/** Neither the reserve's amount nor anybody's maximum, and bidders by number only. */
async function createStateFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function auction_state(a auctions, recent integer) returns jsonb language sql stable as $$
      select jsonb_build_object(
        'postId', a.post_id, 'seq', a.seq, 'status', a.status,
        'amount', a.amount_cents / 100.0,
        'startAmount', a.start_cents / 100.0,
        'increment', a.increment_cents / 100.0,
        'minNext', coalesce(a.amount_cents + a.increment_cents, a.start_cents) / 100.0,
        'bidCount', a.bid_count,
        'leader', (select b.number from auction_bidders b where b.post_id = a.post_id and b.bidder_id = a.leader_id),
        'reserve', case when a.reserve_cents is null then 'none'
                        when a.amount_cents >= a.reserve_cents then 'met' else 'not_met' end,
        'startsAt', a.starts_at, 'endsAt', a.ends_at, 'hardEndsAt', a.hard_ends_at,
        'bids', coalesce((
          select jsonb_agg(jsonb_build_object(
            'seq', n.seq, 'amount', n.amount_cents / 100.0, 'bidder', b.number, 'auto', n.auto, 'at', n.at) order by n.seq desc)
          from (select * from bids where bids.post_id = a.post_id order by seq desc limit recent) n
          join auction_bidders b on b.post_id = n.post_id and b.bidder_id = n.bidder_id), '[]'))
    $$`.execute(db)
}

/**
 * Answers {seq, amount, endsAt, leading, number, events}, or {code, amount, minNext, endsAt} for a refusal.
 * `kind` 'bid' names its amount; 'max' is a ceiling, bid for one increment at a time; the earlier of two equal ones leads.
 * The outbox rows of what follows are inserted here; `events` says what they hold.
 */
async function createBidFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function place_bid(p_post uuid, p_bidder uuid, p_key uuid, p_kind text, p_cents bigint)
    returns jsonb language plpgsql as $$
    declare
      a auctions; first bid_receipts; at timestamptz; lowest bigint; refusal text;
      theirs bigint; reply bigint; outbid uuid; number integer; answer jsonb; state jsonb; event uuid; events jsonb := '[]';
    begin
      select * into a from auctions where post_id = p_post for no key update;
      if not found then return jsonb_build_object('code', 'NONE'); end if;
      select * into first from bid_receipts r where r.bidder_id = p_bidder and r.key = p_key;
      if found then
        if (first.post_id, first.kind, first.amount_cents) is distinct from (p_post, p_kind, p_cents) then
          return jsonb_build_object('code', 'KEY');
        end if;
        return first.answer || jsonb_build_object('events', events);
      end if;
      at := clock_timestamp();
      lowest := coalesce(a.amount_cents + a.increment_cents, a.start_cents);
      refusal := case
        when a.status <> 'open' or at < a.starts_at or at >= a.ends_at then 'CLOSED'
        when a.seller_id = p_bidder then 'OWN'
        when a.leader_id = p_bidder and p_kind = 'bid' then 'LEADING'
        when a.leader_id = p_bidder and p_cents < a.amount_cents then 'TOO_LOW'
        when a.leader_id is distinct from p_bidder and p_cents < lowest then 'TOO_LOW'
      end;
      if refusal is not null then
        return jsonb_build_object('code', refusal, 'amount', a.amount_cents / 100.0, 'minNext', lowest / 100.0,
          'startsAt', a.starts_at, 'endsAt', a.ends_at, 'serverNow', at);
      end if;

      if a.leader_id = p_bidder then
        update auctions set leader_max_cents = p_cents where post_id = p_post;
      else
        insert into auction_bidders values (p_post, p_bidder, a.bidder_count + 1) on conflict do nothing;
        if found then a.bidder_count := a.bidder_count + 1; end if;
        if a.leader_id is null or p_cents > a.leader_max_cents then
          theirs := case when p_kind = 'bid' then p_cents
                         else least(p_cents, coalesce(a.leader_max_cents + a.increment_cents, a.start_cents)) end;
          outbid := a.leader_id;
          a.leader_id := p_bidder;
          a.leader_max_cents := p_cents;
        else
          if p_cents < a.leader_max_cents then theirs := p_cents; end if;
          reply := least(a.leader_max_cents, p_cents + a.increment_cents);
        end if;
        if theirs is not null then
          a.seq := a.seq + 1;
          insert into bids values (p_post, a.seq, p_bidder, theirs, p_kind = 'max', at);
          a.bid_count := a.bid_count + 1;
        end if;
        if reply is not null then
          a.seq := a.seq + 1;
          insert into bids values (p_post, a.seq, a.leader_id, reply, true, at);
          a.bid_count := a.bid_count + 1;
        end if;
        a.amount_cents := coalesce(reply, theirs);
        a.ends_at := greatest(a.ends_at, least(a.hard_ends_at, at + interval '30 seconds'));
        update auctions set seq = a.seq, amount_cents = a.amount_cents, leader_id = a.leader_id,
          leader_max_cents = a.leader_max_cents, bid_count = a.bid_count, bidder_count = a.bidder_count, ends_at = a.ends_at
        where post_id = p_post;
        state := auction_state(a, 3);
        insert into outbox (kind, name, payload) values ('event', 'auction.changed', state) returning id into event;
        events := events || jsonb_build_object('id', event, 'name', 'auction.changed', 'payload', state);
        if outbid is not null then
          state := jsonb_build_object('postId', p_post, 'dealerId', outbid, 'amount', a.amount_cents / 100.0, 'seq', a.seq);
          insert into outbox (kind, name, payload) values ('event', 'auction.outbid', state) returning id into event;
          events := events || jsonb_build_object('id', event, 'name', 'auction.outbid', 'payload', state);
        end if;
      end if;

      select b.number into number from auction_bidders b where b.post_id = p_post and b.bidder_id = p_bidder;
      answer := jsonb_build_object('seq', a.seq, 'amount', a.amount_cents / 100.0, 'endsAt', a.ends_at,
        'leading', a.leader_id = p_bidder, 'number', number);
      insert into bid_receipts values (p_bidder, p_key, p_post, p_kind, p_cents, answer);
      return answer || jsonb_build_object('events', events);
    end $$`.execute(db)
}
