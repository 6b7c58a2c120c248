import { type ExpressionBuilder, sql } from 'kysely'
import { stateNames } from '#shared/places.ts'
import { trimTitle } from '#shared/visible-text.ts'
import type { NewPost, NewVehicle, Post, SheetSeen } from '#shared/schemas/posts.ts'
import type { PostState } from '#shared/events/posts.ts'
import type { DB } from '#server/db/schema.ts'
import { dealerColumns, toDealer } from '#server/features/dealers/dealers.rows.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { centsOf } from '#server/platform/money.ts'
import { listPhotosOf } from './feed/feed.repository.ts'
import { stateColumns, toPostState } from '#server/features/sale/post-state.rows.ts'
import { hasAuction, postColumns, toPost } from './posts.rows.ts'

export async function insertPost(
  tx: Tx,
  dealerId: string,
  post: Pick<NewPost, 'title' | 'type'> & Partial<NewPost> & { directed?: boolean | undefined },
  vehicleCount: number,
  idempotencyKey: string | undefined,
): Promise<string> {
  const { id } = await tx
    .insertInto('posts')
    .values({
      dealerId,
      type: post.type,
      title: post.title,
      description: post.description ?? '',
      auctionFacilitator: post.auctionFacilitator || null,
      spreadsheetUrl: post.spreadsheetUrl || null,
      vehicleCount,
      availableCount: vehicleCount,
      idempotencyKey: idempotencyKey ?? null,
      directed: post.directed === true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const filled = (text: string | undefined): string | null => text || null
const titled = (text = ''): string | null => filled(trimTitle(text))

/** Uppercases the VIN and converts the price to cents. Blank fields become null. @throws 400 if the price has fractions of a cent */
export function vehicleColumns({ year, mileage, price, atDealership, ...vehicle }: NewVehicle) {
  return {
    vin: filled(vehicle.vin?.toUpperCase()),
    year: year ?? null,
    make: titled(vehicle.make),
    model: titled(vehicle.model),
    trim: titled(vehicle.trim),
    mileage: mileage ?? null,
    priceCents: price === undefined ? null : centsOf(price),
    city: titled(vehicle.city),
    state: filled(vehicle.state),
    color: titled(vehicle.color),
    notes: filled(vehicle.notes),
    location: titled(vehicle.location),
    atDealership: atDealership ?? null,
  }
}

export async function insertVehicles(tx: Tx, postId: string, vehicles: NewVehicle[]): Promise<string[]> {
  if (vehicles.length === 0) return []
  const rows = vehicles.map((vehicle, index) => ({ postId, position: index, ...vehicleColumns(vehicle) }))
  const inserted = await tx.insertInto('vehicles').values(rows).returning(['id', 'position']).execute()
  return inserted.toSorted((a, b) => a.position - b.position).map((row) => row.id)
}

export async function insertPhotos(
  tx: Tx,
  postId: string,
  photos: readonly { url: string; vehicleId: string | null }[],
): Promise<void> {
  if (photos.length === 0) return
  await tx
    .insertInto('photos')
    .values(photos.map((photo, position) => ({ postId, position, ...photo })))
    .execute()
}

export async function removePhoto(tx: Tx, url: string) {
  return tx
    .deleteFrom('photos')
    .using('posts')
    .whereRef('posts.id', '=', 'photos.postId')
    .where('photos.url', '=', url)
    .returning(['posts.id as postId', 'posts.dealerId', 'posts.title'])
    .execute()
}

/** Maximum bytes of text to index. PostgreSQL limits a tsvector to 1 MB and indexes hyphenated words twice. */
const searchedBytes = 400_000
const searchedCharacters = searchedBytes / 4

/** Rebuilds the search index. Hyphenated model names count as one word (`model_words`), both here and in searches. */
export async function refreshSearch(tx: Tx, postIds: string[]): Promise<void> {
  await sql`
    update posts set
      search = setweight(to_tsvector('english', model_words(posts.title)), 'A')
        || setweight(to_tsvector('english', model_words(words.cars)), 'B')
        || setweight(to_tsvector('english', words.seller || ' ' || words.states), 'C')
        || setweight(to_tsvector('english', model_words(posts.description)), 'D'),
      search_text = lower(posts.title || ' ' || words.cars || ' ' || words.seller || ' ' || left(posts.description, 1000))
    from (
      select p.id, d.name || ' ' || d.dealership_name || ' ' || d.city || ' ' || d.state as seller,
        case when octet_length(listed.cars) > ${searchedBytes} then left(listed.cars, ${searchedCharacters})
          else listed.cars end as cars,
        (select coalesce(string_agg(named.value, ' '), '') from jsonb_each_text(${JSON.stringify(stateNames)}::jsonb) named
          where named.key = d.state or named.key = any(listed.states)) as states
      from posts p join dealers d on d.id = p.dealer_id
      cross join lateral (
        select coalesce(string_agg(concat_ws(' ', v.year, v.make, v.model, v.trim, v.vin, v.color, v.city, v.state), ' '
                                   order by v.position), '') as cars, array_agg(distinct v.state) as states
        from vehicles v where v.post_id = p.id
      ) listed
      where p.id = any(${postIds}::uuid[])
    ) words where posts.id = words.id`.execute(tx)
  // Insert in a fixed order to prevent deadlocks.
  await sql`
    insert into search_words
    select distinct found.lexeme from posts, unnest(posts.search) as found
    where posts.id = any(${postIds}::uuid[]) and found.lexeme ~ '^[a-z]{4,}$'
      and not exists (select from search_words known where known.word = found.lexeme)
    order by found.lexeme on conflict do nothing`.execute(tx)
}

const isVisibleTo = (readerId: string | undefined) => (eb: ExpressionBuilder<DB, 'posts'>) =>
  eb.and([
    eb('posts.deletedAt', 'is', null),
    eb.or([eb('posts.hiddenAt', 'is', null), eb('posts.dealerId', '=', readerId ?? null)]),
  ])

export async function findCommentCount(db: Db, postId: string, readerId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('posts')
    .select('commentCount')
    .where('posts.id', '=', postId)
    .where(isVisibleTo(readerId))
    .executeTakeFirst()
  return row?.commentCount
}

/** Only the seller sees a post that moderators have hidden. That post has `hidden` set. */
export async function findPost(
  db: Db,
  postId: string,
  readerId?: string,
): Promise<(Post & { dealerId: string }) | undefined> {
  const row = await db
    .selectFrom('posts')
    .innerJoin('dealers', 'dealers.id', 'posts.dealerId')
    .select(postColumns)
    .select(['posts.hiddenAt', hasAuction])
    .select(dealerColumns.slice(1))
    .where('posts.id', '=', postId)
    .where(isVisibleTo(readerId))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const [photos, vehicles] = await Promise.all([
    listPhotosOf(db, [postId]),
    db.selectFrom('vehicles').selectAll().where('postId', '=', postId).orderBy('position').execute(),
  ])
  const dealer = toDealer({ ...(row as typeof row & Omit<Parameters<typeof toDealer>[0], 'id'>), id: row.dealerId })
  const post = toPost(row, dealer, photos, vehicles)
  return { ...post, dealerId: row.dealerId, ...(row.hiddenAt !== null && { hidden: true }) }
}

/** Deletes old inactive posts of the demo's director and of deleted demo accounts. Skips locked rows. */
export async function removeDirectedPosts(tx: Tx, olderThanDays: number, limit: number) {
  return tx
    .deleteFrom('posts')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('posts')
        .select('id')
        .where(
          sql<boolean>`(directed or dealer_id in (select id from dealers where demo and dealers.deleted_at is not null))`,
        )
        .where('createdAt', '<', sql<Date>`now() - make_interval(days => ${olderThanDays}::int)`)
        .where((or) => or.or([or('status', '<>', 'active'), or('deletedAt', 'is not', null)]))
        .orderBy('createdAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'dealerId', 'title'])
    .execute()
}

export async function listDealtVehicles(tx: Tx, postId: string) {
  return tx
    .selectFrom('vehicles')
    .innerJoin('deals', 'deals.vehicleId', 'vehicles.id')
    .selectAll('vehicles')
    .select('deals.status as dealStatus')
    .where('vehicles.postId', '=', postId)
    .where('deals.status', '<>', 'cancelled')
    .orderBy('vehicles.position')
    .execute()
}

export async function listOtherVehicles(tx: Tx, postId: string, exceptIds: readonly string[]) {
  let query = tx.selectFrom('vehicles').selectAll().where('postId', '=', postId).orderBy('position')
  if (exceptIds.length > 0) query = query.where('id', 'not in', exceptIds)
  return query.execute()
}

export async function updateHidden(tx: Tx, postId: string, hidden: boolean) {
  return tx
    .updateTable('posts')
    .set({ hiddenAt: hidden ? sql<Date>`clock_timestamp()` : null, version: sql<number>`version + 1` })
    .where('id', '=', postId)
    .where('deletedAt', 'is', null)
    .where('hiddenAt', hidden ? 'is' : 'is not', null)
    .returning(['dealerId', 'version'])
    .executeTakeFirst()
}

type Seen = { postId: string; dealerId: string }[]

const rowsOf = (seen: Seen) => sql`
  select s.post_id, s.dealer_id
  from unnest(${seen.map(({ postId }) => postId)}::uuid[], ${seen.map(({ dealerId }) => dealerId)}::uuid[]) as s(post_id, dealer_id)
  join posts on posts.id = s.post_id and posts.dealer_id <> s.dealer_id`

export async function insertImpressions(tx: Tx, seen: Seen): Promise<void> {
  await sql`insert into post_impressions (post_id, dealer_id) ${rowsOf(seen)} on conflict do nothing`.execute(tx)
}

/** Counts each dealer once per post and day. Returns the posts whose count changed. */
export async function insertViews(tx: Tx, views: Seen): Promise<PostState[]> {
  const { rows } = await sql<{ postId: string; added: number }>`
    with seen as (
      insert into post_views (post_id, dealer_id) ${rowsOf(views)}
      on conflict do nothing returning post_id
    ) select post_id, count(*)::int as added from seen group by post_id order by post_id`.execute(tx)
  const states = []
  for (const { postId, added } of rows) {
    const row = await tx
      .updateTable('posts')
      .set({ viewCount: sql<number>`view_count + ${added}`, version: sql<number>`version + 1` })
      .where('id', '=', postId)
      .returning(stateColumns)
      .executeTakeFirstOrThrow()
    states.push(toPostState(row))
  }
  return states
}

/** The `posting` feature later updates this row, but never inserts one. */
export async function insertWaitingImport(tx: Tx, postId: string, seen: SheetSeen | undefined): Promise<void> {
  await tx
    .insertInto('sheetImports')
    .values({ postId, state: 'waiting', seen: seen === undefined ? null : JSON.stringify(seen) })
    .execute()
}

export async function removeImports(tx: Tx, postIds: readonly string[]): Promise<void> {
  if (postIds.length > 0) await tx.deleteFrom('sheetImports').where('postId', 'in', postIds).execute()
}

export async function findByIdempotencyKey(db: Db, dealerId: string, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('posts')
    .select('id')
    .where('dealerId', '=', dealerId)
    .where('idempotencyKey', '=', key)
    .executeTakeFirst()
  return row?.id
}

export async function listVersions(db: Db, postIds: string[]): Promise<{ id: string; version: number }[]> {
  return db
    .selectFrom('posts')
    .select(['id', 'version'])
    .where(sql<boolean>`id::text = any(${postIds})`)
    .where('deletedAt', 'is', null)
    .execute()
}

/** Updates posts whose auction is open, or closed within the last hour. Returns the posts that changed. */
export async function updateBidCounts(tx: Tx): Promise<PostState[]> {
  const rows = await tx
    .updateTable('posts')
    .from('auctions')
    .set({ bidCount: sql<number>`auctions.bid_count`, version: sql<number>`posts.version + 1` })
    .whereRef('auctions.postId', '=', 'posts.id')
    .whereRef('posts.bidCount', '<>', 'auctions.bidCount')
    .where(sql<boolean>`(auctions.status = 'open' or auctions.closed_at > clock_timestamp() - interval '1 hour')`)
    .returning(stateColumns)
    .execute()
  return rows.map(toPostState)
}

export async function findFeedHead(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('posts')
    .select('id')
    .where('deletedAt', 'is', null)
    .where('hiddenAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
