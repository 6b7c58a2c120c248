import type Stripe from 'stripe'
import { AppError, conflict, notFound } from '#server/errors.ts'
import { findDealer } from '#server/features/dealers/dealers.repository.ts'
import type { Context } from '#server/platform/context.ts'
import { priceFor } from './billing-catalog.service.ts'
import { syncCustomer } from './billing-sync.service.ts'
import { findBillingCustomer, findLiveSubscription, findPlan, insertBillingCustomer } from './billing.repository.ts'

const withSecret = ['data.latest_invoice.confirmation_secret']

/**
 * What the dealer has to pay to be on this plan: the open first invoice, made now or found from an earlier try, or the
 * invoice of a renewal that failed.
 * @returns the client secret that the payment form confirms
 * @throws 409 when a paid subscription is already there
 */
export async function getOrCreateSubscription(ctx: Context, dealerId: string, planId: string): Promise<string> {
  const plan = await findPlan(ctx.db, planId)
  if (!plan?.active) throw notFound('This plan')
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (live && live.stripeId !== null && live.status === 'active') throw conflict('You already have a subscription')
  const customerId = await customerFor(ctx, dealerId)
  const { data } = await ctx.stripe.subscriptions.list({
    customer: customerId,
    status: 'all',
    limit: 20,
    expand: withSecret,
  })
  // Our own copy may lag behind: a second press must not become a second charge.
  if (data.some(({ status }) => status === 'active' || status === 'trialing')) {
    await syncCustomer(ctx, customerId)
    throw conflict('You already have a subscription')
  }
  const owed = data.find(({ status }) => status === 'past_due' || status === 'unpaid')
  if (owed) return secretOf(owed)
  const price = await priceFor(ctx, plan)
  const open = data.filter(({ status }) => status === 'incomplete')
  const same = open.find(({ items }) => items.data.some((item) => item.price.id === price))
  if (same) return secretOf(same)
  const created = await createSubscription(ctx, { customerId, dealerId, price, previous: data[0]?.id ?? 'first' })
  // Only one invoice may wait for payment, or two tabs could pay for two plans.
  for (const { id } of open) await ctx.stripe.subscriptions.cancel(id)
  return created
}

/** Keyed by what came before: a double click is one subscription, a later try after a lapse is a new one. */
async function createSubscription(
  ctx: Context,
  order: { customerId: string; dealerId: string; price: string; previous: string },
): Promise<string> {
  const subscription = await ctx.stripe.subscriptions.create(
    {
      customer: order.customerId,
      items: [{ price: order.price }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      metadata: { dealer: order.dealerId },
      expand: ['latest_invoice.confirmation_secret'],
    },
    { idempotencyKey: `subscribe:${order.dealerId}:${order.price}:${order.previous}` },
  )
  return secretOf(subscription)
}

function secretOf({ latest_invoice: invoice }: Stripe.Subscription): string {
  const secret = typeof invoice === 'object' ? invoice?.confirmation_secret?.client_secret : undefined
  if (secret === undefined)
    throw new AppError(502, 'unavailable', 'The payment provider did not answer with an invoice')
  return secret
}

/** The dealer's customer at the provider, made on first use; the key keeps two requests from making two. */
async function customerFor(ctx: Context, dealerId: string): Promise<string> {
  const known = await findBillingCustomer(ctx.db, dealerId)
  if (known !== undefined) return known
  const dealer = await findDealer(ctx.db, dealerId)
  if (!dealer) throw notFound('Your account')
  const customer = await ctx.stripe.customers.create(
    { email: dealer.email, metadata: { dealer: dealerId } },
    { idempotencyKey: `customer:${dealerId}` },
  )
  await insertBillingCustomer(ctx.db, dealerId, customer.id)
  return (await findBillingCustomer(ctx.db, dealerId)) ?? customer.id
}
