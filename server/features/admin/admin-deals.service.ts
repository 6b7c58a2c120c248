import type { AdminDeal, AdminDealsPage, AdminDealsQuery } from '#shared/schemas/admin.ts'
import { Id } from '#shared/values.ts'
import { notFound } from '#server/errors.ts'
import { recordAct, type By } from '#server/features/audit/audit.service.ts'
import { decideReview } from '#server/features/deals/deals.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { decodeCursor, encodeCursor } from '#server/platform/http/page-cursors.ts'
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

/** @throws the errors of {@link decideReview} */
export async function reviewDeal(
  ctx: Context,
  by: By,
  id: string,
  verdict: 'approved' | 'rejected',
  reason: string,
): Promise<AdminDeal> {
  const deal = await ctx.transact(async (tx, emit) => {
    const before = await decideReview(tx, emit, id, { verdict, reason, actorId: by.actor.dealerId })
    const found = await findAdminDeal(tx, id)
    if (!found) throw notFound('This deal')
    const name = `${found.vehicleInfo}: ${found.sellerName} to ${found.buyerName}`
    const action = verdict === 'approved' ? 'deal.approve' : 'deal.reject'
    await recordAct(tx, by, {
      action,
      subject: { kind: 'deal', id, name },
      reason,
      before: { review: before },
      after: { review: verdict },
    })
    return found
  })
  return toAdminDeal(deal)
}
