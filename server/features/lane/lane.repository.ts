import { type RawBuilder, sql } from 'kysely'
import { lanePageSize, laneRowsMax } from '#shared/limits.ts'
import type { LanePin, LaneRunKind } from '#shared/schemas/lane.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { containing } from '#server/platform/database/like-patterns.ts'

const pinHours = 24
/** Maximum number of auctions listed because of the dealer's bid or preset. */
const mineMax = 200
const endedDays = 7
const sellingMax = 100

export async function listBlocked(db: Db, dealerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select other.dealer_id as id from chat_members mine
    join chat_members other on other.chat_id = mine.chat_id and other.dealer_id <> mine.dealer_id
    where mine.dealer_id = ${dealerId} and (mine.blocked_at is not null or other.blocked_at is not null)`.execute(db)
  return rows.map(({ id }) => id)
}

export interface Reader {
  dealerId: string
  blocked: string[]
}

/** Omits the condition if nobody is blocked, because PostgreSQL can then use the order of the indexes. */
const notBlocked = (blocked: string[]) =>
  blocked.length === 0 ? sql`true` : sql`a.seller_id <> all(${blocked}::uuid[])`

/** Looks up the post of each auction. Scanning all posts instead would be slow, because few of them have an auction. */
const auctionsShown = sql`(auctions a cross join lateral (
  select posts.id, posts.title, posts.description, posts.search_text from posts
  where posts.id = a.post_id and posts.deleted_at is null and posts.hidden_at is null offset 0) p)`
/** Uses statement_timestamp(), because PostgreSQL can then use an index. */
const hasStarted = sql`a.starts_at <= statement_timestamp()`
const isRunning = sql`a.status = 'open' and ${hasStarted}`
const isPinned = sql`(a.closed_at is null or a.closed_at > statement_timestamp() - ${pinHours} * interval '1 hour')`

export interface Listed {
  list: 'running' | 'coming' | 'mine' | 'pin'
  postId: string
  slot: number | null
  /** Sort key of `running` and `coming`, with microseconds; null in the other lists. */
  at: string | null
}

/** `since` is the dealer's midnight. `running` and `coming` have one extra row if there are more. */
export async function listLane(db: Db, { dealerId, blocked }: Reader, since: Date): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    (select 'running' as list, a.post_id, null::smallint as slot, a.ends_at::text as at from ${auctionsShown}
      where ${isRunning} and ${notBlocked(blocked)}
      order by a.ends_at, a.post_id limit ${laneRowsMax + 1})
    union all
    (select 'coming', a.post_id, null, a.starts_at::text from ${auctionsShown}
      where a.status = 'open' and not ${hasStarted} and ${notBlocked(blocked)}
      order by a.starts_at, a.post_id limit ${laneRowsMax + 1})
    union all
    (select 'mine', a.post_id, null, null
      from (
        select post_id from auction_bidders where bidder_id = ${dealerId}
        union select post_id from auction_presets where bidder_id = ${dealerId}
      ) own
      join ${auctionsShown} on a.post_id = own.post_id
      where a.status in ('open', 'deciding') or a.closed_at >= ${since}
      order by a.status = 'open' desc, case when a.status = 'open' then a.ends_at end, a.closed_at desc, a.post_id
      limit ${mineMax})
    union all
    (select 'pin', a.post_id, own.slot, null
      from lane_pins own join ${auctionsShown} on a.post_id = own.post_id
      where own.dealer_id = ${dealerId} and ${isPinned}
      order by own.slot nulls last, own.pinned_at, a.post_id)`.execute(db)
  return rows
}

export async function countOpen(db: Db, { blocked }: Reader): Promise<{ running: number; coming: number }> {
  const { rows } = await sql<{ running: number; coming: number }>`
    select count(*) filter (where ${hasStarted}) as running, count(*) filter (where not ${hasStarted}) as coming
    from auctions a where a.status = 'open' and ${notBlocked(blocked)}`.execute(db)
  return rows[0] ?? { running: 0, coming: 0 }
}

export async function countOwn(db: Db, dealerId: string): Promise<{ watching: number; selling: number }> {
  const { rows } = await sql<{ watching: number; selling: number }>`
    select (select count(*) from watches w join ${auctionsShown} on a.post_id = w.post_id
        where w.dealer_id = ${dealerId} and a.status = 'open') as watching,
      (select count(*) from ${auctionsShown}
        where a.seller_id = ${dealerId} and a.status in ('open', 'deciding')) as selling`.execute(db)
  return rows[0] ?? { watching: 0, selling: 0 }
}

