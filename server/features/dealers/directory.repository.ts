import { type SelectQueryBuilder, sql } from 'kysely'
import Type from 'typebox'
import { caProvinces, type DealershipType } from '#shared/places.ts'
import { type Dealer, type DirectoryView } from '#shared/schemas/dealers.ts'
import { Id } from '#shared/values.ts'
import type { DB } from '#server/db/schema.ts'
import { dealerColumns, toDealer } from './dealers.rows.ts'
import { zone } from './time-zone-sql.ts'
import type { Db } from '#server/platform/database/db.ts'
import { decodeCursor, encodeCursor } from '#server/platform/http/page-cursors.ts'
import { beginningWith, containing, startingWord } from '#server/platform/database/like-patterns.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'
import { firstMax, containsText, type Scan } from '#server/platform/database/text-search.ts'

export interface DirectoryFilter {
  name?: string | undefined
  state?: string | undefined
  dealershipType?: DealershipType | undefined
  buysCanadian?: boolean | undefined
}

const NameKey = Type.Object({
  name: Type.String({ maxLength: 200 }),
  id: Id,
})

type Dealers<O> = SelectQueryBuilder<DB, 'dealers', O>

const notSuspended = sql<boolean>`not ${isSuspended('dealers')}`

const searched = sql<string>`(dealers.name || ' ' || dealers.dealership_name || ' ' || dealers.city)`

function filtered<O>(query: Dealers<O>, { name, state, dealershipType, buysCanadian }: DirectoryFilter): Dealers<O> {
  let rows = query.where(notSuspended)
  if (name !== undefined) rows = rows.where(containsText(searched, name))
  if (state !== undefined) rows = rows.where('dealers.state', '=', state)
  if (dealershipType !== undefined) rows = rows.where('dealers.dealershipType', '=', dealershipType)
  if (buysCanadian !== undefined) rows = rows.where('dealers.buysCanadianVehicles', '=', buysCanadian)
  return rows
}

const inNetworkOf = (dealerId: string) =>
  sql<boolean>`exists (select 1 from connections c where c.dealer_id = ${dealerId} and c.other_id = dealers.id)`

export const notBlocked = (dealerId: string) =>
  sql<boolean>`not exists (select 1 from chats join chat_members m on m.chat_id = chats.id
    where chats.low_dealer_id = least(dealers.id, ${dealerId}::uuid)
      and chats.high_dealer_id = greatest(dealers.id, ${dealerId}::uuid) and m.blocked_at is not null)`

/** Selects the dealers in `dealerId`'s network who may be shown as mutual connections. */
export const sharedBy = (dealerId: string) =>
  sql`select mine.other_id from connections mine join dealers on dealers.id = mine.other_id
    where mine.dealer_id = ${dealerId} and dealers.listed and not ${isSuspended('dealers')} and ${notBlocked(dealerId)}`

function inView<O>(query: Dealers<O>, dealerId: string, view: DirectoryView): Dealers<O> {
  if (view === 'mine')
    return query
      .where(sql<boolean>`dealers.id in (select other_id from connections where dealer_id = ${dealerId})`)
      .where('dealers.deletedAt', 'is', null)
  const listed = query
    .where(sql<boolean>`dealers.listed`)
    .where('dealers.id', '!=', dealerId)
    .where(notBlocked(dealerId))
  return view === 'all' ? listed : listed.where(sql<boolean>`not ${inNetworkOf(dealerId)}`)
}

/** `scan` is set only for a search of listed dealers. */
export interface DirectoryRequest extends DirectoryFilter {
  view: DirectoryView
  limit: number
  cursor: string | undefined
  scan: Scan | undefined
}

const sortName = sql<string>`lower(dealers.name)`

/** Selects the dealers after the cursor. If `scan` is `first`, selects only the first of them in sort order. */
function allFrom(db: Db, { scan, state, cursor }: DirectoryRequest): Dealers<object> {
  let all = db.selectFrom('dealers')
  if (cursor !== undefined) {
    const { name, id } = decodeCursor(NameKey, cursor)
    all = all.where(sql<boolean>`(lower(dealers.name), dealers.id) > (${name}, ${id}::uuid)`)
  }
  if (scan !== 'first') return all
  // Use only conditions that PostgreSQL can check while it scans the index in sort order.
  if (state !== undefined) all = all.where('dealers.state', '=', state)
  const first = all
    .selectAll()
    .where(sql<boolean>`dealers.listed`)
    .orderBy(sortName)
    .orderBy('dealers.id')
  return db.selectFrom(first.limit(firstMax).as('dealers'))
}

/** A CTE without a limit makes PostgreSQL use the search index. */
const found = (db: Db, wanted: Dealers<object>) =>
  db
    .with(
      (cte) => cte('found').materialized(),
      () => wanted.select(['dealers.id', sortName.as('sortName')]),
    )
    .selectFrom('found')
    .select('found.id')

