-- Amounts that a dealer has spent and committed today, in cents, without one auction (`besides`; null: with all):
--   since            midnight in the time zone of their quiet hours
--   limit_cents      their day limit; null: none
--   won_*            deals of auctions made since then that were not cancelled
--   committed_cents  the prices of auctions that they lead, or whose seller decides
--   headroom_cents   the difference to their maximums, while these can still bid
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
-- As in place-bids.sql: planned once, while the tables may still be small.
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  own jsonb;
begin
  select dealers.settings into own from dealers where dealers.id = dealer;
  limit_cents := round((own #>> '{lane,dayLimit}')::numeric * 100);
  begin
    since := date_trunc('day', clock_timestamp(), coalesce(own #>> '{quietHours,timeZone}', 'America/Chicago'));
  exception when invalid_parameter_value then
    -- Browsers may know a time zone that this database does not.
    since := date_trunc('day', clock_timestamp(), 'America/Chicago');
  end;
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
