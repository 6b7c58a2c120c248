import { documentKinds } from '#shared/schemas/deals.ts'
import { buyFeeOf } from '#server/features/dealers/licenses.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { openDeal } from './deal-opening.service.ts'
import { insertSignature } from './deal-documents.repository.ts'
import { issueDocuments, signDocument } from './deal-documents.service.ts'
import { findAuctionOffer, listResting } from './deals-demo.repository.ts'
import { actOnDeal, dealMoved } from './deals.service.ts'
import { insertStep, lockDeal, updateDealStatus } from './deals.repository.ts'
import { notifyOfOffer } from './offers/offer-notices.service.ts'
import { declineOthers } from './offers/offers.repository.ts'
import { actOnOffer } from './offers/offers.service.ts'

const restMs = 40_000
const movedAtOnce = 3

export const listRestingDeals = (db: Db, dealerIds: readonly string[]) =>
  listResting(db, dealerIds, restMs, movedAtOnce)

/** Accepts or declines the highest bid below the reserve on behalf of the seller. Returns false if there is no such bid. */
export async function decideDemoAuction(
  ctx: Context,
  seller: Actor,
  postId: string,
  accept: boolean,
): Promise<boolean> {
  const offerId = await findAuctionOffer(ctx.db, postId)
  if (offerId === undefined) return false
  await actOnOffer(ctx, seller, offerId, accept ? 'accept' : 'decline', undefined)
  return true
}

/** Sells a vehicle from one simulated dealer to another, and notifies dealers with offers on it. Returns false if it is not for sale. */
export async function sellInDemo(
  ctx: Context,
  sale: { postId: string; vehicleId: string; sellerId: string; buyerId: string; amountCents: number },
): Promise<boolean> {
  return ctx.transact(async (tx, emit) => {
    const { buyFeeCents, buyFeeBasisPoints } = await buyFeeOf(tx)
    const agreement = { ...sale, buyFeeCents, buyFeeBasisPoints, source: 'offer', actorId: null } as const
    const dealId = await openDeal(tx, emit, agreement)
    if (dealId === undefined) return false
    for (const offer of await declineOthers(tx, sale.vehicleId, dealId))
      await notifyOfOffer(tx, emit, offer, sale.sellerId, 'declined')
    return true
  })
}

/** Approves and signs a deal on behalf of the seller. The buyer is a person, who signs and completes it. */
export async function approveInDemo(ctx: Context, seller: Actor, dealId: string): Promise<void> {
  const { mileage, billOfSaleNeeds } = await actOnDeal(ctx, seller, dealId, 'approve')
  const isMissing = { odometer: mileage === null, bill_of_sale: billOfSaleNeeds !== null }
  for (const kind of documentKinds.filter((each) => !isMissing[each]))
    await signDocument(ctx, seller, dealId, kind, { name: seller.name, address: '' })
}

export async function finishInDemo(
  tx: Tx,
  emit: Emit,
  dealId: string,
  parties: readonly Pick<Actor, 'dealerId' | 'name'>[],
): Promise<void> {
  const deal = await lockDeal(tx, dealId)
  if (deal === undefined || deal.status === 'completed' || deal.status === 'cancelled') return
  if (deal.status === 'pending') {
    await updateDealStatus(tx, dealId, 'approved')
    await insertStep(tx, { dealId, actorId: deal.sellerId, kind: 'approved' })
  }
  for (const kind of documentKinds.filter((each) => each !== 'odometer' || deal.mileage !== null))
    for (const { dealerId, name } of parties) {
      const signature = { dealId, kind, dealerId, name, address: '' }
      if (await insertSignature(tx, signature))
        await insertStep(tx, { dealId, actorId: dealerId, kind: `signed_${kind}` })
    }
  await issueDocuments(tx, emit, dealId)
  await updateDealStatus(tx, dealId, 'completed')
  await dealMoved(tx, emit, dealId, 'completed', deal.buyerId)
}

export { insertPastTrade, type PastTrade } from './deals-demo.repository.ts'