export async function listDirectory(
  db: Db,
  dealerId: string,
  request: DirectoryRequest,
): Promise<{ dealers: Dealer[]; next: string | undefined }> {
  const { view, limit, scan } = request
  const wanted = inView(filtered(allFrom(db, request), request), dealerId, view)
  const hits = () => found(db, wanted).orderBy('found.sortName').orderBy('found.id')
  const page = scan === 'hits' ? db.selectFrom('dealers').where('dealers.id', 'in', hits().limit(limit + 1)) : wanted
  const rows = await page
    .select(dealerColumns)
    .select(sortName.as('sortName'))
    .orderBy(sortName)
    .orderBy('dealers.id')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { dealers: shown.map(toDealer), next: more ? encodeCursor({ name: last.sortName, id: last.id }) : undefined }
}

/** At most this many matches are ranked. If there are more, the search text is too short for a useful ranking. */
const comparedMax = 10_000

/** 0: a name begins with the text; 1: a word of a name begins with it; 2: a name contains it; 3: only the city contains it. */
const rankOf = (search: string) => sql<number>`case
  when dealership_name ilike ${beginningWith(search)} or name ilike ${beginningWith(search)} then 0
  when name || ' ' || dealership_name ~* ${startingWord(search)} then 1
  when name || ' ' || dealership_name ilike ${containing(search)} then 2
  else 3 end`

export async function findBestMatches(db: Db, dealerId: string, text: string, limit: number): Promise<Dealer[]> {
  const wanted = inView(filtered(db.selectFrom('dealers'), { name: text }), dealerId, 'all')
  const rows = await db
    // Materialized, as in {@link found}, so that PostgreSQL plans the search without the limit.
    .with(
      (cte) => cte('found').materialized(),
      () => wanted.select(['dealers.id', 'dealers.name', 'dealers.dealershipName', sortName.as('sortName')]),
    )
    .with('compared', (cte) => cte.selectFrom('found').selectAll().limit(comparedMax))
    .with('best', (cte) =>
      cte
        .selectFrom('compared')
        .select(['id', 'sortName', rankOf(text).as('rank')])
        .orderBy('rank')
        .orderBy('sortName')
        .orderBy('id')
        .limit(limit),
    )
    .selectFrom('best')
    .innerJoin('dealers', 'dealers.id', 'best.id')
    .select(dealerColumns)
    .orderBy('best.rank')
    .orderBy('best.sortName')
    .orderBy('best.id')
    .execute()
  return rows.map(toDealer)
}

