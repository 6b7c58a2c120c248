import type { AdminDeal, AdminDealsPage, AdminDealsQuery } from '#shared/schemas/admin.ts'
import type { DealStatus } from '#shared/schemas/deals.ts'
import { Id } from '#shared/values.ts'
import { conflict, notFound } from '#server/errors.ts'
import { recordAct, type By } from './audit.service.ts'
import { dealMoved, lockDealStatus, storeVerdict } from '#server/features/deals/deals.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import { decodeCursor, encodeCursor } from '#server/platform/keyset.ts'
import { countByReview, dealsPageSize, findAdminDeal, listAdminDeals, toAdminDeal } from './admin-deals.repository.ts'

export async function adminDealsPage(ctx: Context, query: AdminDealsQuery): Promise<AdminDealsPage> {
  const [rows, counts] = await Promise.all([
    listAdminDeals(ctx.db, query, query.cursor ? decodeCursor(Id, query.cursor) : undefined),
    countByReview(ctx.db),
  ])
  const deals = rows.slice(0, dealsPageSize)
  const last = deals.at(-1)
  return {
    deals,
    counts: { ...counts, total: counts.pending + counts.approved + counts.rejected },
    nextCursor: rows.length > dealsPageSize && last ? encodeCursor(last.id) : null,
  }
}

/** What a verdict means for where the parties stand: an approval moves a waiting deal on, a rejection ends an open one. */
const outcome = {
  approved: (status: DealStatus): DealStatus => (status === 'pending' ? 'approved' : status),
  rejected: (status: DealStatus): DealStatus => (status === 'completed' ? status : 'cancelled'),
} as const

/** @throws 404, 409 when the deal has this verdict already or a completed deal would be rejected */
export async function reviewDeal(
  ctx: Context,
  by: By,
  id: string,
  verdict: 'approved' | 'rejected',
  reason: string,
): Promise<AdminDeal> {
  const deal = await ctx.transact(async (tx, emit) => {
    const status = await lockDealStatus(tx, id)
    const found = await findAdminDeal(tx, id)
    if (status === undefined || !found) throw notFound('This deal')
    if (found.reviewStatus === verdict) throw conflict(`This deal is already ${verdict}`)
    if (verdict === 'rejected' && status === 'completed') throw conflict('A completed deal can no longer be rejected')
    const next = outcome[verdict](status)
    await storeVerdict(tx, id, { reviewStatus: verdict, reviewReason: reason, status: next })
    const subject = { kind: 'deal', id, name: `${found.vehicleInfo}: ${found.sellerName} to ${found.buyerName}` }
    const action = verdict === 'approved' ? 'deal.approve' : 'deal.reject'
    await recordAct(tx, by, {
      action,
      subject,
      reason,
      before: { review: found.reviewStatus, status },
      after: { review: verdict, status: next },
    })
    if (next !== status)
      await dealMoved(tx, emit, id, next, by.actor.dealerId, verdict === 'rejected' ? reason : undefined)
    else await touchInbox(tx, emit, [found.buyerId, found.sellerId], 'deal', id)
    return findAdminDeal(tx, id)
  })
  if (!deal) throw notFound('This deal')
  return toAdminDeal(deal)
}
