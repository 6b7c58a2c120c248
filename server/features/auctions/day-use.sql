-- Returns the amounts that a dealer has spent and committed today, in cents. If `besides` is not null, excludes that auction.
--   since            the last midnight in the time zone of the dealer's quiet hours
--   limit_cents      the dealer's day limit, or null if there is none
--   won_*            deals from auctions since then that were not cancelled
--   committed_cents  the current prices of auctions that the dealer leads and that are open or await the seller's decision
--   headroom_cents   the amounts by which the server may still raise these prices, up to the dealer's maximums
create or replace function day_use(dealer uuid, besides uuid)
returns table (
  since timestamptz,
  limit_cents bigint,
  won_count integer,
  won_cents bigint,
  committed_cents bigint,
  headroom_cents bigint
)
language plpgsql
stable
rows 1
-- As in place-bids.sql, this function is planned once, possibly while the tables are still small.
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  own jsonb;
begin
  select dealers.settings into own from dealers where dealers.id = dealer;
  limit_cents := round((own #>> '{lane,dayLimit}')::numeric * 100);
  since := date_trunc('day', clock_timestamp(), coalesce(known_zone(own #>> '{quietHours,timeZone}'), 'America/Chicago'));
  select count(*), coalesce(sum(deals.price_cents), 0) into won_count, won_cents
  from deals
  where deals.buyer_id = dealer and deals.created_at >= since and deals.source = 'auction' and deals.status <> 'cancelled';
  select coalesce(sum(a.amount_cents), 0),
    coalesce(sum(a.leader_max_cents - a.amount_cents) filter (where a.status = 'open'), 0)
  into committed_cents, headroom_cents
  from auction_bidders b join auctions a on a.post_id = b.post_id
  where b.bidder_id = dealer and a.leader_id = dealer and a.status in ('open', 'deciding')
    and a.post_id is distinct from besides;
  return next;
end $$;
