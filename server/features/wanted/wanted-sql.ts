import { sql, type RawBuilder } from 'kysely'
import { entitlementsOf, planIds } from '#shared/entitlements.ts'
import { paidStatuses } from '#shared/schemas/billing.ts'
import { zone } from '#server/features/dealers/time-zone-sql.ts'
import { milesBetween } from '#server/features/find/miles-sql.ts'

/* Aliases: `car` vehicle, `w` watcher, `o` buy order, `d` its dealer. `car_place` and `w_place` are their locations. */

type Sql = RawBuilder<unknown>

/**
 * The value of `car` is within the range of `w`. A missing value fails a limited range, unless `w` includes missing values. If `w` has no
 * limits but includes missing values, all other values fail.
 */
export const isWithin = (figure: 'year' | 'mileage' | 'price_cents', range: 'year' | 'miles' | 'price'): Sql => {
  const [value, none] = [sql.ref(`car.${figure}`), sql.ref(`w.${range}_none`)]
  const [min, max] = [sql.ref(`w.${range}_min`), sql.ref(`w.${range}_max`)]
  const isOpen = sql`(${min} is null and ${max} is null)`
  return sql`case when ${value} is null then ${none} or ${isOpen} when ${isOpen} then not ${none}
    else (${min} is null or ${value} >= ${min}) and (${max} is null or ${value} <= ${max}) end`
}

/** The vehicle matches, regardless of its price. A drive of -1 is not known yet, so it matches every drive. */
export const fits: Sql = sql`(w.trim_keys is null or car.trim_key = any(w.trim_keys))
  and (${isWithin('year', 'year')}) and (${isWithin('mileage', 'miles')})
  and (w.bodies is null or car.body = any(w.bodies)) and (w.drives is null or car.drive = -1 or car.drive = any(w.drives))
  and (w.fuels is null or car.fuel = any(w.fuels))
  and (w.place_id is null or w.radius is null or ${milesBetween('car_place', 'w_place')} <= w.radius)`

export const isPictured: Sql = sql`(not w.photos_only or car.has_photos)`

export const joinPlaces: Sql = sql`left join postal_places car_place on car_place.id = car.place_id
  left join postal_places w_place on w_place.id = w.place_id`

export const notBlocked = (
  one: Sql,
  other: Sql,
): Sql => sql`not exists (select 1 from chats join chat_members m on m.chat_id = chats.id
  where chats.low_dealer_id = least(${one}, ${other}) and chats.high_dealer_id = greatest(${one}, ${other}) and m.blocked_at is not null)`

export const monthStart = (now: Date, months = 0): Sql =>
  sql`((date_trunc('month', ${now}::timestamptz at time zone ${zone}) + ${months} * interval '1 month') at time zone ${zone})`

export const dayStart = (now: Date): Sql =>
  sql`(date_trunc('day', ${now}::timestamptz at time zone ${zone}) at time zone ${zone})`

export const bought = (now: Date): Sql => sql`(select count(*) from offers f join deals x on x.id = f.deal_id
  where f.buy_order_id = o.id and x.status <> 'cancelled' and x.created_at >= ${monthStart(now)})`

const named = (names: readonly string[]): Sql => sql.join(names.map((name) => sql.lit(name)))
const plansToOffer = named(planIds.filter((planId) => entitlementsOf(planId).has('bidding')))

/** The plan of `d` includes making offers, as in `requireOffering`. Names are literals, so that PostgreSQL can use an index. */
export const mayOffer: Sql = sql`(coalesce(current_setting('lanewire.billing', true), '') = 'off'
  or (select not n.plan_required from network_settings n)
  or exists (select from subscriptions s where s.dealer_id = d.id and s.status in (${named([...paidStatuses])}) and s.plan_id in (${plansToOffer}))
  or exists (select from entitlement_grants g where g.dealer_id = d.id and g.entitlement = 'bidding'))`

/** The order accepts vehicles now: it is active and not filled, and its dealer is active and may make offers. */
export const isLiving = (now: Date): Sql => sql`(o.status = 'active' and o.expires_at > ${now} and d.deleted_at is null
  and ${mayOffer} and not is_suspended(d.suspended_at, d.suspended_until) and ${bought(now)} < o.per_month)`

/** The asking price exceeds the order's price by at most this share. Vehicles without a price pass. */
export const isAskedInReach = (share: number): Sql =>
  sql`(car.price_cents is null or car.price_cents <= o.price_cents * (1 + ${sql.lit(share)}::numeric))`

/** Selects vehicles for sale as `car`. The condition `where` uses find_vehicles as `f`. */
export const carsOf = (where: Sql): Sql => sql`(select f.*,
    coalesce(make_word.key, '') as make_key, coalesce(model_word.key, '') as model_key, coalesce(trim_word.key, '') as trim_key
  from find_vehicles f
  left join find_words make_word on make_word.id = f.make_id
  left join find_words model_word on model_word.id = f.model_id
  left join find_words trim_word on trim_word.id = f.trim_id
  where not f.gone and ${where}) car`

/** Selects the vehicles of the make and model of `w` as `car`. Uses indexes. */
export const candidateVehicles: Sql = sql`(select f.*, w.make_key, w.model_key, coalesce(trim_word.key, '') as trim_key
  from find_words make_word
  join find_words model_word on model_word.parent_id = make_word.id and model_word.kind = 'model' and model_word.key = w.model_key
  join find_vehicles f on f.make_id = make_word.id and f.model_id = model_word.id and not f.gone
  left join find_words trim_word on trim_word.id = f.trim_id
  where make_word.parent_id = 0 and make_word.kind = 'make' and make_word.key = w.make_key) car`

/** `f` is an offer for the match `m` of the order `o` and has not been withdrawn. Either party may have made it. */
export const isOfMatch: Sql = sql`f.vehicle_id = m.vehicle_id and f.buyer_id = o.dealer_id and f.status <> 'withdrawn'`

/** The dealer has not dismissed the match `m` of the order `o`, and there is no offer for it. */
export const isUnanswered: Sql = sql`(m.state in ('new', 'seen') and not exists (select from offers f where ${isOfMatch}))`

export const isSellerActive: Sql = sql`exists (select from dealers seller where seller.id = car.seller_id
  and seller.deleted_at is null and not is_suspended(seller.suspended_at, seller.suspended_until))`

export const isSellerInReach: Sql = sql`${isSellerActive} and ${notBlocked(sql`o.dealer_id`, sql`car.seller_id`)}`

/** The match `m` is new and unanswered, and its vehicle is still for sale at a price, by a seller who can be reached. */
export const isNewMatch: Sql = sql`(m.state = 'new' and ${isUnanswered} and exists (select from find_vehicles car
  where car.vehicle_id = m.vehicle_id and not car.gone and car.starts_at is null and ${isSellerInReach}))`
