import { sql } from 'kysely'
import type { matchStates } from '#shared/schemas/wanted.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import {
  candidateVehicles,
  fits,
  isAskedInReach,
  isLiving,
  isOfMatch,
  isSellerInReach,
  isUnanswered,
  joinPlaces,
} from './wanted-sql.ts'

type MatchState = (typeof matchStates)[number]

export interface MatchKey {
  orderId: string
  vehicleId: string
}

const idsOf = (pairs: readonly MatchKey[]) => sql`unnest(${pairs.map(({ orderId }) => orderId)}::uuid[],
  ${pairs.map(({ vehicleId }) => vehicleId)}::uuid[])`

/** If the dealer saw or dismissed the vehicle through another order, the new match gets the same state. */
export async function insertMatches(tx: Tx, pairs: readonly MatchKey[]): Promise<void> {
  if (pairs.length === 0) return
  await sql`
    insert into buy_order_matches (order_id, vehicle_id, state)
    select pair.order_id, pair.vehicle_id, coalesce((
      select m.state from buy_order_matches m join buy_orders other on other.id = m.order_id
      where m.vehicle_id = pair.vehicle_id and other.dealer_id = o.dealer_id and m.state in ('seen', 'dismissed')
      order by m.state limit 1), 'new')
    from ${idsOf(pairs)} as pair(order_id, vehicle_id) join buy_orders o on o.id = pair.order_id
    on conflict do nothing`.execute(tx)
}

export async function listMatchedDealers(tx: Tx, postId: string): Promise<string[]> {
  const { rows } = await sql<{ dealerId: string }>`
    select distinct o.dealer_id from vehicles v join buy_order_matches m on m.vehicle_id = v.id
    join buy_orders o on o.id = m.order_id
    where v.post_id = ${postId} and m.state <> 'dismissed' and o.status <> 'ended'`.execute(tx)
  return rows.map(({ dealerId }) => dealerId)
}

