-- Updates the rows of find_vehicles for these posts from the posts, vehicles, photos and auctions. Returns the number of rows that
-- changed; unchanged rows are not written. Call it at the end of the transaction that wrote the data.
-- Format of traits: {models: {"<make key> <model key>": [body, drive, fuel]}, vins: {"<first characters>": [body, drive, fuel]}}.
-- Unknown models and VINs have no key; 0 means not stated. Traits come from the VIN if it is known, otherwise from the words of trim and
-- title, otherwise from the traits that all vehicles of the model share. The title is used only if it describes a single vehicle.
create or replace function refresh_find(post_ids uuid[], traits jsonb) returns integer
language plpgsql as $$
declare
  changed integer;
begin
  -- Inserts new words in order, so that concurrent calls with the same words cannot deadlock. Each word is looked up with a subquery, here
  -- and below, because in a join PostgreSQL may compare every vehicle with every word, and a sheet can have thousands.
  insert into find_words (kind, parent_id, key, label)
    select 'make', 0, said.key, min(said.label)
    from (select word_key(v.make) as key, btrim(v.make) as label from vehicles v where v.post_id = any(post_ids) offset 0) said
    where said.key <> ''
      and (select w.id from find_words w where w.parent_id = 0 and w.kind = 'make' and w.key = said.key) is null
    group by said.key order by said.key
    on conflict do nothing;
  insert into find_words (kind, parent_id, key, label)
    select 'model', said.make_id, said.key, min(said.label)
    from (
      select word_key(v.model) as key, btrim(v.model) as label,
        (select w.id from find_words w where w.parent_id = 0 and w.kind = 'make' and w.key = word_key(v.make)) as make_id
      from vehicles v where v.post_id = any(post_ids) offset 0
    ) said
    where said.key <> '' and said.make_id is not null
      and (select w.id from find_words w where w.parent_id = said.make_id and w.kind = 'model' and w.key = said.key) is null
    group by said.make_id, said.key order by said.make_id, said.key
    on conflict do nothing;
  insert into find_words (kind, parent_id, key, label)
    select 'trim', said.model_id, said.key, min(said.label)
    from (
      select word_key(v.trim) as key, btrim(v.trim) as label,
        (select w.id from find_words w where w.parent_id = (
            select m.id from find_words m where m.parent_id = 0 and m.kind = 'make' and m.key = word_key(v.make))
          and w.kind = 'model' and w.key = word_key(v.model)) as model_id
      from vehicles v where v.post_id = any(post_ids) offset 0
    ) said
    where said.key <> '' and said.model_id is not null
      and (select w.id from find_words w where w.parent_id = said.model_id and w.kind = 'trim' and w.key = said.key) is null
    group by said.model_id, said.key order by said.model_id, said.key
    on conflict do nothing;

  insert into find_sellers as known (dealer_id, rating, hidden_until)
    select d.id, d.rating, case when d.deleted_at is not null then 'infinity'
      when d.suspended_at is not null then coalesce(d.suspended_until, 'infinity') end
    from dealers d where d.id in (select dealer_id from posts where id = any(post_ids))
      and not exists (select from find_sellers s where s.dealer_id = d.id)
    order by d.id
    on conflict do nothing;

  with model_traits as materialized (
    select key, (value ->> 0)::smallint as body, (value ->> 1)::smallint as drive, (value ->> 2)::smallint as fuel
    from jsonb_each(traits -> 'models')
  ), vin_traits as materialized (
    select key, (value ->> 0)::smallint as body, (value ->> 1)::smallint as drive, (value ->> 2)::smallint as fuel
    from jsonb_each(traits -> 'vins')
  ), cars as (
    select v.id as vehicle_id, p.id as post_id, p.dealer_id as seller_id,
      coalesce(make.id, 0) as make_id, coalesce(model.id, 0) as model_id, coalesce(trim_word.id, 0) as trim_id,
      v.year, v.mileage,
      coalesce(nullif(by_vin.body, 0), said.body, nullif(by_model.body, 0), 0) as body,
      coalesce(nullif(by_vin.drive, 0), said.drive, nullif(by_model.drive, 0),
        case when said.two_wheels and coalesce(nullif(by_vin.body, 0), by_model.body) = 1 then 4 end, 0) as drive,
      coalesce(nullif(by_vin.fuel, 0), said.fuel, nullif(by_model.fuel, 0), 0) as fuel,
      case when a.status = 'open' then coalesce(a.amount_cents, a.start_cents) else v.price_cents end as price_cents,
      case when a.status = 'open' then a.starts_at end as starts_at,
      case when a.status = 'open' then a.ends_at end as ends_at,
      exists (select from photos h where h.post_id = p.id and (h.vehicle_id = v.id or h.vehicle_id is null and p.vehicle_count = 1))
        as has_photos,
      case when v.city is null or lower(v.city) = lower(d.city) and upper(v.state) is not distinct from upper(d.state) then d.place_id
        else coalesce(
          (select c.id from postal_places c where c.region = upper(v.state) and lower(c.city) = lower(v.city) order by c.code limit 1),
          case when v.state is null or upper(v.state) = upper(d.state) then d.place_id end) end as place_id,
      p.created_at as posted_at,
      -- While the seller decides on the highest bid, no dealer can bid on the vehicle, make an offer or buy it.
      v.status <> 'available' or p.status <> 'active' or p.deleted_at is not null or p.hidden_at is not null
        or coalesce(a.status = 'deciding', false) as gone
    from posts p
    join dealers d on d.id = p.dealer_id
    join vehicles v on v.post_id = p.id
    -- An auction sells the first vehicle of its post. The other vehicles keep their fixed price.
    left join auctions a on a.post_id = p.id
      and not exists (select from vehicles earlier where earlier.post_id = p.id and earlier.position < v.position)
    cross join lateral (
      select word_key(v.make) as make, word_key(v.model) as model, word_key(v.trim) as trim offset 0
    ) keys
    left join lateral (
      select w.id from find_words w where w.parent_id = 0 and w.kind = 'make' and w.key = keys.make offset 0
    ) make on true
    left join lateral (
      select w.id from find_words w where w.parent_id = make.id and w.kind = 'model' and w.key = keys.model offset 0
    ) model on true
    left join lateral (
      select w.id from find_words w where w.parent_id = model.id and w.kind = 'trim' and w.key = keys.trim offset 0
    ) trim_word on true
    left join model_traits by_model on by_model.key = keys.make || ' ' || keys.model
    left join lateral (
      select * from vin_traits where key = any (array[left(v.vin, 8), left(v.vin, 7), left(v.vin, 6), left(v.vin, 5)])
      order by length(key) desc limit 1
    ) by_vin on length(v.vin) = 17
    cross join lateral (
      select lower(concat_ws(' ', v.model, v.trim, case when p.vehicle_count = 1 then p.title end)) as text
    ) words
    cross join lateral (
      select
        case when words.text ~ '\m(convertible|cabriolet|roadster)\M' then 5
          when words.text ~ '\m(hatchback|hatch)\M' then 6
          when words.text ~ '\m(wagon|sportwagen|estate)\M' then 7
          when words.text ~ '\m(coupe)\M' then 4
          when words.text ~ '\m(cargo van|minivan|passenger van)\M' then 8 end as body,
        case when words.text ~ '\m(4x4|4wd)\M' then 1
          when words.text ~ '\m(awd|sh-awd|4matic|xdrive|quattro|4motion)\M' then 2
          when words.text ~ '\m(fwd)\M' then 3
          when words.text ~ '\m(rwd|sdrive)\M' then 4 end as drive,
        words.text ~ '\m(4x2|2wd)\M' as two_wheels,
        case when words.text ~ '\m(plug-?in|phev|4xe|prime|recharge)\M' then 3
          when words.text ~ '\m(hybrid|hev|powerboost)\M' then 2
          when words.text ~ '\m(diesel|tdi|duramax|cummins|powerstroke|power stroke|ecodiesel|bluetec)\M' then 4
          when words.text ~ '\m(electric|ev|bev|lightning)\M' then 5 end as fuel
    ) said
    where p.id = any(post_ids)
  ), made as (
    -- An existing row keeps its number. Calling nextval for every update would use up the sequence.
    insert into find_vehicles as f (row_no, vehicle_id, post_id, seller_id, make_id, model_id, trim_id, year, mileage, body, drive, fuel,
      price_cents, starts_at, ends_at, has_photos, place_id, posted_at, gone)
    overriding system value
    select coalesce((select k.row_no from find_vehicles k where k.vehicle_id = cars.vehicle_id),
      nextval('find_vehicles_row_no_seq')), vehicle_id, post_id, seller_id, make_id, model_id, trim_id, year, mileage, body, drive, fuel,
      price_cents, starts_at, ends_at, has_photos, place_id, posted_at, gone
    from cars where not gone or exists (select from find_vehicles k where k.vehicle_id = cars.vehicle_id)
    order by vehicle_id
    on conflict (vehicle_id) do update set
      post_id = excluded.post_id, seller_id = excluded.seller_id, make_id = excluded.make_id, model_id = excluded.model_id,
      trim_id = excluded.trim_id, year = excluded.year, mileage = excluded.mileage, body = excluded.body, drive = excluded.drive,
      fuel = excluded.fuel, price_cents = excluded.price_cents, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      has_photos = excluded.has_photos, place_id = excluded.place_id, posted_at = excluded.posted_at, gone = excluded.gone,
      changed_xid = pg_current_xact_id(), changed_at = now()
    where not (f.gone and excluded.gone) and
      (f.post_id, f.seller_id, f.make_id, f.model_id, f.trim_id, f.year, f.mileage, f.body, f.drive, f.fuel, f.price_cents,
        f.starts_at, f.ends_at, f.has_photos, f.place_id, f.posted_at, f.gone)
      is distinct from
      (excluded.post_id, excluded.seller_id, excluded.make_id, excluded.model_id, excluded.trim_id, excluded.year, excluded.mileage,
        excluded.body, excluded.drive, excluded.fuel, excluded.price_cents, excluded.starts_at, excluded.ends_at,
        excluded.has_photos, excluded.place_id, excluded.posted_at, excluded.gone)
    returning 1
  ), removed as (
    update find_vehicles f set gone = true, changed_xid = pg_current_xact_id(), changed_at = now()
    where f.post_id = any(post_ids) and not f.gone and not exists (select from vehicles v where v.id = f.vehicle_id)
    returning 1
  )
  select (select count(*) from made) + (select count(*) from removed) into changed;
  return changed;
end $$;
