import { sql, type RawBuilder } from 'kysely'
import { milesBetween } from '#server/features/find/miles-sql.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { containing } from '#server/platform/database/like-patterns.ts'
import { carsOf, fits, isLiving, isPictured, joinPlaces, notBlocked } from '../wanted-sql.ts'

type Sql = RawBuilder<unknown>

/** A vehicle as described by its seller. Words are keys. Traits are numbers, and -1 is a trait that cannot be known yet. */
export interface DescribedVehicle {
  makeKey: string
  modelKey: string
  trimKey: string
  year: number
  mileage: number
  body: number
  drive: number
  fuel: number
  placeId: number | null
}

export interface WantedBy {
  orderId: string
  dealerId: string
  priceCents: number
  perMonth: number
  showName: boolean
  note: string
  drives: number[] | null
  photosOnly: boolean
  rating: number | null
  dealershipName: string
  miles: number | null
}

/** SQL for the active buy orders of other dealers that match the vehicle `car`. */
const takenBy = (readerId: string, now: Date): Sql => sql`
  join find_watchers w on w.active and w.order_id is not null and w.make_key = car.make_key and w.model_key = car.model_key
  join buy_orders o on o.id = w.order_id
  join dealers d on d.id = o.dealer_id
  ${joinPlaces}
  where o.dealer_id <> ${readerId} and ${fits} and ${isLiving(now)} and ${notBlocked(sql`o.dealer_id`, sql`${readerId}::uuid`)}`

export async function listWanting(db: Db, readerId: string, car: DescribedVehicle, now: Date): Promise<WantedBy[]> {
  const { rows } = await sql<WantedBy>`
    select o.id as order_id, o.dealer_id, o.price_cents, o.per_month, o.show_name, o.note, w.drives, w.photos_only, d.rating, d.dealership_name,
      ${milesBetween('car_place', 'w_place')} as miles
    from (select ${car.makeKey}::text as make_key, ${car.modelKey}::text as model_key, ${car.trimKey}::text as trim_key,
      ${car.year}::int as year, ${car.mileage}::int as mileage, ${car.body}::smallint as body, ${car.drive}::smallint as drive,
      ${car.fuel}::smallint as fuel, ${car.placeId}::int as place_id) car
    ${takenBy(readerId, now)}
    order by o.price_cents desc, o.id limit 1000`.execute(db)
  return rows
}

export async function isBuyerOf(
  db: Db,
  dealerId: string,
  { makeKey, modelKey }: Pick<DescribedVehicle, 'makeKey' | 'modelKey'>,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from find_watchers w join buy_orders o on o.id = w.order_id
    where o.dealer_id = ${dealerId} and w.make_key = ${makeKey} and w.model_key = ${modelKey}
      and o.status <> 'ended' and o.expires_at > ${now} limit 1`.execute(db)
  return rows.length > 0
}

export async function findOwnPlace(db: Db, dealerId: string): Promise<number | null> {
  const row = await db.selectFrom('dealers').select('placeId').where('id', '=', dealerId).executeTakeFirst()
  return row?.placeId ?? null
}

/** Returns the place of a vehicle in this city and state. Without a city, returns the dealer's place. `refresh_find` has the same rule. */
export async function findVehiclePlace(
  db: Db,
  dealerId: string,
  { city, state }: { city: string; state: string },
): Promise<number | null> {
  const { rows } = await sql<{ placeId: number | null }>`
    select case when v.city is null or lower(v.city) = lower(d.city) and upper(v.state) is not distinct from upper(d.state) then d.place_id
      else coalesce(
        (select c.id from postal_places c where c.region = upper(v.state) and lower(c.city) = lower(v.city) order by c.code limit 1),
        case when v.state is null or upper(v.state) = upper(d.state) then d.place_id end) end as place_id
    from dealers d cross join (select nullif(${city}::text, '') as city, nullif(${state}::text, '') as state) v
    where d.id = ${dealerId}`.execute(db)
  return rows[0]?.placeId ?? null
}

export async function listOfferedByOthers(db: Db, dealerId: string, vins: readonly string[]): Promise<string[]> {
  if (vins.length === 0) return []
  const rows = await db
    .selectFrom('vehicles')
    .innerJoin('posts', 'posts.id', 'vehicles.postId')
    .select('vehicles.vin')
    .distinct()
    .where('vehicles.vin', 'in', vins)
    .where('posts.dealerId', '<>', dealerId)
    .where('posts.status', '=', 'active')
    .where('posts.deletedAt', 'is', null)
    .where('posts.hiddenAt', 'is', null)
    .where('vehicles.status', '=', 'available')
    .execute()
  return rows.flatMap(({ vin }) => vin ?? [])
}

/** Lists dealers who are not deleted or suspended. Excludes those who have blocked the reader, or whom the reader has blocked. */
export async function listActiveDealers(db: Db, readerId: string, dealerIds: readonly string[]): Promise<string[]> {
  if (dealerIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select d.id from dealers d where d.id = any(${dealerIds}::uuid[]) and d.deleted_at is null
      and not is_suspended(d.suspended_at, d.suspended_until) and ${notBlocked(sql`d.id`, sql`${readerId}::uuid`)}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export async function listAskedSince(db: Db, dealerId: string, vins: readonly string[], since: Date) {
  if (vins.length === 0) return []
  const rows = await db
    .selectFrom('demandAsks')
    .select('vin')
    .where('dealerId', '=', dealerId)
    .where('vin', 'in', vins)
    .where('askedAt', '>', since)
    .execute()
  return rows.map(({ vin }) => vin)
}

/** Records the VINs. Returns how many VINs the dealer looked up after `since` and never posted. */
export async function recordAsks(tx: Tx, dealerId: string, vins: readonly string[], since: Date): Promise<number> {
  // Sort the VINs, so that concurrent calls cannot deadlock.
  const noted = [...new Set(vins)].toSorted().map((vin) => ({ dealerId, vin }))
  if (noted.length > 0)
    await tx
      .insertInto('demandAsks')
      .values(noted)
      .onConflict((conflict) =>
        conflict.columns(['dealerId', 'vin']).doUpdateSet({ askedAt: sql<Date>`clock_timestamp()` }),
      )
      .execute()
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from demand_asks a where a.dealer_id = ${dealerId} and a.asked_at > ${since}
      and not exists (select from vehicles v join posts p on p.id = v.post_id where v.vin = a.vin and p.dealer_id = a.dealer_id)`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export async function removeAsks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('demandAsks').where('askedAt', '<', before).execute()
}

