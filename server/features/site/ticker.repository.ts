import { sql } from 'kysely'
import { isForSale } from '#server/features/posts/posts.rows.ts'
import type { Db } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'

export interface TickerRow {
  kind: 'live' | 'active' | 'sold'
  year: number | null
  make: string | null
  model: string | null
  state: string | null
}

/**
 * Returns up to `each` running auctions (soonest end first), posts for sale and sold posts (newest first) of dealers who allow it on the
 * public page. A post for sale shows its first available vehicle that is not in an auction.
 */
export async function listTicker(db: Db, each: number): Promise<TickerRow[]> {
  const visible = sql`p.deleted_at is null and p.hidden_at is null and p.vehicle_count > 0
    and d.settings ->> 'showOnPublicPage' = 'true' and not ${isSuspended('d')}`
  const { rows } = await sql<TickerRow>`
    with picked as (
      (select 'live' as kind, p.id
       from auctions a join posts p on p.id = a.post_id join dealers d on d.id = p.dealer_id
       where a.status = 'open' and now() between a.starts_at and a.ends_at and ${visible}
       order by a.ends_at, a.post_id limit ${each})
      union all
      (select 'active', p.id from posts p join dealers d on d.id = p.dealer_id
       where p.status = 'active' and p.available_count > 0 and ${visible} and ${isForSale('p')}
       order by p.created_at desc, p.id desc limit ${each})
      union all
      (select 'sold', p.id from posts p join dealers d on d.id = p.dealer_id
       where p.status = 'sold' and ${visible}
       order by p.created_at desc, p.id desc limit ${each})
    )
    select picked.kind, v.year, v.make, v.model, v.state
    from picked
    join lateral (
      select * from vehicles where post_id = picked.id and (picked.kind <> 'active' or status = 'available' and (
        not exists (select from auctions a where a.post_id = picked.id and a.status in ('open', 'deciding'))
        or position > (select min(position) from vehicles where post_id = picked.id)))
      order by position limit 1) v on true`.execute(db)
  return rows
}
