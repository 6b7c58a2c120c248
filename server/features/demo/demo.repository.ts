import { sql } from 'kysely'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import type { Db } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'

export interface CastMember {
  id: string
  email: string
  name: string
  dealershipName: string
  city: string
  state: string
}

/** Lists the demo dealers whose accounts nobody is using, sorted by email address. Excludes accounts created by Quick Login. */
export async function listCast(db: Db): Promise<CastMember[]> {
  return db
    .selectFrom('dealers')
    .select(['id', 'email', 'name', 'dealershipName', 'city', 'state'])
    .where('demo', '=', true)
    .where('role', '=', 'dealer')
    .where('email', 'not like', 'demo-%')
    .where('passwordHash', 'is not', null)
    .where('deletedAt', 'is', null)
    .where((eb) => eb.not(isSuspended('dealers')))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('sessions')
            .select('dealerId')
            .whereRef('dealerId', '=', 'dealers.id')
            .where('expiresAt', '>', sql<Date>`now()`),
        ),
      ),
    )
    .orderBy('email')
    .execute()
}

/** Finds a demo dealer even if somebody is using the account. */
export async function findCastMember(db: Db, email: string): Promise<CastMember | undefined> {
  return db
    .selectFrom('dealers')
    .select(['id', 'email', 'name', 'dealershipName', 'city', 'state'])
    .where('email', '=', email)
    .where('demo', '=', true)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

export interface Watcher {
  id: string
  name: string
  role: DealerRole
  since: Date
}

export async function listWatchers(db: Db, dealerIds: readonly string[]): Promise<Watcher[]> {
  if (dealerIds.length === 0) return []
  const { rows } = await sql<Watcher>`
    select d.id, d.name, d.role, max(s.created_at) as since
    from dealers d join sessions s on s.dealer_id = d.id and s.expires_at > now()
    where d.id = any(${dealerIds}::uuid[]) and d.deleted_at is null and d.profile_completed_at is not null
    group by d.id order by since desc, d.id`.execute(db)
  return rows
}

/** A kind of vehicle with generated pictures. Vehicles of the same model and color share these pictures. */
export interface DrawnVehicle {
  make: string
  model: string
  color: string
  urls: string[]
}

const angles = 4

export async function listDrawn(db: Db): Promise<DrawnVehicle[]> {
  const { rows } = await sql<DrawnVehicle>`
    select distinct on (v.make, v.model, v.color) v.make, v.model, v.color,
      (select array_agg(h.url order by h.position) from photos h where h.post_id = p.id and h.position < ${angles}) as urls
    from posts p join vehicles v on v.post_id = p.id join dealers d on d.id = p.dealer_id
    where d.demo and d.email not like 'demo-%' and not p.directed and p.vehicle_count = 1 and v.make is not null
      and (select count(*) from photos h where h.post_id = p.id) >= ${angles}
    order by v.make, v.model, v.color, p.created_at`.execute(db)
  return rows
}

export async function isVinKnown(db: Db, vin: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from vehicles where vin = ${vin}) or exists (select from deals where vin = ${vin}) as known`.execute(
    db,
  )
  return rows[0]?.known === true
}

export async function findDirected(db: Db): Promise<{ active: number; newestAt: Date | null }> {
  const { rows } = await sql<{ active: number; newestAt: Date | null }>`
    select (count(*) filter (where status = 'active'))::int as active, max(created_at) as newest_at
    from posts where directed and not is_auction and deleted_at is null`.execute(db)
  return rows[0] ?? { active: 0, newestAt: null }
}

/** The vehicle fields describe the post's first vehicle. */
export interface KnownPost {
  id: string
  vehicleId: string
  dealerId: string
  title: string
  description: string
  isAuction: boolean
  commentCount: number
  vehicleCount: number
  year: number
  make: string
  model: string
  mileage: number
  priceCents: number
}

const knownPosts = sql`
  select p.id, v.id as vehicle_id, p.dealer_id, p.title, p.description, p.is_auction, p.comment_count, p.vehicle_count, v.year, v.make, v.model,
    v.mileage, v.price_cents
  from posts p join vehicles v on v.post_id = p.id and v.position = 0
  where p.deleted_at is null and p.hidden_at is null and p.status = 'active' and v.status = 'available'
    and v.year is not null and v.make is not null and v.model is not null and v.mileage is not null
    and v.price_cents is not null`

export async function listRecentPosts(db: Db, limit: number): Promise<KnownPost[]> {
  const { rows } = await sql<KnownPost>`${knownPosts} order by p.created_at desc, p.id desc limit ${limit}`.execute(db)
  return rows
}

export async function listOffered(db: Db, dealerIds: readonly string[], limit: number): Promise<KnownPost[]> {
  const { rows } = await sql<KnownPost>`${knownPosts} and p.vehicle_count = 1 and not p.is_auction
    and p.dealer_id = any(${dealerIds}::uuid[]) order by p.created_at desc, p.id desc limit ${limit}`.execute(db)
  return rows
}

export async function findKnownPost(db: Db, postId: string): Promise<KnownPost | undefined> {
  const { rows } = await sql<KnownPost>`${knownPosts} and p.id = ${postId}`.execute(db)
  return rows[0]
}

export async function listCommentTexts(db: Db, postId: string): Promise<string[]> {
  const rows = await db.selectFrom('comments').select('content').where('postId', '=', postId).execute()
  return rows.map(({ content }) => content)
}

/** Returns posts whose last comment is less than half an hour old and not by the seller. */
export async function listUnanswered(db: Db, sellerIds: readonly string[], now: Date) {
  const { rows } = await sql<{ postId: string; sellerId: string; askerId: string; content: string; at: Date }>`
    select p.id as post_id, p.dealer_id as seller_id, last.dealer_id as asker_id, last.content, last.created_at as at
    from posts p
    cross join lateral (select dealer_id, content, created_at from comments c
      where c.post_id = p.id and c.deleted_at is null and c.hidden_at is null order by c.created_at desc, c.id desc limit 1) last
    where p.id in (select post_id from comments where created_at > ${now}::timestamptz - interval '30 minutes')
      and p.dealer_id = any(${sellerIds}::uuid[]) and last.dealer_id <> p.dealer_id
      and last.created_at > ${now}::timestamptz - interval '30 minutes' and p.status = 'active'
      and p.deleted_at is null and p.hidden_at is null
    order by last.created_at, p.created_at limit 20`.execute(db)
  return rows
}

/** Returns when a dealer last received a message, the number of unread messages, and the other dealers in the chats. */
export async function findWritten(db: Db, dealerId: string) {
  const { rows } = await sql<{ lastAt: Date | null; unanswered: number; writers: string[] }>`
    select max(m.created_at) filter (where m.sender_id <> ${dealerId}) as last_at,
      (count(*) filter (where m.sender_id <> ${dealerId} and m.seq > mine.read_seq))::int as unanswered,
      coalesce(array_agg(distinct theirs.dealer_id), '{}') as writers
    from chat_members mine
    join chat_members theirs on theirs.chat_id = mine.chat_id and theirs.dealer_id <> mine.dealer_id
    left join messages m on m.chat_id = mine.chat_id
    where mine.dealer_id = ${dealerId}`.execute(db)
  return rows[0] ?? { lastAt: null, unanswered: 0, writers: [] }
}

export async function listConnected(db: Db, dealerId: string): Promise<string[]> {
  const rows = await db.selectFrom('connections').select('otherId').where('dealerId', '=', dealerId).execute()
  return rows.map(({ otherId }) => otherId)
}

/** Returns Quick Login accounts that nobody has used for this many days. */
export async function listLeft(db: Db, days: number, limit: number): Promise<{ id: string; email: string }[]> {
  const { rows } = await sql<{ id: string; email: string }>`
    select d.id, d.email from dealers d
    where d.demo and d.role = 'dealer' and d.email like 'demo-%' and d.password_hash is null and d.deleted_at is null
      and d.updated_at < now() - make_interval(days => ${days}::int)
      and not exists (select from sessions s where s.dealer_id = d.id and s.last_seen_at > now() - make_interval(days => ${days}::int))
    order by d.updated_at limit ${limit}`.execute(db)
  return rows
}

export async function listConnectedTo(db: Db, email: string): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .innerJoin('dealers', 'dealers.id', 'connections.dealerId')
    .select('connections.otherId')
    .where('dealers.email', '=', email)
    .execute()
  return rows.map(({ otherId }) => otherId)
}

export async function listToSell(db: Db, now: Date, olderThanMs: number, limit: number): Promise<KnownPost[]> {
  const { rows } = await sql<KnownPost>`${knownPosts} and p.directed and not p.is_auction
    and p.created_at < ${now}::timestamptz - ${olderThanMs} * interval '1 millisecond'
    order by p.created_at limit ${limit}`.execute(db)
  return rows
}