/** Counts listed dealers, up to `most`. The count is the same for every caller. */
export async function countListed(db: Db, filter: DirectoryFilter, most?: number): Promise<number> {
  const listed = filtered(db.selectFrom('dealers'), filter).where(sql<boolean>`dealers.listed`)
  const counted = most === undefined ? listed.select('dealers.id') : found(db, listed).limit(most)
  const { count } = await db
    .selectFrom(counted.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Counts the matching dealers in the caller's network, and the listed dealers that each view leaves out. */
export async function countNetwork(db: Db, dealerId: string, filter: DirectoryFilter) {
  const isMine = inNetworkOf(dealerId)
  const isHidden = sql<boolean>`(dealers.id = ${dealerId} or not ${notBlocked(dealerId)})`
  return filtered(db.selectFrom('dealers'), filter)
    .where(
      sql<boolean>`dealers.id in (select other_id from connections where dealer_id = ${dealerId} union all select ${dealerId}::uuid
        union all select theirs.dealer_id from chat_members mine
          join chat_members theirs on theirs.chat_id = mine.chat_id and theirs.dealer_id <> mine.dealer_id
          where mine.dealer_id = ${dealerId} and (mine.blocked_at is not null or theirs.blocked_at is not null))`,
    )
    .where('dealers.deletedAt', 'is', null)
    .select([
      sql<number>`count(*) filter (where ${isMine})`.as('mine'),
      sql<number>`count(*) filter (where dealers.listed and ${isHidden})`.as('hidden'),
      sql<number>`count(*) filter (where dealers.listed and (${isHidden} or ${isMine}))`.as('hiddenOrMine'),
    ])
    .executeTakeFirstOrThrow()
}

const inCanada = sql<boolean>`split_part(deals.location, ', ', 2) = any(${sql.lit(`{${caProvinces.join(',')}}`)}::text[])`

export async function listPreviousCanadian(db: Db, dealerIds: string[]) {
  const side = (column: 'sellerId' | 'buyerId') =>
    db
      .selectFrom('deals')
      .select([
        `deals.${column} as dealerId`,
        sql<'seller' | 'buyer'>`${column === 'sellerId' ? 'seller' : 'buyer'}::text`.as('side'),
      ])
      .where(`deals.${column}`, 'in', dealerIds)
      .where('deals.status', '=', 'completed')
      .where(inCanada)
      .distinct()
  const rows = await side('sellerId').unionAll(side('buyerId')).execute()
  const sides = new Map<string, 'seller' | 'buyer' | 'both'>()
  for (const { dealerId, side: one } of rows) sides.set(dealerId, sides.has(dealerId) ? 'both' : one)
  return sides
}

export async function findVehicleActivity(db: Db, dealerId: string) {
  const deals = (condition: ReturnType<typeof sql<boolean>>) =>
    db
      .selectFrom('deals')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(condition)
  return db
    .selectNoFrom([
      db
        .selectFrom('posts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('dealerId', '=', dealerId)
        .where('status', '=', 'active')
        .where('deletedAt', 'is', null)
        .where('hiddenAt', 'is', null)
        .as('activeListings'),
      deals(
        sql<boolean>`seller_id = ${dealerId} and status = 'completed' and completed_at >= (
          select date_trunc('month', now(), ${zone}) from dealers d where d.id = ${dealerId})`,
      ).as('soldThisMonth'),
      deals(sql<boolean>`seller_id = ${dealerId} and status = 'pending'`).as('pending'),
      db
        .selectFrom('watches')
        .innerJoin('posts', 'posts.id', 'watches.postId')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('watches.dealerId', '=', dealerId)
        .where('posts.deletedAt', 'is', null)
        .where('posts.hiddenAt', 'is', null)
        .as('watching'),
      deals(sql<boolean>`buyer_id = ${dealerId} and status = 'completed'`).as('bought'),
      deals(sql<boolean>`buyer_id = ${dealerId} and status = 'completed' and ${inCanada}`).as('fromCanada'),
      db
        .selectFrom('deals')
        .select(
          sql<number | null>`round((extract(epoch from avg(completed_at - created_at)) / 86400)::numeric, 1)`.as(
            'days',
          ),
        )
        .where((eb) => eb.or([eb('sellerId', '=', dealerId), eb('buyerId', '=', dealerId)]))
        .where('status', '=', 'completed')
        .as('averageDaysToClose'),
    ])
    .executeTakeFirstOrThrow()
}

export interface Candidate {
  id: string
  makes: string[]
  sameState: boolean
  mutual: number
}

/** Number of newest posts that show which makes dealers trade, and most candidates that any other criterion adds. */
const recentPosts = 1_000
const candidatesMax = 200

/**
 * Recommends dealers, best first. Scores each shared make (3 points, up to three makes), the same state (2), each mutual connection (0.5,
 * up to ten) and the rating (0.2 per point).
 */
export async function listCandidates(db: Db, dealerId: string, limit: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with mine as (select other_id from connections where dealer_id = ${dealerId}),
    recent as (
      select id, dealer_id from posts where deleted_at is null and hidden_at is null
      order by created_at desc, id desc limit ${recentPosts}
    ),
    own_makes as (
      select distinct lower(v.make) as make from posts p join vehicles v on v.post_id = p.id
      where p.dealer_id = ${dealerId} and p.deleted_at is null and v.make is not null
    ),
    makes as (
      select recent.dealer_id, array_agg(distinct v.make) as makes
      from recent join vehicles v on v.post_id = recent.id
      where lower(v.make) in (select make from own_makes) group by recent.dealer_id
    ),
    shared as (
      select c.dealer_id, count(*) as mutual from connections c where c.other_id in (${sharedBy(dealerId)})
      group by c.dealer_id order by count(*) desc limit ${candidatesMax}
    ),
    near as (
      select id from dealers where listed and state = (select state from dealers where id = ${dealerId}) and state <> ''
      order by lower(name), id limit ${candidatesMax}
    ),
    chosen as (select dealer_id as id from makes union select dealer_id from shared union select id from near)
    select dealers.id, coalesce(makes.makes, '{}') as makes, near.id is not null as "sameState",
           coalesce(shared.mutual, 0)::int as mutual
    from chosen join dealers on dealers.id = chosen.id
    left join makes on makes.dealer_id = dealers.id
    left join shared on shared.dealer_id = dealers.id
    left join near on near.id = dealers.id
    where dealers.listed and dealers.id <> ${dealerId} and dealers.id not in (select other_id from mine)
      and not ${isSuspended('dealers')} and ${notBlocked(dealerId)}
    order by 3 * least(cardinality(coalesce(makes.makes, '{}')), 3) + case when near.id is null then 0 else 2 end
      + 0.5 * least(coalesce(shared.mutual, 0), 10) + 0.2 * coalesce(dealers.rating, 0) desc, dealers.id
    limit ${limit}`.execute(db)
  return rows
}

export async function listDealersById(db: Db, ids: string[]) {
  if (ids.length === 0) return new Map<string, ReturnType<typeof toDealer>>()
  const rows = await db.selectFrom('dealers').select(dealerColumns).where('dealers.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toDealer(row)]))
}
