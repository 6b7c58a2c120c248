import { sql, type Selectable } from 'kysely'
import type { DealStatus, ReviewStatus } from '#shared/schemas/deals.ts'
import type { Vehicles } from '#server/db/schema.ts'
import type { StoredBuyFee } from '#server/features/dealers/buy-fee.rows.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'

/** If `vehicleId` is undefined, the agreement is about the post's first vehicle. */
export interface Agreement extends StoredBuyFee {
  postId: string
  vehicleId: string | undefined
  sellerId: string
  buyerId: string
  amountCents: number
  source: 'offer' | 'auction'
  /** The dealer who agreed last. Null if an auction ended with a sale. */
  actorId: string | null
}

const selectDeals = (db: Db) =>
  db
    .selectFrom('deals')
    .innerJoin('dealers as buyer', 'buyer.id', 'deals.buyerId')
    .innerJoin('dealers as seller', 'seller.id', 'deals.sellerId')
    .selectAll('deals')
    .select([
      'buyer.name as buyerName',
      'buyer.dealershipName as buyerDealership',
      'seller.name as sellerName',
      'seller.dealershipName as sellerDealership',
    ])

export type DealRow = Awaited<ReturnType<ReturnType<typeof selectDeals>['executeTakeFirstOrThrow']>>

const listedMax = 200

export async function listDeals(db: Db, dealerId: string): Promise<DealRow[]> {
  return selectDeals(db)
    .where((eb) => eb.or([eb('deals.sellerId', '=', dealerId), eb('deals.buyerId', '=', dealerId)]))
    .orderBy('deals.createdAt', 'desc')
    .orderBy('deals.id', 'desc')
    .limit(listedMax)
    .execute()
}

/** The caller must check that the dealer may see the deals. */
export async function listDealsById(db: Db, dealIds: readonly string[]): Promise<DealRow[]> {
  return dealIds.length === 0 ? [] : selectDeals(db).where('deals.id', 'in', dealIds).execute()
}

export async function findDeal(db: Db, dealId: string): Promise<DealRow | undefined> {
  return selectDeals(db).where('deals.id', '=', dealId).executeTakeFirst()
}

/** Selects the first photo of the vehicle, or else of its post. The table `lot` must have `post_id` and `vehicle_id`. */
export const photoOf = (lot: string) => sql<string | null>`(
  select h.url from photos h join posts p on p.id = h.post_id
  where h.post_id = ${sql.ref(`${lot}.postId`)} and p.deleted_at is null and p.hidden_at is null
    and (h.vehicle_id is null or h.vehicle_id = ${sql.ref(`${lot}.vehicleId`)})
  order by h.vehicle_id is null, h.position limit 1)`

export async function findPhoto(db: Db, dealId: string): Promise<string | null> {
  const row = await db
    .selectFrom('deals')
    .select(photoOf('deals').as('photo'))
    .where('id', '=', dealId)
    .executeTakeFirst()
  return row?.photo ?? null
}

export async function lockDeal(tx: Tx, dealId: string) {
  return tx.selectFrom('deals').selectAll().where('id', '=', dealId).forNoKeyUpdate().executeTakeFirst()
}

