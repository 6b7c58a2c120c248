import { suitsPlan } from '#shared/entitlements.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { addAddOn, previewAddOn } from './billing-changes.service.ts'
import { confirmPayment, getOrCreateSubscription } from './billing-checkout.service.ts'
import { findLiveSubscription, insertComplimentary, listHeldAddOns } from './billing.repository.ts'
import { usesStandin } from './billing.service.ts'

const demoCard = { cardNumber: '4242 4242 4242 4242', expiryDate: '12 / 34', cvv: '123' }
const monthMs = 30 * 24 * 3_600_000

/** A demo account starts with a plan at once; a job then pays for it at the stand-in. */
export async function giveDemoPlan(tx: Db, emit: Emit, dealerId: string, now: Date): Promise<void> {
  await insertComplimentary(tx, [{ dealerId, planId: 'premium', currentPeriodEnd: new Date(now.getTime() + monthMs) }])
  await emit.job('billing.demoPlan', { dealerId }, { uniqueKey: dealerId })
}

/** Asks for the paid plan of a demo account that has only a complimentary one. */
export async function upgradeDemoPlan(ctx: Context, dealerId: string): Promise<void> {
  if (!usesStandin(ctx.config)) return
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (live?.stripeId !== null) return
  await ctx.transact(async (_tx, emit) => emit.job('billing.demoPlan', { dealerId }, { uniqueKey: dealerId }))
}

/**
 * Pays for the complimentary plan and its add-ons through the same calls that a person makes, so that the plan page has an invoice and
 * a card. Without the stand-in there is nothing to pay with and the plan stays complimentary.
 */
export async function payDemoPlan(ctx: Context, dealerId: string): Promise<void> {
  if (!usesStandin(ctx.config)) return
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (live?.stripeId !== null || live.cancelAtPeriodEnd || live.givenUntil !== null) return
  const addOns = await listHeldAddOns(ctx.db, live.id)
  const clientSecret = await getOrCreateSubscription(ctx, dealerId, live.planId)
  const cardholderName = (await findDealer(ctx.db, dealerId))?.name || 'Demo Dealer'
  await confirmPayment(ctx, dealerId, { clientSecret, paymentInfo: { ...demoCard, cardholderName } })
  for (const { id } of addOns.filter((addOn) => suitsPlan(addOn.id, live.planId)))
    await addAddOn(ctx, dealerId, id, await previewAddOn(ctx, dealerId, id))
}
