import { sql, type Insertable, type RawBuilder, type Selectable, type Updateable } from 'kysely'
import type { BuyOrder } from '#shared/schemas/wanted.ts'
import { traitOf, drives } from '#shared/vehicle-traits.ts'
import type { BuyOrders } from '#server/db/schema.ts'
import { zone } from '#server/features/dealers/time-zone-sql.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import {
  bought,
  candidateVehicles,
  dayStart,
  fits,
  isLiving,
  isNewMatch,
  isPictured,
  isSellerInReach,
  isSellerActive,
  joinPlaces,
  mayOffer,
  monthStart,
  notBlocked,
} from './wanted-sql.ts'
import type { Watched } from './watchers.repository.ts'

type OrderColumns = Omit<Insertable<BuyOrders>, 'id' | 'dealerId' | 'version' | 'createdAt' | 'updatedAt'>

export async function insertOrder(tx: Tx, dealerId: string, order: OrderColumns): Promise<string> {
  const { id } = await tx
    .insertInto('buyOrders')
    .values({ ...order, dealerId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateOrder(tx: Tx, orderId: string, change: Updateable<BuyOrders>): Promise<void> {
  await tx
    .updateTable('buyOrders')
    .set({ ...change, version: sql<number>`version + 1`, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', orderId)
    .execute()
}

/** `flaggedCents` is the price about which moderators were last notified, or null. */
export async function updateFlagged(tx: Tx, orderId: string, flaggedCents: number | null): Promise<void> {
  await tx.updateTable('buyOrders').set({ flaggedCents }).where('id', '=', orderId).execute()
}

export async function countStanding(tx: Tx, dealerId: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('buyOrders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('dealerId', '=', dealerId)
    .where('status', '<>', 'ended')
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export type StoredOrder = Selectable<BuyOrders> &
  Pick<Watched, 'yearMin' | 'yearMax' | 'milesMax' | 'radius' | 'drives' | 'photosOnly'>

export async function lockOrder(tx: Tx, dealerId: string, orderId: string): Promise<StoredOrder | undefined> {
  return tx
    .selectFrom('buyOrders')
    .innerJoin('findWatchers', 'findWatchers.orderId', 'buyOrders.id')
    .selectAll('buyOrders')
    .select(['yearMin', 'yearMax', 'milesMax', 'radius', 'drives', 'photosOnly'])
    .where('buyOrders.id', '=', orderId)
    .where('buyOrders.dealerId', '=', dealerId)
    .forNoKeyUpdate('buyOrders')
    .executeTakeFirst()
}

export async function findLivingOrder(
  db: Db,
  dealerId: string,
  orderId: string,
  now: Date,
): Promise<{ priceCents: number } | undefined> {
  const { rows } = await sql<{ priceCents: number }>`
    select o.price_cents from buy_orders o join dealers d on d.id = o.dealer_id
    where o.id = ${orderId} and o.dealer_id = ${dealerId} and ${isLiving(now)}`.execute(db)
  return rows[0]
}

export async function expireOrders(tx: Tx, now: Date, limit: number) {
  const { rows } = await sql<{ id: string; dealerId: string }>`
    update buy_orders set status = 'ended', pause_reason = null, version = version + 1, updated_at = clock_timestamp()
    where id in (select id from buy_orders where status <> 'ended' and expires_at <= ${now}
      order by expires_at limit ${limit} for no key update skip locked)
    returning id, dealer_id`.execute(tx)
  return rows
}

interface OrderRow extends Selectable<BuyOrders> {
  yearMin: number | null
  yearMax: number | null
  milesMax: number | null
  radius: number | null
  drives: number[] | null
  photosOnly: boolean
  isOver: boolean
  mayOffer: boolean
  bought: number
  nextMonthAt: Date
  timeZone: string
  newMatches: number
  onOffer: number
  medianCents: number | null
}

function stateOf({ status, isOver, mayOffer: offers, bought: count, perMonth }: OrderRow): BuyOrder['state'] {
  if (isOver || status === 'ended') return 'ended'
  if (status === 'paused' || !offers) return 'paused'
  return count >= perMonth ? 'filled' : 'active'
}

function toOrder(row: OrderRow, lowShare: number): BuyOrder {
  const state = stateOf(row)
  return {
    id: row.id,
    make: row.make,
    model: row.model,
    trims: row.trims,
    yearFrom: row.yearMin,
    yearTo: row.yearMax,
    milesMax: row.milesMax ?? 0,
    near: row.near,
    within: row.radius,
    drive: traitOf(drives, row.drives?.[0] ?? 0),
    photosOnly: row.photosOnly,
    price: dollarsOf(row.priceCents),
    perMonth: row.perMonth,
    showName: row.showName,
    note: row.note,
    state,
    pauseReason: row.pauseReason ?? (state === 'paused' ? 'plan' : null),
    expiresAt: row.expiresAt.toISOString(),
    nextMonthAt: row.nextMonthAt.toISOString(),
    timeZone: row.timeZone,
    bought: row.bought,
    newMatches: row.newMatches,
    onOffer: row.onOffer,
    isLow: row.medianCents !== null && row.priceCents < row.medianCents * lowShare,
    version: row.version,
  }
}

interface Bounds {
  now: Date
  lowShare: number
  vehiclesMin: number
}

const onOffer = (vehiclesMin: number) => sql`
  select count(*) as on_offer, case when count(car.price_cents) >= ${vehiclesMin}
    then percentile_cont(0.5) within group (order by car.price_cents) end as median_cents
  from ${candidateVehicles} ${joinPlaces}
  where car.seller_id <> o.dealer_id and ${fits} and ${isPictured} and ${isSellerInReach}`

async function selectOrders(
  db: Db,
  { now, lowShare, vehiclesMin }: Bounds,
  where: RawBuilder<unknown>,
): Promise<BuyOrder[]> {
  const { rows } = await sql<OrderRow>`
    select o.*, w.year_min, w.year_max, w.miles_max, w.radius, w.drives, w.photos_only, o.expires_at <= ${now} as is_over, ${mayOffer} as may_offer,
      ${bought(now)} as bought, ${monthStart(now, 1)} as next_month_at, ${zone} as time_zone, market.on_offer, market.median_cents,
      (select count(*) from buy_order_matches m where m.order_id = o.id and ${isNewMatch}) as new_matches
    from buy_orders o
    join dealers d on d.id = o.dealer_id
    join find_watchers w on w.order_id = o.id
    cross join lateral (${onOffer(vehiclesMin)}) market
    where ${where}
    order by o.status = 'ended' or o.expires_at <= ${now}, o.id desc limit 200`.execute(db)
  return rows.map((row) => toOrder(row, lowShare))
}

/** Lists the dealer's orders, except those that ended before `endedSince`. */
export const listOrders = (db: Db, dealerId: string, bounds: Bounds, endedSince: Date): Promise<BuyOrder[]> =>
  selectOrders(
    db,
    bounds,
    sql`o.dealer_id = ${dealerId} and (o.status <> 'ended' and o.expires_at > ${bounds.now} or o.updated_at > ${endedSince})`,
  )

export async function findOrder(
  db: Db,
  dealerId: string,
  orderId: string,
  bounds: Bounds,
): Promise<BuyOrder | undefined> {
  const [order] = await selectOrders(db, bounds, sql`o.dealer_id = ${dealerId} and o.id = ${orderId}`)
  return order
}

/** `matchesToday` counts from midnight in the dealer's time zone. */
export async function countTotals(db: Db, dealerId: string, now: Date) {
  const { rows } = await sql<{
    matchesToday: number
    newMatches: number
    offers: number
    nextAnswerAt: Date | null
    zip: string | null
  }>`
    select d.zip,
      (select count(distinct m.vehicle_id) from buy_orders o join buy_order_matches m on m.order_id = o.id
        where o.dealer_id = d.id and m.at >= ${dayStart(now)}) as matches_today,
      (select count(distinct m.vehicle_id) from buy_orders o join buy_order_matches m on m.order_id = o.id
        where o.dealer_id = d.id and o.status <> 'ended' and o.expires_at > ${now} and ${isNewMatch}) as new_matches,
      count(f.id) as offers, min(f.expires_at) as next_answer_at
    from dealers d
    left join offers f on f.buyer_id = d.id and f.status = 'open' and f.buy_order_id is not null
    where d.id = ${dealerId} group by d.id`.execute(db)
  return rows[0] ?? { matchesToday: 0, newMatches: 0, offers: 0, nextAnswerAt: null, zip: null }
}

export async function isEmailVerified(db: Db, dealerId: string): Promise<boolean> {
  const row = await db.selectFrom('dealers').select('emailVerifiedAt').where('id', '=', dealerId).executeTakeFirst()
  return row?.emailVerifiedAt !== null && row !== undefined
}

export interface Market {
  onOffer: number
  newIn7Days: number
  quartiles: number[] | null
  soldCount: number
  soldMedian: number | null
}

export async function readMarket(
  db: Db,
  dealerId: string,
  watched: Watched,
  { now, vehiclesMin }: Pick<Bounds, 'now' | 'vehiclesMin'>,
): Promise<Market> {
  const { rows } = await sql<Market>`
    with w as (select ${watched.makeKey}::text as make_key, ${watched.modelKey}::text as model_key, ${watched.trimKeys}::text[] as trim_keys,
        ${watched.yearMin}::int as year_min, ${watched.yearMax}::int as year_max, false as year_none, null::int as miles_min,
        ${watched.milesMax}::int as miles_max, false as miles_none, null::smallint[] as bodies, ${watched.drives}::smallint[] as drives,
        null::smallint[] as fuels, ${watched.placeId}::int as place_id, ${watched.radius}::int as radius,
        ${watched.photosOnly}::boolean as photos_only),
      offered as (
        select car.price_cents, car.posted_at from w cross join lateral ${candidateVehicles} ${joinPlaces}
        where car.seller_id <> ${dealerId} and ${fits} and ${isPictured} and ${isSellerActive}
          and ${notBlocked(sql`${dealerId}::uuid`, sql`car.seller_id`)}
      ),
      sold as (
        select x.price_cents from w join deals x on word_key(x.make) = w.make_key and word_key(x.model) = w.model_key
        where x.status = 'completed' and x.completed_at > ${now}::timestamptz - interval '90 days'
          and x.created_at > ${now}::timestamptz - interval '180 days'
          and (w.trim_keys is null or word_key(x.trim) = any(w.trim_keys))
          and (w.year_min is null or x.year >= w.year_min) and (w.year_max is null or x.year <= w.year_max)
          and (w.miles_max is null or x.mileage <= w.miles_max)
      )
    select
      (select count(*) from offered) as on_offer,
      (select count(*) from offered where posted_at > ${now}::timestamptz - interval '7 days') as new_in7_days,
      (select case when count(price_cents) >= ${vehiclesMin} then percentile_cont(array[0.25, 0.5, 0.75]) within group (order by price_cents) end
        from offered) as quartiles,
      (select count(*) from sold) as sold_count,
      (select percentile_cont(0.5) within group (order by price_cents) from sold) as sold_median`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('one row is always answered')
  return row
}

export async function isOrderOver(db: Db, dealerId: string, orderId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('buyOrders')
    .select('id')
    .where('id', '=', orderId)
    .where('dealerId', '=', dealerId)
    .where((eb) => eb.or([eb('status', '=', 'ended'), eb('expiresAt', '<=', now)]))
    .executeTakeFirst()
  return row !== undefined
}

export async function pauseOrders(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return
  await tx
    .updateTable('buyOrders')
    .set({ status: 'paused', pauseReason: 'unanswered' })
    .set({ version: sql<number>`version + 1`, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', 'in', orderIds)
    .execute()
}

export async function updateCounted(tx: Tx, orderIds: readonly string[], now: Date): Promise<void> {
  if (orderIds.length === 0) return
  await tx.updateTable('buyOrders').set({ answeredAt: now }).where('id', 'in', orderIds).execute()
}

export type OrderName = Pick<Selectable<BuyOrders>, 'id' | 'dealerId' | 'version' | 'make' | 'model'>

export async function listOrderNames(db: Db, orderIds: readonly string[]): Promise<OrderName[]> {
  if (orderIds.length === 0) return []
  return db
    .selectFrom('buyOrders')
    .select(['id', 'dealerId', 'version', 'make', 'model'])
    .where('id', 'in', orderIds)
    .execute()
}

export async function isOwnOrder(db: Db, dealerId: string, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom('buyOrders')
    .select('id')
    .where('id', '=', orderId)
    .where('dealerId', '=', dealerId)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateAnswered(tx: Tx, dealerId: string, vehicleId: string): Promise<void> {
  await tx
    .updateTable('buyOrders')
    .set({ answeredAt: sql<Date>`clock_timestamp()` })
    .where('dealerId', '=', dealerId)
    .where('id', 'in', (eb) => eb.selectFrom('buyOrderMatches').select('orderId').where('vehicleId', '=', vehicleId))
    .execute()
}

export async function removeOrders(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('buyOrders').where('dealerId', '=', dealerId).execute()
  await tx.deleteFrom('demandAsks').where('dealerId', '=', dealerId).execute()
  await tx.deleteFrom('findAlerts').where('dealerId', '=', dealerId).execute()
}
