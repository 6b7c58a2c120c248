import { sql } from 'kysely'
import type { AdminDeal, AdminDealsQuery } from '#shared/schemas/admin.ts'
import type { ReviewStatus } from '#shared/schemas/deals.ts'
import type { Db } from '#server/platform/database/db.ts'
import { containing } from '#server/platform/database/like-patterns.ts'
import { dollarsOf } from '#server/platform/money.ts'

export const dealsPageSize = 50

const vehicleInfo = sql<string>`trim(concat_ws(' ', deals.year, deals.make, deals.model))`

const isListed = sql<boolean>`(deals.review_submitted_at is not null
  and (deals.review_status <> 'pending' or deals.status in ('pending', 'approved')))`

function selectDeals(db: Db) {
  return db
    .selectFrom('deals')
    .innerJoin('dealers as buyer', 'buyer.id', 'deals.buyerId')
    .innerJoin('dealers as seller', 'seller.id', 'deals.sellerId')
    .select([
      'deals.id',
      'deals.vin',
      'deals.priceCents',
      'deals.buyFeeCents',
      'deals.createdAt',
      'deals.reviewSubmittedAt',
      'deals.status',
      'deals.notes',
      'deals.reviewStatus',
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
    buyerId: row.buyerId,
    buyerName: row.buyerName,
    sellerId: row.sellerId,
    sellerName: row.sellerName,
    vehicleInfo: row.vehicleInfo,
    vin: row.vin,
    price: dollarsOf(row.priceCents),
    ...(row.buyFeeCents > 0 && { buyFee: dollarsOf(row.buyFeeCents) }),
    submittedDate: (row.reviewSubmittedAt ?? row.createdAt).toISOString(),
    status: row.reviewStatus,
    dealStatus: row.status,
    notes: row.notes,
    reviewReason: row.reviewReason,
    reviewedAt: row.reviewedAt?.toISOString() ?? null,
  }
}

/** Returns up to one more deal than fits on a page, which shows whether there is a next page. `q` searches buyer, seller and vehicle. */
export async function listAdminDeals(
  db: Db,
  { q, status }: AdminDealsQuery,
  before: string | undefined,
): Promise<AdminDeal[]> {
  let query = selectDeals(db).where(isListed)
  if (status) query = query.where('deals.reviewStatus', '=', status)
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

export async function countByReview(db: Db): Promise<Record<ReviewStatus, number>> {
  const rows = await db
    .selectFrom('deals')
    .select((eb) => ['reviewStatus', eb.fn.countAll<number>().as('count')] as const)
    .where(isListed)
    .groupBy('reviewStatus')
    .execute()
  const counts = Object.fromEntries(rows.map((row) => [row.reviewStatus, row.count]))
  return { pending: counts['pending'] ?? 0, approved: counts['approved'] ?? 0, rejected: counts['rejected'] ?? 0 }
}

export async function findAdminDeal(db: Db, id: string) {
  return selectDeals(db).where('deals.id', '=', id).executeTakeFirst()
}
