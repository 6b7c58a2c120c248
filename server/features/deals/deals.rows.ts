import type { Deal, DealStatus } from '#shared/schemas/deals.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { DealRow } from './deals.repository.ts'

export function toDeal(row: DealRow): Deal {
  return {
    id: row.id,
    status: row.status as DealStatus,
    year: row.year,
    make: row.make,
    model: row.model,
    price: dollarsOf(row.priceCents),
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