/** Marks the pairs as notified. Returns the pairs that had not been notified before. */
export async function insertAlerts(
  tx: Tx,
  pairs: readonly { dealerId: string; vehicleId: string }[],
): Promise<{ dealerId: string; vehicleId: string }[]> {
  if (pairs.length === 0) return []
  return tx
    .insertInto('findAlerts')
    .values(pairs.map(({ dealerId, vehicleId }) => ({ dealerId, vehicleId })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['dealerId', 'vehicleId'])
    .execute()
}

export async function countAlerts(tx: Tx, dealerIds: readonly string[], since: Date): Promise<Map<string, number>> {
  if (dealerIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('findAlerts')
    .select(['dealerId', (eb) => eb.fn.countAll<number>().as('count')])
    .where('dealerId', 'in', dealerIds)
    .where('at', '>', since)
    .groupBy('dealerId')
    .execute()
  return new Map(rows.map(({ dealerId, count }) => [dealerId, count]))
}

export async function queueAlerts(tx: Tx, pairs: readonly { dealerId: string; vehicleId: string }[]): Promise<void> {
  await sql`
    update find_alerts a set gathered = true
    from unnest(${pairs.map(({ dealerId }) => dealerId)}::uuid[], ${pairs.map(({ vehicleId }) => vehicleId)}::uuid[])
      as pair(dealer_id, vehicle_id)
    where a.dealer_id = pair.dealer_id and a.vehicle_id = pair.vehicle_id`.execute(tx)
}

/** Takes a dealer's alerts out of the digest queue. Returns the number of vehicles, and how many of them match a buy order. */
export async function takeQueuedAlerts(tx: Tx, dealerId: string): Promise<{ count: number; matched: number }> {
  const { rows } = await sql<{ count: number; matched: number }>`
    with taken as (
      update find_alerts set gathered = false where dealer_id = ${dealerId} and gathered returning vehicle_id
    )
    select count(*) as count, count(*) filter (where exists (select from buy_order_matches m join buy_orders o on o.id = m.order_id
      where m.vehicle_id = taken.vehicle_id and o.dealer_id = ${dealerId})) as matched from taken`.execute(tx)
  return rows[0] ?? { count: 0, matched: 0 }
}

/**
 * Locks active orders with at least `max` unanswered matches since the dealer's last answer. Counts only matches that the dealer has had
 * `ageMs` to answer and whose seller can be reached. `lives` is true if the order accepts vehicles now.
 */
export async function lockUnanswered(
  tx: Tx,
  { max, ageMs, now, limit }: { max: number; ageMs: number; now: Date; limit: number },
): Promise<{ id: string; lives: boolean }[]> {
  const age = sql`${ageMs} * interval '1 millisecond'`
  const { rows } = await sql<{ id: string; lives: boolean }>`
    select o.id, ${isLiving(now)} as lives from buy_orders o join dealers d on d.id = o.dealer_id
    where o.status = 'active' and (select count(*) from buy_order_matches m join find_vehicles car on car.vehicle_id = m.vehicle_id
      where m.order_id = o.id and m.at > o.answered_at and m.at <= ${now}::timestamptz - ${age} and ${isUnanswered} and ${isSellerInReach}
        and (not car.gone and car.starts_at is null or car.changed_at >= m.at + ${age})) >= ${max}
    order by o.id limit ${limit} for no key update of o skip locked`.execute(tx)
  return rows
}

/** Dismisses a vehicle for all of the dealer's orders. Returns false if the vehicle is not a match. */
export async function dismissVehicle(tx: Tx, dealerId: string, vehicleId: string): Promise<boolean> {
  const result = await tx
    .updateTable('buyOrderMatches')
    .set({ state: 'dismissed' })
    .where('vehicleId', '=', vehicleId)
    .where('orderId', 'in', (eb) => eb.selectFrom('buyOrders').select('id').where('dealerId', '=', dealerId))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Marks new matches with these vehicles as seen in all of the dealer's orders. Returns the number of marked matches. */
export async function updateSeen(tx: Tx, dealerId: string, vehicleIds: readonly string[]): Promise<number> {
  const result = await tx
    .updateTable('buyOrderMatches')
    .set({ state: 'seen' })
    .where('state', '=', 'new')
    .where('vehicleId', 'in', vehicleIds)
    .where('orderId', 'in', (eb) => eb.selectFrom('buyOrders').select('id').where('dealerId', '=', dealerId))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export interface MatchRow {
  orderId: string
  vehicleId: string
  rowNo: number
  at: string
  state: MatchState
  orderCents: number
  askedCents: number | null
  lastOffer: Pick<Offer, 'id' | 'status' | 'turn'> | null
}

/** A vehicle that matches several orders appears once: under an active order first, then under the order that pays most. */
export async function listMatches(
  db: Db,
  dealerId: string,
  { limit, after }: { limit: number; after: { at: string; id: string } | undefined },
): Promise<MatchRow[]> {
  const { rows } = await sql<MatchRow>`
    select m.order_id, m.vehicle_id, car.row_no, m.at::text as at, o.price_cents as order_cents, car.price_cents as asked_cents,
      case when f.last_offer is not null then 'offered' when m.state = 'offered' then 'seen' else m.state end as state, f.last_offer
    from buy_orders o
    join buy_order_matches m on m.order_id = o.id
    join find_vehicles car on car.vehicle_id = m.vehicle_id and not car.gone and car.starts_at is null
    left join lateral (
      select jsonb_build_object('id', f.id, 'status', f.status, 'turn', f.turn) as last_offer from offers f where ${isOfMatch}
      order by f.status = 'open' desc, f.created_at desc, f.id desc limit 1
    ) f on true
    where o.dealer_id = ${dealerId} and ${isSellerInReach} and o.status <> 'ended' and m.state <> 'dismissed'
      and not exists (select from buy_orders other join buy_order_matches n on n.order_id = other.id
        where other.dealer_id = ${dealerId} and n.vehicle_id = m.vehicle_id and n.state <> 'dismissed' and other.status <> 'ended'
          and (other.status = 'active', other.price_cents, other.id) > (o.status = 'active', o.price_cents, o.id))
      and ${after === undefined ? sql`true` : sql`(m.at, m.vehicle_id) < (${after.at}::timestamptz, ${after.id}::uuid)`}
    order by m.at desc, m.vehicle_id desc limit ${limit}`.execute(db)
  return rows
}

const selectNames = (db: Db, vehicleIds: readonly string[]) =>
  db
    .selectFrom('vehicles')
    .innerJoin('posts', 'posts.id', 'vehicles.postId')
    .innerJoin('dealers', 'dealers.id', 'posts.dealerId')
    .select(['vehicles.id', 'vehicles.year', 'vehicles.make', 'vehicles.model', 'vehicles.trim'])
    .select(['vehicles.priceCents', 'vehicles.previousPriceCents'])
    .select(['posts.id as postId', 'posts.title as postTitle', 'posts.dealerId as sellerId', 'dealers.dealershipName'])
    .where('vehicles.id', 'in', vehicleIds)

export async function listVehicleNames(db: Db, vehicleIds: readonly string[]) {
  const rows = vehicleIds.length === 0 ? [] : await selectNames(db, vehicleIds).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Adds the newest matching vehicles to each order, dated to when they were posted. Sends no notifications. */
export async function insertPastMatches(
  tx: Tx,
  dealerIds: readonly string[],
  { perOrder, askedAboveShare }: { perOrder: number; askedAboveShare: number },
): Promise<void> {
  await sql`
    insert into buy_order_matches (order_id, vehicle_id, at)
    select o.id, found.vehicle_id, found.posted_at
    from buy_orders o
    join find_watchers w on w.order_id = o.id
    cross join lateral (
      select car.vehicle_id, car.posted_at from ${candidateVehicles} ${joinPlaces}
      where car.seller_id <> o.dealer_id and car.starts_at is null and ${fits} and ${isAskedInReach(askedAboveShare)}
      order by car.posted_at desc limit ${perOrder}
    ) found
    where o.dealer_id = any(${dealerIds}::uuid[])`.execute(tx)
}
