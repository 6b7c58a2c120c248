import type {
  Deal,
  DealAct,
  DealCounts,
  DealDetail,
  DealPipelinePage,
  DealPipelineQuery,
  DealStatus,
  ReviewStatus,
} from '#shared/schemas/deals.ts'
import { formatVehicle } from '#shared/format.ts'
import { conflict, notFound } from '#server/errors.ts'
import { cancelsCountedFrom, recordCancelledWins } from '#server/features/dealers/bidding.service.ts'
import { countCompletedDeal } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { setVehicleStatus } from '#server/features/sale/sale.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { decodeCursor, encodeCursor, TimeKey } from '#server/platform/http/page-cursors.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { listSignatures } from './deal-documents.repository.ts'
import { billOfSaleRefusal, issueDocuments } from './deal-documents.service.ts'
import { countPipeline, findDeals, listPipeline } from './deal-pipeline.repository.ts'
import { absentParties, readDeal, rejectedStep } from './deal-room.service.ts'
import { isParty, refusalOf, statusAfter, allowedActs } from './deals.policy.ts'
import {
  countCancelledWins,
  insertStep,
  listDeals,
  listDealsById,
  listPartners,
  lockDeal,
  lockOpenDeals,
  updateDealStatus,
  updateReview,
} from './deals.repository.ts'
import { toDeal } from './deals.rows.ts'
import { listOffersById } from './offers/offers.repository.ts'
import { toOffer } from './offers/offers.rows.ts'

const searchedWords = 8

export const dealsOf = async ({ db }: Pick<Context, 'db'>, dealerId: string): Promise<Deal[]> =>
  (await listDeals(db, dealerId)).map(toDeal)

const wordsOf = (q = ''): string[] => q.split(/\s+/).filter(Boolean).slice(0, searchedWords)

export const dealCounts = ({ db }: Pick<Context, 'db'>, dealerId: string, q?: string): Promise<DealCounts> =>
  countPipeline(db, { dealerId, words: wordsOf(q) })

/** Returns a page of deals and offers in one stage, most recently changed first. @throws 400 if the cursor is invalid */
export async function dealPipeline(
  { db }: Pick<Context, 'db'>,
  dealerId: string,
  { stage, q, limit, cursor }: DealPipelineQuery,
): Promise<DealPipelinePage> {
  const after = cursor === undefined ? undefined : decodeCursor(TimeKey, cursor)
  const rows = await listPipeline(db, { dealerId, words: wordsOf(q) }, { stage, limit: limit + 1, after })
  const page = rows.slice(0, limit)
  const idsOf = (wanted: 'deal' | 'offer') => page.flatMap(({ kind, id }) => (kind === wanted ? id : []))
  const [deals, offers] = await Promise.all([listDealsById(db, idsOf('deal')), listOffersById(db, idsOf('offer'))])
  const items = page.map(({ id, photo, next, waitsFor }) => {
    const [deal, offer] = [deals.find((one) => one.id === id), offers.find((one) => one.id === id)]
    return { deal: deal ? toDeal(deal) : null, offer: offer ? toOffer(offer) : null, photo, next, waitsFor }
  })
  const last = page.at(-1)
  return {
    items,
    nextCursor: rows.length > limit && last ? encodeCursor({ at: last.at, id: last.id }) : null,
  }
}

export async function searchDeals(
  { db }: Pick<Context, 'db'>,
  { dealerId }: Actor,
  text: string,
  limit: number,
): Promise<Deal[]> {
  const ids = await findDeals(db, { dealerId, words: wordsOf(text) }, limit)
  const deals = await listDealsById(db, ids)
  return ids.flatMap((dealId) => deals.filter(({ id }) => id === dealId).map(toDeal))
}

const mileageAsked = 'Enter the mileage so the mileage statement can be signed'

const noticeTitles: Record<DealStatus, string> = {
  pending: 'A deal is waiting for the seller',
  approved: 'Deal approved: sign the documents',
  cancelled: 'Deal cancelled',
  completed: 'Deal completed: leave a review',
}

/** Applies a new status to the deal's documents, vehicle, counters and timeline, and notifies both parties. */
export async function dealMoved(
  tx: Tx,
  emit: Emit,
  dealId: string,
  status: DealStatus,
  actorId: string,
): Promise<void> {
  const deal = await lockDeal(tx, dealId)
  if (deal === undefined) return
  const { sellerId, buyerId, postId, vehicleId } = deal
  if (status === 'approved') await issueDocuments(tx, emit, dealId)
  if (postId !== null && vehicleId !== null && status !== 'approved')
    await setVehicleStatus(tx, emit, { postId, vehicleId, status: status === 'completed' ? 'sold' : 'available' })
  if (status === 'completed') await countCompletedDeal(tx, [sellerId, buyerId])
  await insertStep(tx, { dealId, actorId, kind: status })
  await touchInbox(tx, emit, [sellerId, buyerId], 'deal', dealId)
  await emit('deal.changed', { dealId, sellerId, buyerId, status, actorId })
  const body = vehicleOf(deal)
  const title = noticeTitles[status]
  const notice = { kind: 'deal', title, body, path: `/deals/${dealId}`, actorId, despiteBlock: true } as const
  const key = `deal:${dealId}:${status}`
  const asked = status === 'approved' && deal.mileage === null
  await notify(
    tx,
    emit,
    { ...notice, dealerId: sellerId, key },
    { ...notice, dealerId: buyerId, key },
    // The seller gets this notice even though they approved the deal, because it asks them for the mileage.
    ...(asked
      ? [{ kind: notice.kind, title: mileageAsked, body, path: notice.path, dealerId: sellerId, key: `${key}:mileage` }]
      : []),
  )
}

