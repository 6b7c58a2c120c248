import { featuresOf } from '#shared/entitlements.ts'
import type { AdminOverview } from '#shared/schemas/admin.ts'
import type { Context } from '#server/platform/context.ts'
import { findCounts, listAddOnRevenue, listPlanRevenue } from './admin-overview.repository.ts'

const monthsPerYear = 12

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10)

/** Monthly revenue from plans and add-ons; annual is twelve times that. */
export async function revenueOf(ctx: Context) {
  const [plans, addOns] = await Promise.all([listPlanRevenue(ctx.db), listAddOnRevenue(ctx.db)])
  const monthly = [...plans, ...addOns].reduce((sum, { revenue }) => sum + revenue, 0)
  const withShare = <Row extends { revenue: number }>(row: Row) => ({ ...row, share: shareOf(row.revenue, monthly) })
  return {
    plans: plans.map((plan) => ({ ...withShare(plan), features: featuresOf(plan.id) })),
    addOns: addOns.map(withShare),
    monthly,
    annual: monthsPerYear * monthly,
  }
}

export async function adminOverview(ctx: Context): Promise<AdminOverview> {
  const [{ plans, addOns, monthly, annual }, counts] = await Promise.all([revenueOf(ctx), findCounts(ctx.db)])
  return {
    monthlyRevenue: monthly,
    annualRevenue: annual,
    subscribers: plans.reduce((sum, plan) => sum + plan.users, 0),
    gifts: plans.reduce((sum, plan) => sum + plan.gifts, 0),
    addOns: addOns.reduce((sum, addOn) => sum + addOn.users, 0),
    ...counts,
    distribution: [...plans, ...addOns].map(({ id, name, users, price, revenue, share }) => ({
      id,
      name,
      users,
      price,
      revenue,
      share,
    })),
  }
}