export async function findTaker(
  db: Db,
  readerId: string,
  { orderId, vehicleId }: { orderId: string; vehicleId: string },
  now: Date,
): Promise<{ buyerId: string; priceCents: number; postId: string } | undefined> {
  const { rows } = await sql<{ buyerId: string; priceCents: number; postId: string }>`
    select o.dealer_id as buyer_id, o.price_cents, car.post_id
    from ${carsOf(sql`f.vehicle_id = ${vehicleId} and f.seller_id = ${readerId}`)}
    ${takenBy(readerId, now)} and o.id = ${orderId} and car.starts_at is null and ${isPictured}`.execute(db)
  return rows[0]
}

export async function findOwnVin(db: Db, dealerId: string, vehicleId: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('vehicles')
    .innerJoin('posts', 'posts.id', 'vehicles.postId')
    .select('vehicles.vin')
    .where('vehicles.id', '=', vehicleId)
    .where('posts.dealerId', '=', dealerId)
    .executeTakeFirst()
  return row === undefined ? undefined : row.vin
}

export interface GroupKey {
  dealers: number
  perMonth: number
  model: string
  from: number
}

export interface GroupRow extends GroupKey {
  makeKey: string
  modelKey: string
  makeLabel: string
  modelLabel: string
  trimLabels: string[] | null
  yearFrom: number | null
  yearTo: number | null
  milesFrom: number
  milesTo: number
  mostlyDrive: number | null
  nearest: number | null
  isRival: boolean
  orderIds: string[]
}

interface GroupsAsked {
  /** Keys of search words. Each must match a part of the make, model or trim. */
  words: readonly string[]
  makeKey: string | undefined
  placeId: number | null
  within: number | null
  have: boolean
  dealersMin: number
  now: Date
}

/** SQL for the CTE `groups`. A group consists of other dealers' orders for one make and model whose year ranges overlap. */
function groupsOf(readerId: string, { words, makeKey, placeId, within, have, dealersMin, now }: GroupsAsked): Sql {
  const near = within === null || placeId === null ? sql`true` : sql`${milesBetween('here', 'w_place')} <= ${within}`
  const found = words.map(
    (word) =>
      sql`(w.make_key || ' ' || w.model_key || ' ' || coalesce(array_to_string(w.trim_keys, ' '), '')) like ${containing(word)}`,
  )
  const offered = have
    ? sql`exists (select from ${carsOf(sql`f.seller_id = ${readerId}`)} where car.make_key = w.make_key and car.model_key = w.model_key
        and (w.year_min is null or car.year >= w.year_min) and (w.year_max is null or car.year <= w.year_max))`
    : sql`true`
  return sql`with living as (
      select o.id, o.dealer_id, o.per_month, o.make, o.model, o.trims, w.make_key, w.model_key, w.trim_keys, w.year_min, w.year_max,
        coalesce(w.year_min, 0) as first_year, coalesce(w.year_max, 9999) as last_year, w.miles_max, w.drives[1] as drive,
        ${milesBetween('here', 'w_place')} as miles, ${offered} as is_offered
      from find_watchers w
      join buy_orders o on o.id = w.order_id
      join dealers d on d.id = o.dealer_id
      left join postal_places w_place on w_place.id = w.place_id
      left join postal_places here on here.id = ${placeId}::int
      where w.active and o.dealer_id <> ${readerId} and ${isLiving(now)} and ${notBlocked(sql`o.dealer_id`, sql`${readerId}::uuid`)}
        and ${near} and ${makeKey === undefined ? sql`true` : sql`w.make_key = ${makeKey}`}
        and ${found.length === 0 ? sql`true` : sql.join(found, sql` and `)}
    ), begun as (
      select l.*, case when first_year <= max(last_year) over (partition by make_key, model_key order by first_year, last_year, id
        rows between unbounded preceding and 1 preceding) then 0 else 1 end as begins
      from living l
    ), placed as (
      select b.*, sum(begins) over (partition by make_key, model_key order by first_year, last_year, id) as island from begun b
    ), groups as (
      select make_key, model_key, min(make) as make_label, min(model) as model_label, count(distinct dealer_id) as dealers,
        sum(per_month) as per_month, min(year_min) as year_min, bool_or(year_min is null) as open_from, max(year_max) as year_max,
        bool_or(year_max is null) as open_to, min(miles_max) as miles_from, max(miles_max) as miles_to, min(miles) as nearest,
        bool_or(trim_keys is null) as any_trim, array_agg(id) as order_ids, array_agg(drive) as all_drives, min(first_year) as "from"
      from placed group by make_key, model_key, island having count(distinct dealer_id) >= ${dealersMin} and bool_or(is_offered)
    )`
}

