import { sql } from 'kysely'
import type { Db } from '#server/platform/db.ts'
import type { SummaryVehicle } from './summary-text.ts'

/** Years either way, and the share of the mileage (at least so many miles) within which vehicles are comparable. */
const yearsApart = 1
const mileageShare = 0.3
const mileageFloor = 10_000

/**
 * The post's vehicles with their market: other vehicles of the network of the same make and model, near in year and miles.
 * The market of a model is read once and summed by year and miles, however many of that model the post offers.
 */
export async function listVehiclesWithMarket(
  db: Db,
  postId: string,
  comparablesMin: number,
): Promise<SummaryVehicle[]> {
  const { rows } = await sql<Omit<SummaryVehicle, 'market'> & { count: number; averageCents: number | null }>`
    with mine as materialized (
      select *, lower(make) as make_key, lower(model) as model_key from vehicles where post_id = ${postId}
    ), pool as materialized (
      select m.make_key, m.model_key, o.year, o.mileage, count(*) as count, sum(o.price_cents) as cents
      from (
        select make_key, model_key, min(year) - ${yearsApart}::int as oldest, max(year) + ${yearsApart}::int as newest
        from mine group by make_key, model_key
      ) m
      join vehicles o on lower(o.make) = m.make_key and lower(o.model) = m.model_key
        and o.year between m.oldest and m.newest
      join posts p on p.id = o.post_id
      where o.post_id <> ${postId} and o.price_cents > 0 and p.deleted_at is null and p.hidden_at is null
      group by m.make_key, m.model_key, o.year, o.mileage
    ), markets as (
      select v.id, sum(o.count)::bigint as count,
        sum(o.cents)::double precision / sum(o.count)::double precision as average_cents
      from mine v
      join pool o on o.make_key = v.make_key and o.model_key = v.model_key
        and o.year between v.year - ${yearsApart}::int and v.year + ${yearsApart}::int
        and abs(o.mileage - v.mileage) <= greatest(${mileageFloor}, v.mileage * ${mileageShare}::double precision)
      group by v.id
    )
    select v.year, v.make, v.model, v.trim, v.mileage, v.price_cents, v.color, v.city, v.state, v.status,
      coalesce(market.count, 0) as count, market.average_cents
    from mine v left join markets market on market.id = v.id
    order by v.position`.execute(db)
  return rows.map(({ count, averageCents, ...vehicle }) => ({
    ...vehicle,
    market: count >= comparablesMin && averageCents !== null ? { count, averageCents } : undefined,
  }))
}
