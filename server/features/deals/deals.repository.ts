import type { Deal, DealStatus } from '#shared/schemas/deals.ts'
import type { Db } from '#server/platform/db.ts'

const centsPerDollar = 100

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

function toDeal(row: Awaited<ReturnType<ReturnType<typeof selectDeals>['executeTakeFirstOrThrow']>>): Deal {
  return {
    id: row.id,
    status: row.status as DealStatus,
    year: row.year,
    make: row.make,
    model: row.model,
    price: row.priceCents / centsPerDollar,
    vin: row.vin,
    location: row.location,
    sellerId: row.sellerId,
    buyer: { id: row.buyerId, name: row.buyerName, dealershipName: row.buyerDealership },
    seller: { id: row.sellerId, name: row.sellerName, dealershipName: row.sellerDealership },
    postId: row.postId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The dealer's deals on either side, newest first. */
export async function listDeals(db: Db, dealerId: string): Promise<Deal[]> {
  const rows = await selectDeals(db)
    .where((eb) => eb.or([eb('deals.sellerId', '=', dealerId), eb('deals.buyerId', '=', dealerId)]))
    .orderBy('deals.createdAt', 'desc')
    .orderBy('deals.id', 'desc')
    .limit(200)
    .execute()
  return rows.map(toDeal)
}
