import { sql } from 'kysely'
import type { Db } from '#server/platform/db.ts'
import { isSuspended } from '#server/platform/suspension.ts'

export interface TickerRow {
  kind: 'live' | 'active' | 'sold'
  vehicleCount: number
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
  city: string | null
  state: string | null
  makes: string[]
  amountCents: number | null
  bidCount: number
}

/** The newest `each` of the running auctions, the posts for sale and the sold ones; sellers who hide are left out. */
export async function listTicker(db: Db, each: number): Promise<TickerRow[]> {
  const visible = sql`p.deleted_at is null and p.hidden_at is null and d.listed and not ${isSuspended('d')}`
  const { rows } = await sql<TickerRow>`
    with picked as (
      (select 'live' as kind, p.id, coalesce(a.amount_cents, a.start_cents) as bid_cents, a.bid_count
       from auctions a join posts p on p.id = a.post_id join dealers d on d.id = p.dealer_id
       where a.status = 'open' and now() between a.starts_at and a.ends_at and ${visible}
       order by a.ends_at, a.post_id limit ${each})
      union all
      (select 'active', p.id, null, 0 from posts p join dealers d on d.id = p.dealer_id
       where p.status = 'active' and not p.is_auction and p.vehicle_count > 0 and ${visible}
       order by p.created_at desc, p.id desc limit ${each})
      union all
      (select 'sold', p.id, null, 0 from posts p join dealers d on d.id = p.dealer_id
       where p.status = 'sold' and p.vehicle_count > 0 and ${visible}
       order by p.created_at desc, p.id desc limit ${each})
    )
    select picked.kind, p.vehicle_count, v.year, v.make, v.model, v.trim, v.city, v.state, picked.bid_count,
      coalesce(picked.bid_cents, cars.cents) as amount_cents, coalesce(cars.makes, '{}') as makes
    from picked join posts p on p.id = picked.id
    left join lateral (select * from vehicles where post_id = p.id order by position limit 1) v on true
    left join lateral (
      select sum(price_cents)::float8 as cents, array_agg(distinct make order by make) filter (where make is not null) as makes
      from vehicles where post_id = p.id
    ) cars on true`.execute(db)
  return rows
}
