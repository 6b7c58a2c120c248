import { sql } from 'kysely'
import type { Db } from '#server/platform/db.ts'

/** Years either way, and the share of the mileage (at least so many miles) within which vehicles are comparable. */
const yearsApart = 1
const mileageShare = 0.3
const mileageFloor = 10_000

/** The post's vehicles with their market: other vehicles of the network of the same make and model, near in year and miles. */
export async function listVehiclesWithMarket(db: Db, postId: string, comparablesMin: number) {
  const { rows } = await sql<{
    year: number | null
    make: string | null
    model: string | null
    trim: string | null
    mileage: number | null
    priceCents: number | null
    color: string | null
    city: string | null
    state: string | null
    status: string
    count: number
    averageCents: number | null
  }>`
    select v.year, v.make, v.model, v.trim, v.mileage, v.price_cents, v.color, v.city, v.state, v.status,
      market.count, market.average_cents
    from vehicles v
    cross join lateral (
      select count(*) as count, avg(o.price_cents)::double precision as average_cents
      from vehicles o join posts p on p.id = o.post_id
      where lower(o.make) = lower(v.make) and lower(o.model) = lower(v.model)
        and o.year between v.year - ${yearsApart} and v.year + ${yearsApart}
        and abs(o.mileage - v.mileage) <= greatest(${mileageFloor}, v.mileage * ${mileageShare}::double precision)
        and o.post_id <> v.post_id and o.price_cents > 0
        and p.deleted_at is null and p.hidden_at is null
    ) market
    where v.post_id = ${postId}
    order by v.position`.execute(db)
  return rows.map(({ count, averageCents, ...vehicle }) => ({
    ...vehicle,
    market: count >= comparablesMin && averageCents !== null ? { count, averageCents } : undefined,
  }))
}