export interface RowInfo {
  postId: string
  title: string
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
  mileage: number | null
  color: string | null
  notes: string | null
  description: string
  city: string | null
  state: string | null
  photoUrl: string | null
  photoCount: number
  sellerId: string
  dealershipName: string
  rating: number | null
  isSeller: boolean
  number: number | null
  maximumCents: number | null
  presetCents: number | null
  watching: boolean
}

export async function listRowInfo(db: Db, dealerId: string, postIds: string[]): Promise<RowInfo[]> {
  if (postIds.length === 0) return []
  const { rows } = await sql<RowInfo>`
    select p.id as post_id, p.title, p.description, v.year, v.make, v.model, v.trim, v.mileage, v.color, v.notes,
      v.city, v.state, (select count(*)::int from photos h where h.post_id = p.id) as photo_count,
      (select h.url from photos h where h.post_id = p.id and (h.vehicle_id is null or h.vehicle_id = v.id)
        order by h.vehicle_id is null, h.position limit 1) as photo_url,
      d.id as seller_id, d.dealership_name, d.rating::float8 as rating, a.seller_id = ${dealerId} as is_seller,
      own.number, case when a.leader_id = ${dealerId} then a.leader_max_cents end as maximum_cents, preset.max_cents as preset_cents,
      exists (select from watches w where w.dealer_id = ${dealerId} and w.post_id = p.id) as watching
    from ${auctionsShown}
    join dealers d on d.id = a.seller_id
    left join lateral (select * from vehicles where vehicles.post_id = p.id order by vehicles.position limit 1) v on true
    left join auction_bidders own on own.post_id = a.post_id and own.bidder_id = ${dealerId}
    left join auction_presets preset on preset.post_id = a.post_id and preset.bidder_id = ${dealerId}
    where a.post_id = any(${postIds}::uuid[])`.execute(db)
  return rows
}

export interface ListPosition {
  /** Sort key with microseconds. */
  at: string
  id: string
}

interface Run {
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  key: RawBuilder<unknown>
  last?: true
}

/** `all` is for staff and ignores blocks. */
const runs: Record<LaneRunKind | 'all', (reader: Reader) => Run> = {
  all: () => ({ from: auctionsShown, where: isRunning, key: sql`a.ends_at` }),
  running: ({ blocked }) => ({
    from: auctionsShown,
    where: sql`${isRunning} and ${notBlocked(blocked)}`,
    key: sql`a.ends_at`,
  }),
  coming: ({ blocked }) => ({
    from: auctionsShown,
    where: sql`a.status = 'open' and not ${hasStarted} and ${notBlocked(blocked)}`,
    key: sql`a.starts_at`,
  }),
  watching: ({ dealerId }) => ({
    from: sql`watches w join ${auctionsShown} on a.post_id = w.post_id`,
    where: sql`w.dealer_id = ${dealerId} and a.status = 'open'`,
    key: sql`a.ends_at`,
  }),
  ended: ({ blocked }) => ({
    from: auctionsShown,
    where: sql`a.closed_at > statement_timestamp() - ${endedDays} * interval '1 day' and a.status <> 'open'
      and ${notBlocked(blocked)}`,
    key: sql`a.closed_at`,
    last: true,
  }),
}

export async function listRun(
  db: Db,
  reader: Reader,
  { kind, words, after }: { kind: LaneRunKind | 'all'; words: string[]; after: ListPosition | undefined },
): Promise<ListPosition[]> {
  const { from, where, key, last } = runs[kind](reader)
  const [beyond, order] = last === true ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const behind =
    after === undefined ? sql`true` : sql`(${key}, a.post_id) ${beyond} (${after.at}::timestamptz, ${after.id}::uuid)`
  const found = words.map((word) => sql`p.search_text like ${containing(word)}`)
  const { rows } = await sql<ListPosition>`
    select a.post_id as id, ${key}::text as at from ${from}
    where ${sql.join([where, behind, ...found], sql` and `)}
    order by ${key} ${order}, a.post_id ${order} limit ${lanePageSize + 1}`.execute(db)
  return rows
}

