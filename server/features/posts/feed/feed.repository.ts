import { sql, type SelectQueryBuilder } from 'kysely'
import Type from 'typebox'
import { Id } from '#shared/values.ts'
import type { Post, PostSort } from '#shared/schemas/posts.ts'
import { dealerColumns, toDealer } from '#server/features/dealers/dealers.rows.ts'
import type { Db } from '#server/platform/database/db.ts'
import { decodeCursor, encodeCursor, TimeKey } from '#server/platform/http/page-cursors.ts'
import { candidates, type FeedRequest } from './feed-search.repository.ts'
import { hasAuction, type PhotoRow, postColumns, toPost, type VehicleRow } from '../posts.rows.ts'

const HeatKey = Type.Object({ heat: Type.Number(), id: Id })

/** End time of a post's auction, to sort the run list. Computing it for each row is fast, because few auctions are open. */
const endsAt = sql`(select auctions.ends_at from auctions where auctions.post_id = posts.id)`

function after<D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>, sort: PostSort, cursor: string) {
  if (sort === 'hottest') {
    const key = decodeCursor(HeatKey, cursor)
    return query.where(sql<boolean>`(posts.heat, posts.id) < (${key.heat}::double precision, ${key.id}::uuid)`)
  }
  const key = decodeCursor(TimeKey, cursor)
  if (sort === 'auction-promo')
    return query.where(sql<boolean>`(${endsAt}, posts.id) > (${key.at}::timestamptz, ${key.id}::uuid)`)
  return query.where(sql<boolean>`(posts.created_at, posts.id) < (${key.at}::timestamptz, ${key.id}::uuid)`)
}

export async function listPhotosOf(db: Db, postIds: string[]): Promise<(PhotoRow & { postId: string })[]> {
  return db
    .selectFrom('photos')
    .leftJoin('vehicles', 'vehicles.id', 'photos.vehicleId')
    .leftJoin('objects', (join) =>
      join.on(
        'objects.id',
        '=',
        sql<string>`case when photos.url ~ '^/api/objects/[0-9a-f-]{36}$' then right(photos.url, 36)::uuid end`,
      ),
    )
    .select(['photos.postId', 'photos.url', 'photos.vehicleId', 'vehicles.position as vehiclePlace'])
    .select(['objects.tint', 'objects.shows'])
    .select(
      sql<string>`concat_ws(' ', vehicles.year, vehicles.make, vehicles.model, nullif(vehicles.trim, ''))`.as(
        'vehicleName',
      ),
    )
    .where('photos.postId', 'in', postIds)
    .orderBy('photos.position')
    .execute()
}

async function attachments(db: Db, postIds: string[]) {
  const [photos, vehicles] = await Promise.all([
    listPhotosOf(db, postIds),
    db
      .selectFrom('vehicles')
      .selectAll()
      .distinctOn('postId')
      .where('postId', 'in', postIds)
      .orderBy('postId')
      .orderBy('position')
      .execute(),
  ])
  const photosOf = new Map<string, PhotoRow[]>()
  for (const { postId, ...photo } of photos) photosOf.set(postId, [...(photosOf.get(postId) ?? []), photo])
  const vehicleOf = new Map<string, VehicleRow>(vehicles.map((vehicle) => [vehicle.postId, vehicle]))
  return { photosOf, vehicleOf }
}

const orderTime = (sort: PostSort) => (sort === 'auction-promo' ? endsAt : sql`posts.created_at`)
const orderOf = (sort: PostSort) => (sort === 'hottest' ? sql`posts.heat` : orderTime(sort))
const directionOf = (sort: PostSort) => (sort === 'auction-promo' ? 'asc' : 'desc')

export async function listFeed(db: Db, request: FeedRequest): Promise<{ posts: Post[]; next: string | undefined }> {
  const { sort, cursor, limit } = request
  const base = candidates(db, request).selectFrom('found as posts').select('posts.id')
  const keys = (cursor === undefined ? base : after(base, sort, cursor))
    .select(orderOf(sort).as('rank'))
    .orderBy('rank', directionOf(sort))
    .orderBy('posts.id', directionOf(sort))
    .limit(limit + 1)
  const page = db
    .selectFrom(keys.as('page'))
    .innerJoin('posts', 'posts.id', 'page.id')
    .innerJoin('dealers', 'dealers.id', 'posts.dealerId')
    .orderBy('page.rank', directionOf(sort))
    .orderBy('posts.id', directionOf(sort))
    .select(postColumns)
    .select(['posts.heat', sql<string>`page.rank::text`.as('at'), hasAuction])
    .select(dealerColumns.slice(1))
  const rows = (await page.execute()) as (Awaited<ReturnType<typeof page.execute>>[number] & DealerPart)[]
  const shown = rows.slice(0, request.limit)
  const last = shown.at(-1)
  if (last === undefined) return { posts: [], next: undefined }
  const { photosOf, vehicleOf } = await attachments(
    db,
    shown.map((row) => row.id),
  )
  const posts = shown.map((row) => {
    const vehicle = vehicleOf.get(row.id)
    const dealer = toDealer({ ...row, id: row.dealerId })
    return toPost(row, dealer, photosOf.get(row.id) ?? [], vehicle === undefined ? [] : [vehicle])
  })
  const key = request.sort === 'hottest' ? { heat: last.heat, id: last.id } : { at: last.at, id: last.id }
  return { posts, next: rows.length > request.limit ? encodeCursor(key) : undefined }
}

type DealerPart = Omit<Parameters<typeof toDealer>[0], 'id'>
