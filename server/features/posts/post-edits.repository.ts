import { sql } from 'kysely'
import type { EditedVehicle, VehicleStatus } from '#shared/schemas/posts.ts'
import type { PostState } from '#shared/events/posts.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { stateColumns, statusColumns, toPostState } from '#server/features/sale/post-state.rows.ts'
import { insertPhotos, vehicleColumns } from './posts.repository.ts'

/** Added to old positions, so that they do not collide with the new ones. Posts have far fewer vehicles. */
const positionOffset = 100_000

/** Updates vehicles in place, because deals and offers refer to them. `keptIds` stay unchanged and move behind the other vehicles. */
export async function replaceVehicles(
  tx: Tx,
  postId: string,
  vehicles: EditedVehicle[],
  keptIds: readonly string[] = [],
): Promise<string[]> {
  const known = [...keptIds, ...vehicles.flatMap(({ id }) => id ?? [])]
  let gone = tx.deleteFrom('vehicles').where('postId', '=', postId)
  if (known.length > 0) gone = gone.where('id', 'not in', known)
  await gone.execute()
  await tx
    .updateTable('vehicles')
    .set({ position: sql<number>`position + ${positionOffset}` })
    .where('postId', '=', postId)
    .execute()
  const placed = vehicles.map(({ id, status, ...vehicle }, index) => ({
    id,
    status,
    columns: { ...vehicleColumns(vehicle), position: index },
  }))
  const added = placed.filter(({ id }) => id === undefined)
  const rows =
    added.length === 0
      ? []
      : await tx
          .insertInto('vehicles')
          .values(added.map(({ status, columns }) => ({ ...columns, postId, ...(status !== undefined && { status }) })))
          .returning(['id', 'position'])
          .execute()
  for (const { id, status, columns } of placed) {
    if (id === undefined) continue
    const changed = await tx
      .updateTable('vehicles')
      .set({ ...columns, ...priceMove(columns.priceCents), ...(status !== undefined && statusColumns(status)) })
      .where('id', '=', id)
      .where('postId', '=', postId)
      .returning(['id', 'position'])
      .execute()
    rows.push(...changed)
  }
  if (keptIds.length > 0)
    await tx
      .updateTable('vehicles')
      .set({ position: sql<number>`${vehicles.length} - 1 + array_position(${keptIds}::uuid[], id)` })
      .where('postId', '=', postId)
      .where('id', 'in', keptIds)
      .execute()
  return rows.toSorted((a, b) => a.position - b.position).map(({ id }) => id)
}

const priceMove = (cents: number | null) => ({
  previousPriceCents: sql<number | null>`case when price_cents is distinct from ${cents}::bigint then price_cents
    else previous_price_cents end`,
  priceChangedAt: sql<Date | null>`case when price_cents is distinct from ${cents}::bigint then clock_timestamp()
    else price_changed_at end`,
})

export interface PostPhoto {
  url: string
  /** Null for photos of the post itself. */
  vehicleId: string | null
}

export async function replacePhotos(tx: Tx, postId: string, photos: readonly PostPhoto[]): Promise<void> {
  await tx.deleteFrom('photos').where('postId', '=', postId).execute()
  await insertPhotos(tx, postId, photos)
}

export async function listPhotos(tx: Tx, postId: string): Promise<PostPhoto[]> {
  return tx.selectFrom('photos').select(['url', 'vehicleId']).where('postId', '=', postId).orderBy('position').execute()
}

/** Marks a post's vehicles as sold or available. Instead of becoming available, a vehicle in a deal gets the status of its deal. */
export async function updateVehicleStatuses(tx: Tx, postId: string, status: 'available' | 'sold'): Promise<void> {
  const dealt = sql<VehicleStatus | null>`(
    select case deals.status when 'completed' then 'sold' else 'pending' end
    from deals where deals.vehicle_id = vehicles.id and deals.status <> 'cancelled')`
  await tx
    .updateTable('vehicles')
    .set(
      status === 'sold'
        ? statusColumns(status)
        : {
            status: sql<VehicleStatus>`coalesce(${dealt}, ${status})`,
            soldAt: sql<Date | null>`case ${dealt} when 'sold' then vehicles.sold_at end`,
          },
    )
    .where('postId', '=', postId)
    .execute()
}

export async function isSoldOut(tx: Tx, postId: string): Promise<boolean> {
  const rows = await tx.selectFrom('vehicles').select('status').where('postId', '=', postId).execute()
  return rows.length > 0 && rows.every(({ status }) => status === 'sold')
}

/** Expires active posts whose `expiresAt` has passed, unless their auction is open or awaits a decision. Safe to run concurrently. */
export async function expireDue(tx: Tx, limit: number): Promise<(PostState & { dealerId: string; title: string })[]> {
  const rows = await tx
    .updateTable('posts')
    .set({ status: 'expired', version: sql<number>`version + 1`, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('posts')
        .select('id')
        .where('status', '=', 'active')
        .where('deletedAt', 'is', null)
        .where('expiresAt', '<=', sql<Date>`now()`)
        .where((auction) =>
          auction.not(
            auction.exists(
              auction
                .selectFrom('auctions')
                .select('auctions.postId')
                .whereRef('auctions.postId', '=', 'posts.id')
                .where('auctions.status', 'in', ['open', 'deciding']),
            ),
          ),
        )
        .orderBy('expiresAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning([...stateColumns, 'posts.dealerId', 'posts.title'])
    .execute()
  return rows.map((row) => ({ ...toPostState(row), dealerId: row.dealerId, title: row.title }))
}

export async function removeAllOf(tx: Tx, dealerId: string): Promise<string[]> {
  const rows = await tx
    .updateTable('posts')
    .set({ deletedAt: sql<Date>`now()`, version: sql<number>`version + 1` })
    .where('dealerId', '=', dealerId)
    .where('deletedAt', 'is', null)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Returns the search words that come from the dealer's name and location (weight C in `refreshSearch`). */
export async function listSellerWords(tx: Tx, dealerId: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select distinct seller.lexeme as word from posts, unnest(ts_filter(posts.search, '{c}')) as seller
    where posts.dealer_id = ${dealerId}`.execute(tx)
  return rows.map(({ word }) => word)
}

export async function removeUnusedWords(tx: Tx, words: string[]): Promise<void> {
  await sql`
    delete from search_words where word = any(${words}::text[])
      and not exists (select from posts where posts.search @@ search_words.word::tsquery)`.execute(tx)
}

/** Clears the content of a deleted dealer's posts. Keeps the rows, because offers and deals refer to them. Returns the photo URLs. */
export async function blankAllOf(tx: Tx, dealerId: string): Promise<string[]> {
  const own = tx.selectFrom('posts').select('id').where('dealerId', '=', dealerId)
  const photos = await tx.deleteFrom('photos').where('postId', 'in', own).returning('url').execute()
  await tx
    .updateTable('vehicles')
    .set({ city: null, state: null, location: null, notes: null })
    .where('postId', 'in', own)
    .execute()
  await tx
    .updateTable('posts')
    .set({
      title: 'Deleted post',
      description: '',
      spreadsheetUrl: sql<string | null>`case when type = 'spreadsheet' then '' end`,
      aiSummary: null,
      search: sql<string>`''::tsvector`,
      searchText: '',
    })
    .where('dealerId', '=', dealerId)
    .execute()
  return photos.map(({ url }) => url)
}
