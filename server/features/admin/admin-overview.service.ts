import type { AdminOverview } from '#shared/schemas/admin.ts'
import { revenueOf } from '#server/features/billing/revenue.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { findCounts } from './admin-overview.repository.ts'

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
