import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import { centsPerDollar } from '#server/platform/money.ts'

/** The dealer pays for the plan or owes an open invoice. Excludes trials and complimentary plans. */
const paying = sql`status in ('active', 'past_due', 'unpaid') and stripe_id is not null`
const gifted = sql`status in ('active', 'past_due', 'unpaid', 'trialing') and stripe_id is null`

/** Returns each plan's revenue, based on the prices that its subscribers actually pay. */
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
           count(paid.id)::int as users, (select count(*)::int from subscriptions where plan_id = plans.id and ${gifted}) as gifts,
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