export async function listGroups(
  db: Db,
  readerId: string,
  asked: GroupsAsked,
  { limit, after }: { limit: number; after: GroupKey | undefined },
): Promise<GroupRow[]> {
  const from =
    after === undefined
      ? sql`true`
      : sql`(-dealers, -per_month, make_key || '~' || model_key, "from")
        > (${-after.dealers}::bigint, ${-after.perMonth}::bigint, ${after.model}::text, ${after.from}::int)`
  const { rows } = await sql<GroupRow>`
    ${groupsOf(readerId, asked)}
    select make_key, model_key, make_key || '~' || model_key as model, make_label, model_label, dealers, per_month, "from",
      case when not open_from then year_min end as year_from, case when not open_to then year_max end as year_to,
      miles_from, miles_to, nearest, order_ids,
      (select drive from unnest(all_drives) drive group by drive having drive is not null and count(*) * 2 > cardinality(all_drives))
        as mostly_drive,
      case when not any_trim then (select array_agg(distinct trim order by trim) from buy_orders t cross join lateral unnest(t.trims) trim
        where t.id = any(order_ids)) end as trim_labels,
      exists (select from find_watchers w join buy_orders o on o.id = w.order_id where o.dealer_id = ${readerId}
        and w.make_key = groups.make_key and w.model_key = groups.model_key and o.status <> 'ended' and o.expires_at > ${asked.now}) as is_rival
    from groups where ${from}
    order by -dealers, -per_month, make_key || '~' || model_key, "from" limit ${limit}`.execute(db)
  return rows
}

export async function countGroups(db: Db, readerId: string, asked: GroupsAsked) {
  const { rows } = await sql<{ dealers: number; perMonth: number | null; makes: string[] | null }>`
    ${groupsOf(readerId, asked)}
    select (select count(distinct l.dealer_id) from living l where l.id in (select unnest(order_ids) from groups)) as dealers,
      (select sum(per_month) from groups) as per_month, (select array_agg(distinct make_label order by make_label) from groups) as makes`.execute(
    db,
  )
  const [row] = rows
  return { dealers: row?.dealers ?? 0, perMonth: row?.perMonth ?? 0, makes: row?.makes ?? [] }
}

export interface OwnWanted {
  vehicleId: string
  postId: string
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
  vin: string
  mileage: number | null
  askedCents: number | null
  about: string
  orderId: string
  dealerId: string
  priceCents: number
  offered: boolean
}

/** Lists the reader's vehicles that match these orders, best-paying order first. Includes only vehicles with a complete VIN. */
export async function listOwnWanted(
  db: Db,
  readerId: string,
  orderIds: readonly string[],
  now: Date,
): Promise<OwnWanted[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<OwnWanted>`
    select car.vehicle_id, car.post_id, v.year, v.make, v.model, v.trim, v.vin, v.mileage, v.price_cents as asked_cents,
      concat_ws('~', car.make_key, car.model_key, car.trim_key, v.year, v.mileage, car.body, car.drive, car.fuel, car.place_id,
        car.has_photos) as about,
      o.id as order_id, o.dealer_id, o.price_cents,
      exists (select from offers f where f.vehicle_id = car.vehicle_id and f.buyer_id = o.dealer_id and f.status = 'open') as offered
    from ${carsOf(sql`f.seller_id = ${readerId}`)}
    join vehicles v on v.id = car.vehicle_id and length(v.vin) = 17
    ${takenBy(readerId, now)} and o.id = any(${orderIds}::uuid[]) and car.starts_at is null and ${isPictured}
    order by car.vehicle_id, o.price_cents desc, o.id`.execute(db)
  return rows
}
