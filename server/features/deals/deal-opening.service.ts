import { buyFeeCentsOn } from '#server/features/dealers/buy-fee.rows.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { lockVehicleForSale, setVehicleStatus } from '#server/features/sale/sale.service.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { insertDeal, insertStep, type Agreement } from './deals.repository.ts'
import { expireAuctionOffers } from './offers/offers.repository.ts'

/** Creates a pending deal and notifies both parties. Returns undefined if the vehicle is no longer for sale. */
export async function openDeal(tx: Tx, emit: Emit, agreement: Agreement): Promise<string | undefined> {
  const { postId, sellerId, buyerId, actorId } = agreement
  const { vehicle, isForSale } = await lockVehicleForSale(tx, postId, agreement.vehicleId)
  if (!isForSale) return undefined
  const dealId = await insertDeal(tx, agreement, vehicle, buyFeeCentsOn(agreement.amountCents, agreement))
  // Accepting an offer has already recorded a step.
  if (actorId === null) await insertStep(tx, { dealId, actorId, kind: 'opened', amountCents: agreement.amountCents })
  if (vehicle !== undefined) await setVehicleStatus(tx, emit, { postId, vehicleId: vehicle.id, status: 'pending' })
  await touchInbox(tx, emit, [sellerId, buyerId], 'deal', dealId)
  await emit('deal.changed', { dealId, sellerId, buyerId, status: 'pending', actorId })
  return dealId
}

export const dropAuctionOffers = (tx: Tx, postId: string): Promise<void> => expireAuctionOffers(tx, postId)
