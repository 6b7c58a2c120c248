import { type RawBuilder, sql } from 'kysely'
import { formatVehicle } from '#shared/format.ts'
import type { Dashboard, SalesAnalytics, SalesKind } from '#shared/schemas/dashboard.ts'
import type { DealStatus } from '#shared/schemas/deals.ts'
import type { Db } from '#server/platform/database/db.ts'
import { dollarsOf } from '#server/platform/money.ts'

const statusOf: Record<SalesKind, DealStatus> = { sold: 'completed', pending: 'pending', near: 'approved' }

export async function countDashboard(db: Db, dealerId: string, days: number): Promise<Dashboard> {
  const { rows } = await sql<Omit<Dashboard['activity'], 'days'> & Dashboard['sales']>`
    select
      (select count(*)::int from profile_views where dealer_id = ${dealerId} and day > current_date - ${days}::int)
        as "profileViews",
      (select count(*)::int from post_impressions seen join posts on posts.id = seen.post_id
        where posts.dealer_id = ${dealerId} and seen.day > current_date - ${days}::int) as "postImpressions",
      (select count(*)::int from connections
        where dealer_id = ${dealerId} and created_at > now() - make_interval(days => ${days}::int)) as "newConnections",
      count(*) filter (where status = 'completed')::int as sold,
      count(*) filter (where status = 'pending')::int as pending,
      count(*) filter (where status = 'approved')::int as near
    from deals where seller_id = ${dealerId}`.execute(db)
  const row = rows[0] ?? { profileViews: 0, postImpressions: 0, newConnections: 0, sold: 0, pending: 0, near: 0 }
  const { sold, pending, near, ...activity } = row
  return { activity: { days, ...activity }, sales: { sold, pending, near } }
}

export interface StartFacts {
  posted: boolean
  connected: number
  wanted: boolean
  traded: boolean
}

export async function readStart(db: Db, dealerId: string): Promise<StartFacts> {
  const { rows } = await sql<StartFacts>`
    select
      exists (select from posts p join vehicles v on v.post_id = p.id where p.dealer_id = ${dealerId} and v.vin is not null)
        as posted,
      (select count(*)::int from connections where dealer_id = ${dealerId}) as connected,
      exists (select from buy_orders where dealer_id = ${dealerId}) as wanted,
      exists (select from deals where ${dealerId} in (seller_id, buyer_id)) as traded`.execute(db)
  return rows[0] ?? { posted: false, connected: 0, wanted: false, traded: false }
}

type SalesFigures = Omit<SalesAnalytics, 'deals'>

/** Sums sales by month in the dealer's time zone: the month of completion for completed sales, and of the last change for others. */
export async function sumSales(db: Db, dealerId: string, kind: SalesKind, timeZone: string): Promise<SalesFigures> {
  const status = statusOf[kind]
  const local = (at: RawBuilder<unknown>) => sql`date_trunc('month', ${at} at time zone ${timeZone})`
  const thisMonth = local(sql`now()`)
  const [totals, months] = await Promise.all([
    db
      .selectFrom('deals')
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        sql<number>`coalesce(sum(price_cents), 0)::float8`.as('cents'),
      ])
      .where('sellerId', '=', dealerId)
      .where('status', '=', status)
      .executeTakeFirstOrThrow(),
    sql<{ month: string; count: number; cents: number }>`
      select to_char(m.month, 'YYYY-MM-DD') as month, count(deals.id)::int as count,
             coalesce(sum(deals.price_cents), 0)::float8 as cents
      from generate_series(${thisMonth} - interval '5 months', ${thisMonth}, '1 month')
             as m(month)
      left join deals on deals.seller_id = ${dealerId} and deals.status = ${status}
        and ${local(sql`coalesce(deals.completed_at, deals.updated_at)`)} = m.month
      group by m.month order by m.month`.execute(db),
  ])
  const count = Number(totals.count)
  const total = dollarsOf(totals.cents)
  return {
    count,
    total,
    average: count === 0 ? 0 : Math.round(total / count),
    months: months.rows.map((row) => ({ month: row.month, count: row.count, total: dollarsOf(row.cents) })),
  }
}

export async function listSales(
  db: Db,
  dealerId: string,
  kind: SalesKind,
  limit: number,
): Promise<SalesAnalytics['deals']> {
  const rows = await db
    .selectFrom('deals')
    .innerJoin('dealers as buyer', 'buyer.id', 'deals.buyerId')
    .select(['deals.id', 'deals.year', 'deals.make', 'deals.model', 'deals.priceCents', 'deals.updatedAt'])
    .select('buyer.name as buyerName')
    .where('deals.sellerId', '=', dealerId)
    .where('deals.status', '=', statusOf[kind])
    .orderBy('deals.updatedAt', 'desc')
    .orderBy('deals.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    vehicle: formatVehicle(row),
    price: dollarsOf(row.priceCents),
    buyerName: row.buyerName,
    updatedAt: row.updatedAt.toISOString(),
  }))
}
