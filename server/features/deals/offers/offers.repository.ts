import { sql, type ExpressionBuilder, type RawBuilder } from 'kysely'
import { offersMax, openOffersMax } from '#shared/limits.ts'
import { formatVehicle } from '#shared/format.ts'
import type { OffersQuery, OfferStatus, OfferTurn } from '#shared/schemas/deals.ts'
import type { DB } from '#server/db/schema.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

export async function insertOffer(
  tx: Tx,
  offer: {
    postId: string
    vehicleId: string | null
    sellerId: string
    buyerId: string
    amountCents: number
    buyFeeCents: number | RawBuilder<number>
    buyFeeBasisPoints: number | RawBuilder<number>
    source: 'offer' | 'auction'
    turn?: OfferTurn
    idempotencyKey?: string | null
    buyOrderId?: string | null
  },
) {
  return tx.insertInto('offers').values(offer).returningAll().executeTakeFirstOrThrow()
}

export async function findSale(db: Db, dealerId: string, offerId: string) {
  return db
    .selectFrom('offers')
    .select(['postId', 'sellerId'])
    .where('id', '=', offerId)
    .where((eb) => eb.or([eb('sellerId', '=', dealerId), eb('buyerId', '=', dealerId)]))
    .executeTakeFirst()
}

/** Selects the vehicle that an auction of the post sells: the post's first vehicle. */
const lotOf = (post: 'offers.postId' | 'posts.id') =>
  sql<string>`(select lot.id from vehicles lot where lot.post_id = ${sql.ref(post)} order by lot.position limit 1)`

/**
 * Locks an offer that the dealer made or received. `isForLot` is true if the offer is for the post's first vehicle, which is the one an
 * auction sells. If the offer names no vehicle, `isForLot` is true for auction offers.
 */
