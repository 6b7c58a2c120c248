import { featuresOf } from '#shared/entitlements.ts'
import type { Context } from '#server/platform/process/context.ts'
import { listAddOnRevenue, listPlanRevenue } from './revenue.repository.ts'

const monthsPerYear = 12

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10)

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
