import type { AdminOverview } from '#shared/schemas/admin.ts'
import type { Context } from '#server/platform/context.ts'
import { findCounts, listPlanRevenue } from './admin-overview.repository.ts'

const monthsPerYear = 12

/** Percent with one decimal (spec B §9). */
const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10)

/** Monthly is what all plans' users pay; annual is 12 times monthly (spec B §9). */
export async function planRevenue(ctx: Context) {
  const rows = await listPlanRevenue(ctx.db)
  const monthly = rows.reduce((sum, plan) => sum + plan.revenue, 0)
  const plans = rows.map((plan) => ({ ...plan, share: shareOf(plan.revenue, monthly) }))
  return { plans, monthly, annual: monthsPerYear * monthly }
}

export async function adminOverview(ctx: Context): Promise<AdminOverview> {
  const [{ plans, monthly, annual }, counts] = await Promise.all([planRevenue(ctx), findCounts(ctx.db)])
  return {
    monthlyRevenue: monthly,
    annualRevenue: annual,
    subscribers: plans.reduce((sum, plan) => sum + plan.users, 0),
    ...counts,
    distribution: plans.map(({ id, name, users, price, revenue, share }) => ({
      id,
      name,
      users,
      price,
      revenue,
      share,
    })),
  }
}
