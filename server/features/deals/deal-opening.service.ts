import { buyFeeCentsOn } from '#server/features/dealers/buy-fee.rows.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { holdForSale, setVehicleStatus } from '#server/features/posts/vehicle-status.service.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { findDealVehicle, hasLivingDeal, insertDeal, insertStep, type Agreement } from './deals.repository.ts'
import { expireAuctionOffers } from './offers/offers.repository.ts'

/** The vehicle to sell: the given one or the post's first, if any. Locks the post against other sales. */
async function holdLot(tx: Tx, postId: string, vehicleId?: string) {
  const there = await holdForSale(tx, postId)
  const vehicle = await findDealVehicle(tx, postId, vehicleId)
  if (vehicle === undefined) return { vehicle, isForSale: there && vehicleId === undefined }
  const free = vehicle.status === 'available' && !(await hasLivingDeal(tx, vehicle.id))
  return { vehicle, isForSale: there && free }
}

export async function isLotForSale(tx: Tx, postId: string): Promise<boolean> {
  return (await holdLot(tx, postId)).isForSale
}

/** Creates the pending deal and notifies both parties. @returns undefined if the vehicle is no longer for sale */
export async function openDeal(tx: Tx, emit: Emit, agreement: Agreement): Promise<string | undefined> {
  const { postId, sellerId, buyerId, actorId } = agreement
  const { vehicle, isForSale } = await holdLot(tx, postId, agreement.vehicleId)
  if (!isForSale) return undefined
  const dealId = await insertDeal(tx, agreement, vehicle, buyFeeCentsOn(agreement.amountCents, agreement))
  // If an offer was accepted, that step is already recorded.
  if (actorId === null) await insertStep(tx, { dealId, actorId, kind: 'opened', amountCents: agreement.amountCents })
  if (vehicle !== undefined) await setVehicleStatus(tx, emit, { postId, vehicleId: vehicle.id, status: 'pending' })
  await touchInbox(tx, emit, [sellerId, buyerId], 'deal', dealId)
  await emit('deal.changed', { dealId, sellerId, buyerId, status: 'pending', actorId })
  return dealId
}

/** Expires undecided offers of an auction that restarts, without notices. */
export const dropAuctionOffers = (tx: Tx, postId: string): Promise<void> => expireAuctionOffers(tx, postId)
