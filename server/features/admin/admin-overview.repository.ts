import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import { centsPerDollar } from '#server/platform/money.ts'

export async function findCounts(db: Db) {
  const { rows } = await sql<{
    dealers: number
    pendingDeals: number
    refundedThisMonth: number
    activePromotions: number
    unverifiedLicenses: number
    waitingAccounts: number
    openReports: number
    waitingMessages: number
  }>`
    select (select count(*)::int from dealers where deleted_at is null and role = 'dealer') as dealers,
           (select count(*)::int from deals where review_submitted_at is not null and review_status = 'pending'
             and status in ('pending', 'approved')) as "pendingDeals",
           (select coalesce(sum(amount_cents), 0) / ${centsPerDollar}::float8 from refunds
             where done_at >= date_trunc('month', now() at time zone 'utc') at time zone 'utc') as "refundedThisMonth",
           (select count(*)::int from promotions where is_active and (now() at time zone 'utc')::date between start_date and end_date) as "activePromotions",
           (select count(*)::int from dealers where license_submitted_at is not null and license_verified_at is null
             and license_rejected_at is null and deleted_at is null) as "unverifiedLicenses",
           (select count(*)::int from dealers where waiting_since is not null and declined_at is null
             and deleted_at is null) as "waitingAccounts",
           (select count(distinct (subject_kind, subject_id))::int from reports where decided_at is null) as "openReports",
           (select count(*)::int from contact_messages where handled_at is null) as "waitingMessages"`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('a query without a table always answers one row')
  return counts
}