/** Lists the seller's auctions, including those that ended after `since`. Open auctions come first, in order of their end. */
export async function listSelling(db: Db, dealerId: string, since: Date) {
  const { rows } = await sql<{ postId: string; reserveCents: number | null; bidders: number; watching: number }>`
    select a.post_id, a.reserve_cents, a.bidder_count as bidders,
      (select count(*) from watches w where w.post_id = a.post_id) as watching
    from ${auctionsShown}
    where a.seller_id = ${dealerId} and (a.status in ('open', 'deciding') or a.closed_at >= ${since})
    order by a.status = 'open' desc, case when a.status = 'open' then a.ends_at end, a.closed_at desc, a.post_id
    limit ${sellingMax}`.execute(db)
  return rows
}

export async function listReserveChanges(db: Db, postIds: string[]) {
  if (postIds.length === 0) return []
  return db
    .selectFrom('reserveChanges')
    .select(['postId', 'seq', 'at', 'fromCents', 'toCents'])
    .where('postId', 'in', postIds)
    .orderBy('seq', 'desc')
    .execute()
}

export async function listAuctionDeals(db: Db, sellerId: string, postIds: string[]) {
  if (postIds.length === 0) return []
  return db
    .selectFrom('deals')
    .select(['id', 'postId'])
    .where('sellerId', '=', sellerId)
    .where('source', '=', 'auction')
    .where('status', '<>', 'cancelled')
    .where('postId', 'in', postIds)
    .execute()
}

const bidsOfMinute = sql<number>`(select count(*) from bids b
  where b.post_id = a.post_id and b.at > clock_timestamp() - interval '1 minute')`

export async function findRunning(db: Db): Promise<{ postIds: string[]; bidsPerMinute: number }> {
  const { rows } = await sql<{ postIds: string[]; bidsPerMinute: number }>`
    select coalesce(array_agg(a.post_id), '{}') as post_ids, coalesce(sum(${bidsOfMinute}), 0)::int as bids_per_minute
    from ${auctionsShown} where ${isRunning}`.execute(db)
  return rows[0] ?? { postIds: [], bidsPerMinute: 0 }
}

export async function listOverseen(db: Db, postIds: string[]) {
  if (postIds.length === 0) return []
  const { rows } = await sql<{
    postId: string
    bidders: number
    bidsPerMinute: number
    sellerName: string
    leaderId: string | null
    leaderName: string | null
    leaderDealership: string | null
  }>`
    select a.post_id, a.bidder_count as bidders, seller.name as seller_name,
      ${bidsOfMinute} as bids_per_minute,
      leader.id as leader_id, leader.name as leader_name, leader.dealership_name as leader_dealership
    from auctions a join dealers seller on seller.id = a.seller_id left join dealers leader on leader.id = a.leader_id
    where a.post_id = any(${postIds}::uuid[])`.execute(db)
  return rows
}

/** Skips posts whose auction is not visible or closed too long ago. */
export async function replacePins(tx: Tx, dealerId: string, pins: LanePin[]): Promise<void> {
  await tx.deleteFrom('lanePins').where('dealerId', '=', dealerId).execute()
  await sql`
    insert into lane_pins (dealer_id, post_id, slot, pinned_at)
    select ${dealerId}, a.post_id, pin.slot, clock_timestamp() + pin.no * interval '1 microsecond'
    from rows from (jsonb_to_recordset(${JSON.stringify(pins)}::jsonb) as ("postId" uuid, slot smallint))
      with ordinality as pin (post_id, slot, no)
    join ${auctionsShown} on a.post_id = pin.post_id
    where ${isPinned}`.execute(tx)
}

export async function listPins(db: Db, dealerId: string): Promise<LanePin[]> {
  return db
    .selectFrom('lanePins')
    .select(['postId', 'slot'])
    .where('dealerId', '=', dealerId)
    .orderBy('slot', (order) => order.asc().nullsLast())
    .orderBy('pinnedAt')
    .execute()
}

export async function removeOldPins(db: Db): Promise<void> {
  await sql`delete from lane_pins own using auctions a where a.post_id = own.post_id and not ${isPinned}`.execute(db)
}

export async function removePinsOf(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('lanePins').where('dealerId', '=', dealerId).execute()
}