export async function lockOffer(tx: Tx, dealerId: string, offerId: string) {
  return tx
    .selectFrom('offers')
    .selectAll()
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as('expired'))
    .select(sql<boolean>`coalesce(vehicle_id = ${lotOf('offers.postId')}, source = 'auction')`.as('isForLot'))
    .where('id', '=', offerId)
    .where((eb) => eb.or([eb('sellerId', '=', dealerId), eb('buyerId', '=', dealerId)]))
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Updates an offer and increments its version. */
export async function updateOffer(
  tx: Tx,
  offerId: string,
  change: Partial<{
    status: OfferStatus
    turn: OfferTurn
    amountCents: number
    dealId: string
    expiresAt: ReturnType<typeof sql<Date>>
  }>,
) {
  return tx
    .updateTable('offers')
    .set({ ...change, version: sql<number>`version + 1`, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', offerId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const fromNow = (ms: number) => sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`

const isTimeOver = (eb: ExpressionBuilder<DB, 'offers'>) =>
  eb.and([eb('status', '=', 'open'), eb('expiresAt', '<=', sql<Date>`clock_timestamp()`)])

export async function listOverdue(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('offers').select('id').where(isTimeOver).orderBy('expiresAt').execute()
  return rows.map(({ id }) => id)
}

export async function expireOverdue(tx: Tx, offerId: string) {
  return tx
    .updateTable('offers')
    .set({ status: 'expired', version: sql<number>`version + 1`, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', offerId)
    .where(isTimeOver)
    .returningAll()
    .executeTakeFirst()
}

const endingAll = (tx: Tx) =>
  tx
    .updateTable('offers')
    .set({ status: 'ended', version: sql<number>`version + 1`, updatedAt: sql<Date>`clock_timestamp()` })
    .where('status', '=', 'open')
    .returningAll()

const endingOpen = (tx: Tx) => endingAll(tx).where('source', '=', 'offer')

/** Ends open offers on the vehicle that an auction sells, except the offer that the auction itself created. */
export const endOpenOnLot = (tx: Tx, postId: string) =>
  endingOpen(tx).where('postId', '=', postId).where('vehicleId', '=', lotOf('offers.postId')).execute()

export const endOpenOnSold = (tx: Tx, postId: string) =>
  endingOpen(tx)
    .where('vehicleId', 'in', (eb) =>
      eb.selectFrom('vehicles').select('id').where('postId', '=', postId).where('status', '=', 'sold'),
    )
    .execute()

/** Includes the offer that an auction created from its highest bid below the reserve. */
export const endOpenOnPosts = (tx: Tx, postIds: readonly string[]) =>
  endingAll(tx).where('postId', 'in', postIds).execute()

/** Excludes offers that an auction created. */
export const endOpenOn = (tx: Tx, vehicleIds: readonly string[]) =>
  endingOpen(tx).where('vehicleId', 'in', vehicleIds).execute()

export async function withdrawOpen(tx: Tx, buyerId: string) {
  return tx
    .updateTable('offers')
    .set({ status: 'withdrawn', version: sql<number>`version + 1`, updatedAt: sql<Date>`clock_timestamp()` })
    .where('buyerId', '=', buyerId)
    .where('status', '=', 'open')
    .returningAll()
    .execute()
}

/** Includes offers that an auction created from its highest bid below the reserve. */
export const endOpenOf = (tx: Tx, sellerId: string) => endingAll(tx).where('sellerId', '=', sellerId).execute()

/** Expires the offers that an auction created, without notifying anybody. */
export async function expireAuctionOffers(tx: Tx, postId: string): Promise<void> {
  await tx
    .updateTable('offers')
    .set({ status: 'expired' })
    .where('postId', '=', postId)
    .where('source', '=', 'auction')
    .where('status', '=', 'open')
    .execute()
}

export async function declineOthers(tx: Tx, vehicleId: string, exceptId: string) {
  return tx
    .updateTable('offers')
    .set({ status: 'declined', version: sql<number>`version + 1`, updatedAt: sql<Date>`clock_timestamp()` })
    .where('vehicleId', '=', vehicleId)
    .where('status', '=', 'open')
    .where('id', '<>', exceptId)
    .returningAll()
    .execute()
}

const selectOffers = (db: Db) =>
  db
    .selectFrom('offers')
    .innerJoin('posts', 'posts.id', 'offers.postId')
    .leftJoin('vehicles', 'vehicles.id', 'offers.vehicleId')
    .innerJoin('dealers as buyer', 'buyer.id', 'offers.buyerId')
    .innerJoin('dealers as seller', 'seller.id', 'offers.sellerId')
    .selectAll('offers')
    .select([
      'posts.title',
      'vehicles.year',
      'vehicles.make',
      'vehicles.model',
      'vehicles.priceCents',
      'buyer.name as buyerName',
      'buyer.dealershipName as buyerDealership',
      'seller.name as sellerName',
      'seller.dealershipName as sellerDealership',
    ])

export type OfferRow = Awaited<ReturnType<ReturnType<typeof selectOffers>['executeTakeFirstOrThrow']>>

/** Lists the dealer's offers as buyer or seller, most recently changed first. */
export async function listOffers(db: Db, dealerId: string, { postId, open }: OffersQuery): Promise<OfferRow[]> {
  let query = selectOffers(db).where((eb) =>
    eb.or([eb('offers.sellerId', '=', dealerId), eb('offers.buyerId', '=', dealerId)]),
  )
  if (postId !== undefined) query = query.where('offers.postId', '=', postId)
  if (open === true) query = query.where('offers.status', '=', 'open')
  const most = open === true ? openOffersMax : offersMax
  return query.orderBy('offers.updatedAt', 'desc').orderBy('offers.id', 'desc').limit(most).execute()
}

export async function listAuctionOffers(db: Db, sellerId: string): Promise<{ id: string; postId: string }[]> {
  return db
    .selectFrom('offers')
    .select(['id', 'postId'])
    .where('sellerId', '=', sellerId)
    .where('status', '=', 'open')
    .where('source', '=', 'auction')
    .execute()
}

export async function listOffersById(db: Db, offerIds: readonly string[]): Promise<OfferRow[]> {
  return offerIds.length === 0 ? [] : selectOffers(db).where('offers.id', 'in', offerIds).execute()
}

export async function findOffer(db: Db, offerId: string): Promise<OfferRow> {
  return selectOffers(db).where('offers.id', '=', offerId).executeTakeFirstOrThrow()
}

export async function findOfferByKey(db: Db, buyerId: string, key: string): Promise<OfferRow | undefined> {
  return selectOffers(db)
    .where('offers.buyerId', '=', buyerId)
    .where('offers.idempotencyKey', '=', key)
    .executeTakeFirst()
}

export async function findName(
  db: Db,
  { postId, vehicleId }: { postId: string; vehicleId: string | null },
): Promise<string> {
  const row = await db
    .selectFrom('posts')
    .leftJoin('vehicles', (join) => join.onRef('vehicles.postId', '=', 'posts.id').on('vehicles.id', '=', vehicleId))
    .select(['posts.title', 'vehicles.year', 'vehicles.make', 'vehicles.model'])
    .where('posts.id', '=', postId)
    .executeTakeFirstOrThrow()
  return formatVehicle(row) || row.title
}

export async function findOfferable(db: Db, postId: string, vehicleId: string) {
  return db
    .selectFrom('vehicles')
    .innerJoin('posts', 'posts.id', 'vehicles.postId')
    .innerJoin('dealers', 'dealers.id', 'posts.dealerId')
    .leftJoin('auctions', (join) =>
      join.onRef('auctions.postId', '=', 'posts.id').on('vehicles.id', '=', lotOf('posts.id')),
    )
    .select(isSuspended('dealers').as('isSuspended'))
    .select([
      'posts.dealerId as sellerId',
      'posts.status as postStatus',
      'vehicles.status',
      'vehicles.priceCents as askedCents',
      'auctions.status as auctionStatus',
    ])
    .where('vehicles.id', '=', vehicleId)
    .where('posts.id', '=', postId)
    .where('posts.deletedAt', 'is', null)
    .where('posts.hiddenAt', 'is', null)
    .executeTakeFirst()
}
