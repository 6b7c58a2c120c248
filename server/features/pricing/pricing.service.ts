import type { AddOnEdit, AdminPricing, PlanEdit } from '#shared/schemas/pricing.ts'
import { conflict, notFound } from '#server/errors.ts'
import { planRevenue } from '#server/features/admin/admin-overview.service.ts'
import { difference, recordAct, type By } from '#server/features/audit/audit.service.ts'
import { priceFor } from '#server/features/billing/billing-catalog.service.ts'
import { toDollars } from '#server/features/billing/billing.service.ts'
import type { Context } from '#server/platform/context.ts'
import { countActivePlans, listAddOns, lockAddOn, lockPlan, updateAddOn, updatePlan } from './pricing.repository.ts'

/** Every plan and add-on, offered or not, with what its users pay now. */
export async function adminPricing(ctx: Context): Promise<AdminPricing> {
  const [revenue, addOns] = await Promise.all([planRevenue(ctx), listAddOns(ctx.db)])
  return {
    plans: revenue.plans.map(({ users, ...plan }) => ({ ...plan, userCount: users })),
    addOns: addOns.map(({ id, name, priceCents, description, active }) => ({
      id,
      name,
      price: toDollars(priceCents),
      description,
      isActive: active,
      // Nobody can buy an add-on yet, so nobody has one.
      userCount: 0,
    })),
    monthlyRevenue: revenue.monthly,
    annualRevenue: revenue.annual,
  }
}

function wantedOf<T extends object>(input: T): Partial<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** New subscribers pay the new price from now on. */
export async function editPlan(
  ctx: Context,
  by: By,
  id: string,
  { price, features, isActive }: PlanEdit,
): Promise<AdminPricing> {
  const plan = await ctx.transact(async (tx) => {
    const found = await lockPlan(tx, id)
    if (!found) throw notFound('This plan')
    const state = { price: toDollars(found.priceCents), features: found.features, isActive: found.active }
    const { before, after, changed } = difference(state, wantedOf({ price, features, isActive }))
    if (changed) {
      if (isActive === false && found.active && (await countActivePlans(tx)) === 1)
        throw conflict('The last plan on offer cannot be switched off')
      await updatePlan(tx, id, { ...(after as PlanEdit) })
      await recordAct(tx, by, { action: 'plan.edit', subject: { kind: 'plan', id, name: found.name }, before, after })
    }
    return lockPlan(tx, id)
  })
  if (plan?.active && price !== undefined) {
    // Checkout makes the provider's price when it is first needed; making it here only saves that subscriber the wait.
    await priceFor(ctx, plan).catch((error: unknown) =>
      ctx.log.warn({ err: error, plan: id }, 'the new price is made later'),
    )
  }
  return adminPricing(ctx)
}

export async function editAddOn(
  ctx: Context,
  by: By,
  id: string,
  { price, description, isActive }: AddOnEdit,
): Promise<AdminPricing> {
  await ctx.transact(async (tx) => {
    const found = await lockAddOn(tx, id)
    if (!found) throw notFound('This add-on')
    const state = { price: toDollars(found.priceCents), description: found.description, isActive: found.active }
    const { before, after, changed } = difference(state, wantedOf({ price, description, isActive }))
    if (!changed) return
    await updateAddOn(tx, id, after as AddOnEdit)
    await recordAct(tx, by, { action: 'addon.edit', subject: { kind: 'addon', id, name: found.name }, before, after })
  })
  return adminPricing(ctx)
}
