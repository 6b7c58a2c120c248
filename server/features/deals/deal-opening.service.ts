import { touchInbox } from '#server/features/inbox/inbox.service.ts'
import { setVehicleStatus } from '#server/features/posts/vehicle-status.service.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { findDealVehicle, insertDeal, insertStep, type Agreement } from './deals.repository.ts'

/** Makes the pending deal in the caller's transaction: its vehicle is taken off the market, both parties hear of it. */
export async function openDeal(tx: Tx, emit: Emit, agreement: Agreement): Promise<string> {
  const { postId, sellerId, buyerId, actorId } = agreement
  const vehicle = await findDealVehicle(tx, postId, agreement.vehicleId)
  const dealId = await insertDeal(tx, agreement, vehicle)
  // Where somebody accepted an offer, that is the step.
  if (actorId === null) await insertStep(tx, { dealId, actorId, kind: 'opened', amountCents: agreement.amountCents })
  if (vehicle !== undefined) await setVehicleStatus(tx, emit, { postId, vehicleId: vehicle.id, status: 'pending' })
  await touchInbox(tx, emit, [sellerId, buyerId], 'deal', dealId)
  await emit.durable('deal.changed', { dealId, sellerId, buyerId, status: 'pending', actorId })
  return dealId
}
