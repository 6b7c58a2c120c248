import { sql } from 'kysely'
import { milesBetween } from '#server/features/find/miles-sql.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import {
  carsOf,
  fits,
  isAskedInReach,
  isLiving,
  isPictured,
  isSellerActive,
  isWithin,
  joinPlaces,
  notBlocked,
} from './wanted-sql.ts'
import type { MatchKey } from './matches.repository.ts'

/** Criteria for vehicles. Null means no condition. Words are keys, traits are numbers, and prices are in cents. */
export interface Watched {
  makeKey: string | null
  modelKey: string | null
  trimKeys: string[] | null
  yearMin: number | null
  yearMax: number | null
  /** True to include vehicles without a year. Without a range, only those vehicles match. */
  yearNone: boolean
  priceMin: number | null
  priceMax: number | null
  priceNone: boolean
  milesMin: number | null
  milesMax: number | null
  milesNone: boolean
  placeId: number | null
  radius: number | null
  bodies: number[] | null
  drives: number[] | null
  fuels: number[] | null
  /** 0: at a price, 1: in a live auction, 2: in an upcoming auction. */
  sales: number[] | null
  connectedOnly: boolean
  ratingMin: number | null
  photosOnly: boolean
  postedDays: number | null
}

export async function insertSearchWatchers(
  tx: Tx,
  dealerId: string,
  searchId: string,
  watched: readonly Watched[],
): Promise<void> {
  await tx.deleteFrom('findWatchers').where('searchId', '=', searchId).execute()
  await tx
    .insertInto('findWatchers')
    .values(watched.map((one) => ({ ...one, dealerId, searchId })))
    .execute()
}

export async function upsertOrderWatcher(
  tx: Tx,
  dealerId: string,
  orderId: string,
  { active, ...watched }: Watched & { active: boolean },
): Promise<void> {
  await tx
    .insertInto('findWatchers')
    .values({ ...watched, active, dealerId, orderId })
    .onConflict((conflict) => conflict.column('orderId').doUpdateSet({ ...watched, active }))
    .execute()
}

export async function setOrderWatcher(tx: Tx, orderIds: readonly string[], active: boolean): Promise<void> {
  if (orderIds.length === 0) return
  await tx.updateTable('findWatchers').set({ active }).where('orderId', 'in', orderIds).execute()
}

/** Returns null if the postal code is unknown. */
export async function findPlaceId(db: Db, code: string): Promise<number | null> {
  if (code.trim() === '') return null
  const { rows } = await sql<{ id: number | null }>`select place_of(${code}) as id`.execute(db)
  return rows[0]?.id ?? null
}

export interface Found {
  vehicleId: string
  /** True if there is or was an offer for the vehicle between its seller and this dealer. */
  isOffered: boolean
  dealerId: string
  searchId: string | null
  orderId: string | null
}

/** Finds dealers whose active orders or saved searches match vehicles of this post, except the seller and blocked dealers. */
export async function listFound(db: Db, postId: string, now: Date, askedAboveShare: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select car.vehicle_id, w.dealer_id, w.search_id, w.order_id,
      exists (select from offers f where f.vehicle_id = car.vehicle_id and f.buyer_id = w.dealer_id) as is_offered
    from ${carsOf(sql`f.post_id = ${postId}`)}
    cross join lateral (
      select * from find_watchers where active and make_key = car.make_key and model_key = car.model_key
      union all select * from find_watchers where active and make_key = car.make_key and model_key is null
      union all select * from find_watchers where active and make_key is null
    ) w
    join dealers d on d.id = w.dealer_id and d.deleted_at is null and not is_suspended(d.suspended_at, d.suspended_until)
    left join buy_orders o on o.id = w.order_id
    ${joinPlaces}
    where w.dealer_id <> car.seller_id and ${fits} and ${isSellerActive}
      and ${isPictured}
      and (w.posted_days is null or car.posted_at > ${now}::timestamptz - w.posted_days * interval '1 day')
      and (${isWithin('price_cents', 'price')})
      and (w.sales is null or (case when car.starts_at is null then 0 when car.starts_at <= ${now} then 1 else 2 end) = any(w.sales))
      and (not w.connected_only or exists (select from connections c where c.dealer_id = w.dealer_id and c.other_id = car.seller_id))
      and (w.rating_min is null or exists (select from dealers s where s.id = car.seller_id and s.rating >= w.rating_min))
      and (w.order_id is null or (car.starts_at is null and ${isAskedInReach(askedAboveShare)} and ${isLiving(now)}))
      and ${notBlocked(sql`w.dealer_id`, sql`car.seller_id`)}
    order by car.vehicle_id, w.dealer_id, w.order_id`.execute(db)
  return rows
}

export async function findComingStart(db: Db, postId: string, now: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('findVehicles')
    .select('startsAt')
    .where('postId', '=', postId)
    .where('gone', '=', false)
    .where('startsAt', '>', now)
    .orderBy('startsAt')
    .limit(1)
    .executeTakeFirst()
  return row?.startsAt ?? undefined
}

/** Returns the approximate miles for each match. Null if either location is unknown. */
export async function listMiles(db: Db, pairs: readonly MatchKey[]): Promise<Map<string, number | null>> {
  const { rows } = await sql<{ orderId: string; vehicleId: string; miles: number | null }>`
    select w.order_id, car.vehicle_id, ${milesBetween('car_place', 'w_place')} as miles
    from unnest(${pairs.map(({ orderId }) => orderId)}::uuid[], ${pairs.map(({ vehicleId }) => vehicleId)}::uuid[])
      as pair(order_id, vehicle_id)
    join find_watchers w on w.order_id = pair.order_id
    join find_vehicles car on car.vehicle_id = pair.vehicle_id
    ${joinPlaces}`.execute(db)
  return new Map(
    rows.map(({ orderId, vehicleId, miles }) => [`${orderId}:${vehicleId}`, miles === null ? null : Math.round(miles)]),
  )
}

export async function listSearchNames(db: Db, searchIds: readonly string[]): Promise<Map<string, string>> {
  if (searchIds.length === 0) return new Map()
  const rows = await db.selectFrom('savedSearches').select(['id', 'search']).where('id', 'in', searchIds).execute()
  return new Map(rows.map(({ id, search }) => [id, search]))
}
