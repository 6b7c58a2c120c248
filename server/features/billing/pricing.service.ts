import type { AddOnEdit, AdminPricing, PlanEdit } from '#shared/schemas/billing.ts'
import { conflict, notFound } from '#server/errors.ts'
import { revenueOf } from '#server/features/admin/admin-overview.service.ts'
import { difference, recordAct, type By } from '#server/features/admin/audit.service.ts'
import { priceFor, type Offer, type OfferKind } from './billing.service.ts'
import type { Context } from '#server/platform/context.ts'
import { stated } from '#server/platform/fields.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { countActivePlans, lockAddOn, lockPlan, updateAddOn, updatePlan } from './billing.repository.ts'

/** Every plan and add-on, offered or not, with what its users pay now. */
export async function adminPricing(ctx: Context): Promise<AdminPricing> {
  const { plans, addOns, monthly, annual } = await revenueOf(ctx)
  return {
    plans: plans.map(({ users, ...plan }) => ({ ...plan, userCount: users })),
    addOns: addOns.map(({ users, ...addOn }) => ({ ...addOn, userCount: users })),
    monthlyRevenue: monthly,
    annualRevenue: annual,
  }
}

/** New subscribers pay the new price from now on. */
export async function editPlan(ctx: Context, by: By, id: string, { price, isActive }: PlanEdit): Promise<AdminPricing> {
  const plan = await ctx.transact(async (tx) => {
    const found = await lockPlan(tx, id)
    if (!found) throw notFound('This plan')
    const state = { price: dollarsOf(found.priceCents), isActive: found.active }
    const { before, after, changed } = difference(state, stated({ price, isActive }))
    if (changed) {
      if (isActive === false && found.active && (await countActivePlans(tx)) === 1)
        throw conflict('The last plan on offer cannot be switched off')
      await updatePlan(tx, id, { ...(after as PlanEdit) })
      await recordAct(tx, by, { action: 'plan.edit', subject: { kind: 'plan', id, name: found.name }, before, after })
    }
    return lockPlan(tx, id)
  })
  if (plan?.active && price !== undefined) await makePrice(ctx, plan, 'plan')
  return adminPricing(ctx)
}

/** Whoever buys makes the provider's price when it is first needed; making it here only saves the first the wait. */
async function makePrice(ctx: Context, offer: Offer, kind: OfferKind): Promise<void> {
  await priceFor(ctx, offer, kind).catch((error: unknown) =>
    ctx.log.warn({ err: error, offer: offer.id }, 'the new price is made later'),
  )
}

export async function editAddOn(
  ctx: Context,
  by: By,
  id: string,
  { price, description, isActive }: AddOnEdit,
): Promise<AdminPricing> {
  const addOn = await ctx.transact(async (tx) => {
    const found = await lockAddOn(tx, id)
    if (!found) throw notFound('This add-on')
    const state = { price: dollarsOf(found.priceCents), description: found.description, isActive: found.active }
    const { before, after, changed } = difference(state, stated({ price, description, isActive }))
    if (changed) {
      await updateAddOn(tx, id, after)
      await recordAct(tx, by, { action: 'addon.edit', subject: { kind: 'addon', id, name: found.name }, before, after })
    }
    return lockAddOn(tx, id)
  })
  if (addOn?.active && price !== undefined) await makePrice(ctx, addOn, 'addOn')
  return adminPricing(ctx)
}
