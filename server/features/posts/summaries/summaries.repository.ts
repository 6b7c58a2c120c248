import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { SummaryPost, SummaryVehicle } from './summary-text.ts'

export async function findSummarySource(
  db: Db,
  postId: string,
): Promise<{ post: SummaryPost; vehicles: SummaryVehicle[] } | undefined> {
  const post = await db.selectFrom('posts').select(['title', 'description']).where('id', '=', postId).executeTakeFirst()
  if (post === undefined) return undefined
  const vehicles = await db
    .selectFrom('vehicles')
    .select(['year', 'make', 'model', 'trim', 'mileage', 'notes'])
    .select(['priceCents', 'previousPriceCents', 'priceChangedAt'])
    .where('postId', '=', postId)
    .orderBy('position')
    .execute()
  return { post, vehicles }
}

/** Comparable vehicles differ by at most one model year, and by at most 30% of the mileage or 10,000 miles, whichever is more. */
const yearsApart = 1
const mileageShare = 0.3
const mileageFloor = 10_000
const soldDays = 90
/** With fewer comparable vehicles or dealers, the average would reveal individual prices. */
const comparablesMin = 5
const comparedDealersMin = 3
const comparedMax = 5

export interface MarketRow {
  vehicleId: string
  year: number
  make: string
  model: string
  trim: string | null
  priceCents: number
  averageCents: number
  count: number
  dealers: number
}

/**
 * Compares a post's vehicles with other dealers' vehicles, except the reader's. Comparable vehicles have the same make and model, a similar
 * year and mileage, and are for sale or recently sold. Each VIN counts once, as first offered.
 */
export async function listMarket(db: Db, postId: string, readerId: string): Promise<MarketRow[]> {
  const { rows } = await sql<MarketRow>`
    with mine as materialized (
      select v.*, posts.dealer_id from vehicles v join posts on posts.id = v.post_id
      where v.post_id = ${postId} and v.price_cents > 0 and v.year is not null and v.mileage is not null
      order by v.position limit ${comparedMax}
    ), others as (
      select distinct on (m.id, coalesce(o.vin, o.id::text)) m.id, o.price_cents, p.dealer_id
      from mine m
      join vehicles o on lower(o.make) = lower(m.make) and lower(o.model) = lower(m.model)
        and o.year between m.year - ${yearsApart}::int and m.year + ${yearsApart}::int
        and abs(o.mileage - m.mileage) <= greatest(${mileageFloor}, m.mileage * ${mileageShare}::double precision)
      join posts p on p.id = o.post_id
      where o.price_cents > 0 and p.dealer_id not in (m.dealer_id, ${readerId}) and o.vin is distinct from m.vin
        and p.deleted_at is null and p.hidden_at is null and p.status <> 'expired'
        and case o.status when 'sold' then coalesce(o.sold_at, p.created_at) > now() - make_interval(days => ${soldDays})
          else p.status = 'active' end
      order by m.id, coalesce(o.vin, o.id::text), p.created_at, o.id
    )
    select m.id as vehicle_id, m.year, m.make, m.model, m.trim, m.price_cents, count(*)::int as count,
      count(distinct others.dealer_id)::int as dealers, avg(others.price_cents)::double precision as average_cents
    from mine m join others on others.id = m.id
    group by m.id, m.year, m.make, m.model, m.trim, m.price_cents, m.position
    having count(*) >= ${comparablesMin} and count(distinct others.dealer_id) >= ${comparedDealersMin}
    order by m.position`.execute(db)
  return rows
}
