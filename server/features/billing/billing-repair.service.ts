import type Stripe from 'stripe'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import { cancelSubscription } from './billing-changes.service.ts'
import { asAbsent, isMissing } from './billing-refusals.ts'
import {
  findBillingCustomer,
  findLiveSubscription,
  replaceBillingCustomer,
  updateLostSubscription,
} from './billing.repository.ts'
import { usesStandin } from './billing.service.ts'

/**
 * Does what asks the provider about this dealer. Where the provider no longer knows what we have on record (the
 * stand-in's data was deleted, the keys are another account's), the record is put right and it is done once more.
 */
export async function withStripeRepair<T>(ctx: Context, dealerId: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!isMissing(error) || !(await putRight(ctx, dealerId))) throw error
    return act()
  }
}

/**
 * A lost customer is made anew. A lost subscription has ended; beside the stand-in it becomes complimentary instead,
 * and a job pays for it again, so that a demo goes on as it was.
 */
async function putRight(ctx: Context, dealerId: string): Promise<boolean> {
  const [customerId, live, dealer] = await Promise.all([
    findBillingCustomer(ctx.db, dealerId),
    findLiveSubscription(ctx.db, dealerId),
    findDealer(ctx.db, dealerId),
  ])
  const customerLost = customerId !== undefined && (await isLost(ctx.stripe.customers.retrieve(customerId)))
  const subscriptionId = live?.stripeId ?? undefined
  const planLost = subscriptionId !== undefined && (await isLost(ctx.stripe.subscriptions.retrieve(subscriptionId)))
  if (!dealer || (!customerLost && !planLost)) return false
  ctx.log.warn({ dealerId, customerLost, planLost }, 'the payment provider has lost what is on record')
  const made = customerLost
    ? await ctx.stripe.customers.create(
        { email: dealer.email, metadata: { dealer: dealerId } },
        { idempotencyKey: `customer:${dealerId}:after:${customerId}` },
      )
    : undefined
  const standin = usesStandin(ctx.config)
  await ctx.transact(async (tx, emit) => {
    if (made) await replaceBillingCustomer(tx, dealerId, made.id)
    if (!live || !planLost) return
    await updateLostSubscription(tx, live.id, standin)
    if (standin) await emit.job('billing.demoPlan', { dealerId }, { uniqueKey: dealerId })
    await touchInbox(tx, emit, [dealerId], 'subscription', live.id)
  })
  return true
}

async function isLost(asked: Promise<Stripe.Customer | Stripe.DeletedCustomer | Stripe.Subscription>) {
  const found = await asked.catch(asAbsent)
  return found === undefined || ('deleted' in found && found.deleted)
}

/** An account that goes away is not charged again. */
export async function cancelOnLeaving(ctx: Context, dealerId: string): Promise<void> {
  if (!(await findLiveSubscription(ctx.db, dealerId))) return
  await withStripeRepair(ctx, dealerId, () => cancelSubscription(ctx, dealerId))
}
