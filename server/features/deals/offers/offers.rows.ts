import type { Selectable } from 'kysely'
import { formatVehicle } from '#shared/format.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { Offers } from '#server/db/schema.ts'
import { withBuyFee } from '#server/features/dealers/buy-fee.rows.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { OfferRow } from './offers.repository.ts'

export type StoredOffer = Selectable<Offers>

export function toOffer(row: OfferRow): Offer {
  return {
    id: row.id,
    postId: row.postId,
    vehicleId: row.vehicleId,
    title: formatVehicle(row) || row.title,
    askingPrice: row.priceCents === null ? null : dollarsOf(row.priceCents),
    amount: dollarsOf(row.amountCents),
    ...withBuyFee(row),
    turn: row.turn,
    status: row.status,
    source: row.buyOrderId === null ? row.source : 'order',
    seller: { id: row.sellerId, name: row.sellerName, dealershipName: row.sellerDealership },
    buyer: { id: row.buyerId, name: row.buyerName, dealershipName: row.buyerDealership },
    dealId: row.dealId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}