export async function lockOpenDeals(tx: Tx, dealerId: string) {
  return tx
    .selectFrom('deals')
    .selectAll()
    .where((eb) => eb.or([eb('sellerId', '=', dealerId), eb('buyerId', '=', dealerId)]))
    .where('status', 'in', ['pending', 'approved'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Lists the dealer's open deals with the other party, in the order in which other transactions lock dealers. */
export async function listPartners(db: Db, dealerId: string): Promise<{ dealId: string; otherId: string }[]> {
  return db
    .selectFrom('deals')
    .select('id as dealId')
    .select(sql<string>`case when seller_id = ${dealerId} then buyer_id else seller_id end`.as('otherId'))
    .where((eb) => eb.or([eb('sellerId', '=', dealerId), eb('buyerId', '=', dealerId)]))
    .where('status', 'in', ['pending', 'approved'])
    .orderBy('otherId')
    .orderBy('id')
    .execute()
}

export async function updateDealStatus(tx: Tx, dealId: string, status: DealStatus): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  await tx
    .updateTable('deals')
    .set({
      status,
      version: sql<number>`version + 1`,
      updatedAt: now,
      ...(status === 'approved' && { approvedAt: now }),
      ...(status === 'completed' && { completedAt: now }),
    })
    .where('id', '=', dealId)
    .execute()
}

export async function updateDealMileage(tx: Tx, dealId: string, mileage: number): Promise<void> {
  await tx
    .updateTable('deals')
    .set({ mileage, version: sql<number>`version + 1`, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', dealId)
    .execute()
}

/** The network's review of a deal is independent of the deal's status. */
export async function updateReview(
  tx: Tx,
  dealId: string,
  review: { reviewStatus: ReviewStatus; reviewReason: string },
): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  const moment = review.reviewStatus === 'pending' ? { reviewSubmittedAt: now, reviewedAt: null } : { reviewedAt: now }
  await tx
    .updateTable('deals')
    .set({ ...review, ...moment, updatedAt: now, version: sql<number>`version + 1` })
    .where('id', '=', dealId)
    .execute()
}

/** Counts wins that the buyer canceled. Excludes wins from a deleted or suspended seller, who cannot complete a deal. */
export async function countCancelledWins(tx: Tx, buyerId: string, since: Date): Promise<number> {
  const row = await tx
    .selectFrom('deals')
    .innerJoin('dealSteps', (join) =>
      join.onRef('dealSteps.dealId', '=', 'deals.id').onRef('dealSteps.actorId', '=', 'deals.buyerId'),
    )
    .innerJoin('dealers', 'dealers.id', 'deals.sellerId')
    .select((eb) => eb.fn.count<number>('deals.id').distinct().as('count'))
    .where('dealers.deletedAt', 'is', null)
    .where((eb) => eb.not(isSuspended('dealers')))
    .where('deals.buyerId', '=', buyerId)
    .where('deals.status', '=', 'cancelled')
    .where('deals.source', '=', 'auction')
    .where('dealSteps.kind', '=', 'cancelled')
    .where('dealSteps.at', '>', since)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Copies the vehicle's data, because a deal and its documents outlive the post. */
const factsOf = ({ year, make, model, trim, color, mileage, vin, city, state }: Selectable<Vehicles>) => ({
  year,
  make: make ?? '',
  model: model ?? '',
  trim,
  color,
  mileage,
  vin,
  location: [city, state].filter(Boolean).join(', '),
})

/** `vehicle` is undefined if the post has no vehicles. */
export async function insertDeal(
  tx: Tx,
  agreement: Agreement,
  vehicle: Selectable<Vehicles> | undefined,
  buyFeeCents: number,
): Promise<string> {
  const { id } = await tx
    .insertInto('deals')
    .values({
      postId: agreement.postId,
      vehicleId: vehicle?.id ?? null,
      sellerId: agreement.sellerId,
      buyerId: agreement.buyerId,
      priceCents: agreement.amountCents,
      buyFeeCents,
      source: agreement.source,
      ...(vehicle && factsOf(vehicle)),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertStep(
  tx: Tx,
  step: { dealId?: string; offerId?: string; actorId: string | null; kind: string; amountCents?: number },
): Promise<void> {
  await tx.insertInto('dealSteps').values(step).execute()
}

export async function listSteps(db: Db, dealId: string) {
  return db
    .selectFrom('dealSteps')
    .leftJoin('offers', 'offers.id', 'dealSteps.offerId')
    .leftJoin('dealers', 'dealers.id', 'dealSteps.actorId')
    .select(['dealSteps.kind', 'dealSteps.amountCents', 'dealSteps.at', 'dealSteps.actorId', 'dealers.name'])
    .where((eb) => eb.or([eb('dealSteps.dealId', '=', dealId), eb('offers.dealId', '=', dealId)]))
    .orderBy('dealSteps.at')
    .orderBy('dealSteps.id')
    .execute()
}

export async function hasReviewed(db: Db, dealId: string, dealerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('reviews')
    .select('id')
    .where('dealId', '=', dealId)
    .where('authorId', '=', dealerId)
    .executeTakeFirst()
  return row !== undefined
}
