import { sql } from 'kysely'
import type { AdminDeal, AdminDealsQuery, ReviewStatus } from '#shared/schemas/admin.ts'
import type { Db } from '#server/platform/db.ts'
import { containing } from '#server/platform/like.ts'
import { dollarsOf } from '#server/platform/money.ts'

export const dealsPageSize = 50

const vehicleInfo = sql<string>`trim(concat_ws(' ', deals.year, deals.make, deals.model))`

/** What the parties have finished or called off by themselves no longer waits for a review. */
const reviewStatus = sql<ReviewStatus>`case
  when deals.review_status <> 'pending' then deals.review_status
  when deals.status = 'completed' then 'approved'
  when deals.status = 'cancelled' then 'rejected'
  else 'pending' end`

function selectDeals(db: Db) {
  return db
    .selectFrom('deals')
    .innerJoin('dealers as buyer', 'buyer.id', 'deals.buyerId')
    .innerJoin('dealers as seller', 'seller.id', 'deals.sellerId')
    .select([
      'deals.id',
      'deals.vin',
      'deals.priceCents',
      'deals.createdAt',
      'deals.status',
      'deals.notes',
      reviewStatus.as('reviewStatus'),
      'deals.reviewReason',
      'deals.reviewedAt',
      'deals.buyerId',
      'deals.sellerId',
      'buyer.name as buyerName',
      'seller.name as sellerName',
      vehicleInfo.as('vehicleInfo'),
    ])
}
type Row = Awaited<ReturnType<ReturnType<typeof selectDeals>['executeTakeFirstOrThrow']>>

export function toAdminDeal(row: Row): AdminDeal {
  return {
    id: row.id,
    buyerName: row.buyerName,
    sellerName: row.sellerName,
    vehicleInfo: row.vehicleInfo,
    vin: row.vin,
    price: dollarsOf(row.priceCents),
    submittedDate: row.createdAt.toISOString(),
    status: row.reviewStatus,
    dealStatus: row.status,
    notes: row.notes,
    reviewReason: row.reviewReason,
    reviewedAt: row.reviewedAt?.toISOString() ?? null,
  }
}

/** Newest first; `q` finds buyer, seller or vehicle without regard to case. One more than a page. */
export async function listAdminDeals(
  db: Db,
  { q, status }: AdminDealsQuery,
  before: string | undefined,
): Promise<AdminDeal[]> {
  let query = selectDeals(db)
  if (status) query = query.where(reviewStatus, '=', status)
  if (before) query = query.where('deals.id', '<', before)
  if (q?.trim()) {
    const like = containing(q.trim())
    query = query.where((eb) =>
      eb.or([eb('buyer.name', 'ilike', like), eb('seller.name', 'ilike', like), eb(vehicleInfo, 'ilike', like)]),
    )
  }
  const rows = await query
    .orderBy('deals.id', 'desc')
    .limit(dealsPageSize + 1)
    .execute()
  return rows.map(toAdminDeal)
}

/** Of all deals, whatever is searched for. */
export async function countByReview(db: Db): Promise<Record<ReviewStatus, number>> {
  const rows = await db
    .selectFrom('deals')
    .select((eb) => [reviewStatus.as('reviewStatus'), eb.fn.countAll<number>().as('count')] as const)
    .groupBy(reviewStatus)
    .execute()
  const counts = Object.fromEntries(rows.map((row) => [row.reviewStatus, row.count]))
  return { pending: counts['pending'] ?? 0, approved: counts['approved'] ?? 0, rejected: counts['rejected'] ?? 0 }
}

export async function findAdminDeal(db: Db, id: string) {
  return selectDeals(db).where('deals.id', '=', id).executeTakeFirst()
}