/** @throws 404 unless the caller is a party to the deal; 409 with the reason if the party may not take this action now */
export async function actOnDeal(ctx: Context, actor: Actor, dealId: string, act: DealAct): Promise<DealDetail> {
  await ctx.transact(async (tx, emit) => {
    const deal = await lockDeal(tx, dealId)
    if (deal === undefined || !isParty(actor, deal)) throw notFound('This deal')
    const signatures = await listSignatures(tx, dealId)
    const billOfSale = (await billOfSaleRefusal(tx, actor.dealerId, deal, signatures)) === undefined
    const state = { ...deal, signatures, billOfSale, absent: await absentParties(tx, deal, ctx.now()) }
    if (!allowedActs(actor, state, true)[act]) throw conflict(refusalOf(act, actor, state))
    const status = statusAfter[act]
    await updateDealStatus(tx, dealId, status)
    await dealMoved(tx, emit, dealId, status, actor.dealerId)
    if (status === 'cancelled' && deal.source === 'auction' && actor.dealerId === deal.buyerId) {
      const since = await cancelsCountedFrom(tx, actor.dealerId, ctx.now())
      await recordCancelledWins(tx, emit, actor.dealerId, await countCancelledWins(tx, actor.dealerId, since))
    }
  })
  return readDeal(ctx, actor, dealId)
}

/**
 * Updates the open deals of a dealer in the other parties' tabs, because a suspended dealer changes what the other party can do. Call it in
 * the transaction that suspends or reinstates the dealer.
 */
export async function refreshOpenDeals(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  for (const { dealId, otherId } of await listPartners(tx, dealerId))
    await touchInbox(tx, emit, [otherId], 'deal', dealId)
}

/** Notifies the other parties of a deleted account's open deals that they can only cancel. The deals themselves do not change. */
export async function notifyOfDeletedParty(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  for (const deal of await lockOpenDeals(tx, dealerId)) {
    const otherId = deal.sellerId === dealerId ? deal.buyerId : deal.sellerId
    await touchInbox(tx, emit, [otherId], 'deal', deal.id)
    await notify(tx, emit, {
      dealerId: otherId,
      kind: 'deal',
      title: 'The other dealer in your deal is no longer on Lanewire',
      body: `${vehicleOf(deal)}: this deal can no longer be completed. Cancel it to close it.`,
      path: `/deals/${deal.id}`,
      key: `deal:${deal.id}:left`,
    })
  }
}

const vehicleOf = ({ year, make, model }: { year: number | null; make: string; model: string }): string =>
  formatVehicle({ year, make, model })

/** @throws 404 unless the caller is a party to the deal; 409 if the deal is over, or is already submitted and not rejected */
export async function submitForReview(ctx: Context, actor: Actor, dealId: string): Promise<DealDetail> {
  await ctx.transact(async (tx, emit) => {
    const deal = await lockDeal(tx, dealId)
    if (deal === undefined || !isParty(actor, deal)) throw notFound('This deal')
    const signatures = await listSignatures(tx, dealId)
    if (!allowedActs(actor, { ...deal, signatures, billOfSale: true, absent: [] }, true).submit)
      throw conflict(deal.reviewSubmittedAt === null ? 'This deal is over' : 'This deal has already been submitted')
    await updateReview(tx, dealId, { reviewStatus: 'pending', reviewReason: '' })
    await insertStep(tx, { dealId, actorId: actor.dealerId, kind: 'submitted' })
    await touchInbox(tx, emit, [deal.sellerId, deal.buyerId], 'deal', dealId)
  })
  return readDeal(ctx, actor, dealId)
}

const verdictTitles = { approved: 'Lanewire approved your deal', rejected: 'Lanewire rejected your deal' } as const

/** Returns the previous decision. @throws 404 if the deal does not exist; 409 if it is not submitted, over, or already decided this way */
export async function decideReview(
  tx: Tx,
  emit: Emit,
  dealId: string,
  { verdict, reason, actorId }: { verdict: 'approved' | 'rejected'; reason: string; actorId: string },
): Promise<ReviewStatus> {
  const deal = await lockDeal(tx, dealId)
  if (deal === undefined) throw notFound('This deal')
  const { sellerId, buyerId, status, reviewStatus } = deal
  if (deal.reviewSubmittedAt === null) throw conflict('This deal has not been submitted for review')
  if (status === 'completed' || status === 'cancelled')
    throw conflict('This deal is over, so it can no longer be approved or rejected')
  if (reviewStatus === verdict) throw conflict(`This deal is already ${verdict}`)
  await updateReview(tx, dealId, { reviewStatus: verdict, reviewReason: reason })
  await insertStep(tx, { dealId, actorId, kind: verdict === 'rejected' ? rejectedStep : 'review_approved' })
  await touchInbox(tx, emit, [sellerId, buyerId], 'deal', dealId)
  const body = [vehicleOf(deal), reason].filter(Boolean).join(': ')
  const key = `deal:${dealId}:review:${deal.version}`
  const notice = { kind: 'deal', title: verdictTitles[verdict], body, path: `/deals/${dealId}`, key } as const
  await notify(tx, emit, { ...notice, dealerId: sellerId }, { ...notice, dealerId: buyerId })
  return reviewStatus
}
