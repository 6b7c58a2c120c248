import type { DealAct, DealDetail, DealStatus } from '#shared/schemas/deals.ts'
import { conflict, notFound } from '#server/errors.ts'
import { countCompletedDeal } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { setVehicleStatus } from '#server/features/posts/vehicle-status.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session.ts'
import type { Emit } from '#server/platform/transact.ts'
import { listDocuments, listSignatures } from './deal-documents.repository.ts'
import { billOfSaleRefusal, issueDocuments, partiesWithoutLicense } from './deal-documents.service.ts'
import { isParty, maySee, refusals, statusAfter, whatMayBeDone } from './deals.policy.ts'
import {
  findDeal,
  hasReviewed,
  insertStep,
  listSteps,
  lockDeal,
  updateDealStatus,
  updateReview,
} from './deals.repository.ts'
import { toDeal, toDealDocument, toRejection, toSignature } from './deals.rows.ts'

/** A deal with its timeline, papers and what the caller may do. @throws 404 for everybody but its parties and admins */
export async function readDeal(ctx: Context, actor: Actor, dealId: string): Promise<DealDetail> {
  const deal = await findDeal(ctx.db, dealId)
  if (deal === undefined || !maySee(actor, deal)) throw notFound('This deal')
  const [steps, documents, signatures, reviewed] = await Promise.all([
    listSteps(ctx.db, dealId),
    listDocuments(ctx.db, dealId),
    listSignatures(ctx.db, dealId),
    hasReviewed(ctx.db, dealId, actor.dealerId),
  ])
  const rejection = toRejection(deal)
  const [refusal, withoutLicense] = await Promise.all([
    billOfSaleRefusal(ctx.db, actor.dealerId, deal, signatures),
    partiesWithoutLicense(ctx.db, deal),
  ])
  return {
    ...toDeal(deal),
    trim: deal.trim,
    mileage: deal.mileage,
    color: deal.color,
    source: deal.source,
    rejection,
    steps: steps.map(({ kind, amountCents, at, name }) => ({
      kind,
      amount: amountCents === null ? null : dollarsOf(amountCents),
      at: at.toISOString(),
      by: name,
      note: kind === rejectedStep ? (rejection?.reason ?? null) : null,
    })),
    documents: documents.map(toDealDocument),
    signatures: signatures.map(toSignature),
    billOfSaleNeeds: refusal?.message ?? null,
    withoutLicense,
    may: whatMayBeDone(actor, { ...deal, signatures, billOfSale: refusal === undefined }, reviewed),
  }
}

const rejectedStep = 'rejected'

const mileageAsked = 'State the mileage: the odometer disclosure waits for it'

const noticeTitles: Record<DealStatus, string> = {
  pending: 'A deal waits for the seller',
  approved: 'Deal approved: sign the documents',
  cancelled: 'Deal cancelled',
  completed: 'Deal completed: review the other side',
}

/**
 * What follows from a new status: papers, the vehicle, counters, the timeline and the notices. `rejection`: why an admin
 * ended the deal; both parties are told.
 */
export async function dealMoved(
  tx: Tx,
  emit: Emit,
  dealId: string,
  status: DealStatus,
  actorId: string,
  rejection?: string,
): Promise<void> {
  const deal = await lockDeal(tx, dealId)
  if (deal === undefined) return
  const { sellerId, buyerId, postId, vehicleId } = deal
  if (status === 'approved') await issueDocuments(tx, emit, dealId)
  if (postId !== null && vehicleId !== null && status !== 'approved')
    await setVehicleStatus(tx, emit, { postId, vehicleId, status: status === 'completed' ? 'sold' : 'available' })
  if (status === 'completed') await countCompletedDeal(tx, [sellerId, buyerId])
  await insertStep(tx, { dealId, actorId, kind: rejection === undefined ? status : rejectedStep })
  await touchInbox(tx, emit, [sellerId, buyerId], 'deal', dealId)
  await emit('deal.changed', { dealId, sellerId, buyerId, status, actorId })
  const vehicle = [deal.year, deal.make, deal.model].filter(Boolean).join(' ')
  const body = [vehicle, rejection].filter(Boolean).join(': ')
  const title = rejection === undefined ? noticeTitles[status] : 'Deal rejected by Lanewire'
  const notice = { kind: 'deal', title, body, path: `/deals/${dealId}`, actorId } as const
  const key = `deal:${dealId}:${status}`
  const asked = status === 'approved' && deal.mileage === null
  await notify(
    tx,
    emit,
    { ...notice, dealerId: sellerId, key },
    { ...notice, dealerId: buyerId, key },
    // Asked by the deal itself: the seller who approves it is told, too.
    ...(asked
      ? [{ kind: notice.kind, title: mileageAsked, body, path: notice.path, dealerId: sellerId, key: `${key}:mileage` }]
      : []),
  )
}

/**
 * A party moves its deal on.
 * @throws 404 for others, 409 with the reason when it is not theirs to do now
 */
export async function actOnDeal(ctx: Context, actor: Actor, dealId: string, act: DealAct): Promise<DealDetail> {
  await ctx.transact(async (tx, emit) => {
    const deal = await lockDeal(tx, dealId)
    if (deal === undefined || !isParty(actor, deal)) throw notFound('This deal')
    const signatures = await listSignatures(tx, dealId)
    const billOfSale = (await billOfSaleRefusal(tx, actor.dealerId, deal, signatures)) === undefined
    if (!whatMayBeDone(actor, { ...deal, signatures, billOfSale }, true)[act]) throw conflict(refusals[act])
    const status = statusAfter[act]
    await updateDealStatus(tx, dealId, status)
    await dealMoved(tx, emit, dealId, status, actor.dealerId)
  })
  return readDeal(ctx, actor, dealId)
}

/** Held until the transaction ends, for whoever decides over the parties' heads. */
export async function lockDealStatus(tx: Tx, dealId: string): Promise<DealStatus | undefined> {
  return (await lockDeal(tx, dealId))?.status
}

/** An admin's verdict with the status that it leads to; {@link dealMoved} does what follows from another one. */
export const storeVerdict = (tx: Tx, dealId: string, verdict: Parameters<typeof updateReview>[2]): Promise<void> =>
  updateReview(tx, dealId, verdict)
