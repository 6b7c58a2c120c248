import type { AbsentParty, DealDetail, DealStatus } from '#shared/schemas/deals.ts'
import { nextActOf } from '#shared/deal-rules.ts'
import { notFound } from '#server/errors.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import { chatBetween } from '#server/features/messaging/chats.service.ts'
import type { Db } from '#server/platform/database/db.ts'
import { isSuspendedAt } from '#server/platform/database/suspension.ts'
import type { Context } from '#server/platform/process/context.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { listDocuments, listSignatures } from './deal-documents.repository.ts'
import { billOfSaleRefusal, partiesWithoutLicense } from './deal-documents.service.ts'
import { isOpen, isParty, maySee, type Parties, allowedActs } from './deals.policy.ts'
import { findDeal, findPhoto, hasReviewed, listSteps } from './deals.repository.ts'
import { toDeal, toDealDocument, toReview, toSignature } from './deals.rows.ts'

/** Lists the parties who cannot act because their account is suspended or deleted. */
export async function absentParties(db: Db, { sellerId, buyerId }: Parties, now: Date): Promise<AbsentParty[]> {
  const absent: AbsentParty[] = []
  for (const [side, id] of [
    ['seller', sellerId],
    ['buyer', buyerId],
  ] as const) {
    const dealer = await findDealer(db, id)
    if (dealer === undefined) absent.push({ side, is: 'deleted' })
    else if (isSuspendedAt(dealer, now)) absent.push({ side, is: 'unavailable' })
  }
  return absent
}

/** @throws 404 unless the caller is a party or an admin */
export async function readDeal(ctx: Context, actor: Actor, dealId: string): Promise<DealDetail> {
  const { db } = ctx
  const deal = await findDeal(db, dealId)
  if (deal === undefined || !maySee(actor, deal)) throw notFound('This deal')
  const [steps, documents, signatures, reviewed, absent, photo] = await Promise.all([
    listSteps(db, dealId),
    listDocuments(db, dealId),
    listSignatures(db, dealId),
    hasReviewed(db, dealId, actor.dealerId),
    absentParties(db, deal, ctx.now()),
    findPhoto(db, dealId),
  ])
  const review = toReview(deal)
  // The deal stores the reason of only the last rejection.
  const lastRejection = steps.findLast(({ kind }) => kind === rejectedStep)
  const otherId = isParty(actor, deal) ? otherOf(deal, actor.dealerId) : undefined
  const [refusal, withoutLicense, chatId] = await Promise.all([
    billOfSaleRefusal(db, actor.dealerId, deal, signatures),
    partiesWithoutLicense(db, deal),
    otherId === undefined ? null : chatBetween(db, actor.dealerId, otherId),
  ])
  const state = { ...deal, signatures, billOfSale: refusal === undefined, absent }
  return {
    ...toDeal(deal),
    trim: deal.trim,
    mileage: deal.mileage,
    color: deal.color,
    source: deal.source,
    photo,
    waitsFor: otherId !== undefined && isOpen(deal) ? nextActOfOther(otherId, state) : null,
    absent,
    chatId,
    review,
    steps: steps.map((step) => ({
      kind: step.kind,
      amount: step.amountCents === null ? null : dollarsOf(step.amountCents),
      at: step.at.toISOString(),
      by: step.name,
      note: step === lastRejection && review?.status === 'rejected' ? review.reason : null,
    })),
    documents: documents.map(toDealDocument),
    signatures: signatures.map(toSignature),
    billOfSaleNeeds: refusal?.message ?? null,
    withoutLicense,
    may: allowedActs(actor, state, reviewed),
  }
}

const otherOf = ({ sellerId, buyerId }: Parties, dealerId: string) => (dealerId === sellerId ? buyerId : sellerId)

const nextActOfOther = (dealerId: string, deal: Parameters<typeof allowedActs>[1] & { status: DealStatus }) =>
  nextActOf({ status: deal.status, may: allowedActs({ dealerId }, deal, true) })

export const rejectedStep = 'review_rejected'
