import { sql } from 'kysely'
import type { Db } from '#server/platform/db.ts'
import { centsPerDollar } from '#server/platform/money.ts'

/** Pays now or owes an open invoice. Trials and given plans do not count. */
const paying = sql`status in ('active', 'past_due', 'unpaid') and stripe_id is not null`
const given = sql`status in ('active', 'past_due', 'unpaid', 'trialing') and stripe_id is null`

/** What subscribers of each plan actually pay. Price changes apply only to new subscriptions. */
export async function listPlanRevenue(db: Db) {
  const { rows } = await sql<{
    id: string
    name: string
    price: number
    users: number
    gifts: number
    revenue: number
    isActive: boolean
  }>`
    select plans.id, plans.name, plans.price_cents / ${centsPerDollar}::float8 as price, plans.active as "isActive",
           count(paid.id)::int as users, (select count(*)::int from subscriptions where plan_id = plans.id and ${given}) as gifts,
           coalesce(sum(paid.price_cents), 0) / ${centsPerDollar}::float8 as revenue
    from plans left join (select * from subscriptions where ${paying}) paid on paid.plan_id = plans.id
    group by plans.id order by plans.position`.execute(db)
  return rows
}

export async function listAddOnRevenue(db: Db) {
  const { rows } = await sql<{
    id: string
    name: string
    description: string
    price: number
    isActive: boolean
    users: number
    revenue: number
  }>`
    select add_ons.id, add_ons.name, add_ons.description, add_ons.price_cents / ${centsPerDollar}::float8 as price,
           add_ons.active as "isActive", count(paid.price_cents)::int as users,
           coalesce(sum(paid.price_cents), 0) / ${centsPerDollar}::float8 as revenue
    from add_ons left join (
      select held.add_on_id, held.price_cents from subscription_add_ons held
      join subscriptions on subscriptions.id = held.subscription_id and ${paying}) paid on paid.add_on_id = add_ons.id
    group by add_ons.id order by add_ons.id`.execute(db)
  return rows
}

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
