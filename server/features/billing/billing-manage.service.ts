import type Stripe from 'stripe'
import type { BillingOverview, ChangePreview, Invoice, MySubscription, PlanChange } from '#shared/schemas/billing.ts'
import { conflict, notFound, paymentRequired } from '#server/errors.ts'
import { touchInbox } from '#server/features/inbox/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import { priceFor } from './billing-catalog.service.ts'
import { notifyOfChange } from './billing-notices.service.ts'
import { asRefusal } from './billing-refusals.ts'
import {
  findBillingCustomer,
  findLiveSubscription,
  findPlan,
  updateComplimentaryCancel,
  type LiveSubscription,
} from './billing.repository.ts'
import { mySubscription, toDollars } from './billing.service.ts'
import { syncCustomer } from './billing-sync.service.ts'

const invoicesShown = 24

/** Runs to the end of the paid period and can be resumed until then. */
export async function cancelSubscription(ctx: Context, dealerId: string): Promise<MySubscription> {
  return setCancel(ctx, dealerId, true)
}

export async function resumeSubscription(ctx: Context, dealerId: string): Promise<MySubscription> {
  return setCancel(ctx, dealerId, false)
}

async function setCancel(ctx: Context, dealerId: string, cancel: boolean): Promise<MySubscription> {
  const live = await requireLive(ctx, dealerId)
  if (live.stripeId === null) {
    await ctx.transact(async (tx, emit) => {
      await updateComplimentaryCancel(tx, dealerId, cancel)
      await touchInbox(tx, emit, [dealerId], 'subscription', live.id)
      await notifyOfChange(tx, emit, dealerId, { before: live, after: { ...live, cancelAtPeriodEnd: cancel } })
    })
  } else {
    await ctx.stripe.subscriptions.update(live.stripeId, { cancel_at_period_end: cancel })
    await syncDealer(ctx, dealerId)
  }
  return mySubscription(ctx, dealerId)
}

/** Asks the provider how things stand, for a browser that comes back from its pages (`success=true` proves nothing). */
export async function refreshSubscription(ctx: Context, dealerId: string): Promise<MySubscription> {
  await syncDealer(ctx, dealerId)
  return mySubscription(ctx, dealerId)
}

export async function previewChange(ctx: Context, dealerId: string, planId: string): Promise<ChangePreview> {
  const { plan, item, stripeId, price } = await planned(ctx, dealerId, planId)
  const prorationDate = Math.max(Math.floor(ctx.now().getTime() / 1000), item.current_period_start)
  const invoice = await ctx.stripe.invoices.createPreview({
    subscription: stripeId,
    subscription_details: {
      items: [{ id: item.id, price }],
      proration_behavior: 'always_invoice',
      proration_date: prorationDate,
    },
  })
  return {
    planId: plan.id,
    planName: plan.name,
    dueNow: toDollars(invoice.amount_due),
    credit: toDollars(Math.max(0, -invoice.total)),
    newPrice: toDollars(plan.priceCents),
    lines: invoice.lines.data.map(({ description, amount }) => ({
      description: description ?? '',
      amount: toDollars(amount),
    })),
    prorationDate,
  }
}

/** Charged at once; when the card refuses, the plan stays as it was. @throws 402 with the provider's message */
export async function changePlan(
  ctx: Context,
  dealerId: string,
  { planId, prorationDate }: PlanChange,
): Promise<MySubscription> {
  const { item, stripeId, price } = await planned(ctx, dealerId, planId)
  await ctx.stripe.subscriptions
    .update(
      stripeId,
      {
        items: [{ id: item.id, price }],
        proration_behavior: 'always_invoice',
        proration_date: prorationDate,
        payment_behavior: 'error_if_incomplete',
      },
      { idempotencyKey: `change:${stripeId}:${item.price.id}:${price}:${prorationDate}` },
    )
    .catch(asRefusal)
  await syncDealer(ctx, dealerId)
  return mySubscription(ctx, dealerId)
}

async function planned(ctx: Context, dealerId: string, planId: string) {
  const plan = await findPlan(ctx.db, planId)
  if (!plan?.active) throw notFound('This plan')
  const live = await requireLive(ctx, dealerId)
  if (live.stripeId === null) throw conflict('Your complimentary plan is replaced by subscribing to the new one')
  if (live.status !== 'active') throw paymentRequired('Pay the open invoice before you change your plan')
  if (live.planId === planId) throw conflict('This is your current plan')
  const subscription = await ctx.stripe.subscriptions.retrieve(live.stripeId)
  const [item] = subscription.items.data
  if (!item) throw notFound('Your subscription')
  return { plan, item, stripeId: live.stripeId, price: await priceFor(ctx, plan) }
}

export async function billingOverview(ctx: Context, dealerId: string): Promise<BillingOverview> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  if (customer === undefined) return { invoices: [], paymentMethod: null }
  const live = await findLiveSubscription(ctx.db, dealerId)
  const [invoices, subscription] = await Promise.all([
    ctx.stripe.invoices.list({ customer, limit: invoicesShown }),
    live?.stripeId
      ? ctx.stripe.subscriptions.retrieve(live.stripeId, { expand: ['default_payment_method'] })
      : undefined,
  ])
  return {
    invoices: invoices.data.flatMap(toInvoice),
    paymentMethod: toPaymentMethod(subscription?.default_payment_method),
  }
}

/** Drafts, voided tries and choices that were never paid are nothing that a dealer owes. */
function toInvoice(invoice: Stripe.Invoice): Invoice[] {
  const { status } = invoice
  const owed = status === 'open' && invoice.billing_reason !== 'subscription_create'
  if (status !== 'paid' && !owed) return []
  const shown: Invoice = {
    id: invoice.id,
    number: invoice.number ?? '',
    date: new Date(invoice.created * 1000).toISOString(),
    description: invoice.lines.data.at(-1)?.description ?? '',
    amount: toDollars(invoice.amount_due),
    status: status === 'paid' ? 'paid' : 'open',
  }
  return [shown]
}

/** Null where it was not asked for with its details, or is no card. */
export function toPaymentMethod(
  method: string | Stripe.PaymentMethod | null | undefined,
): BillingOverview['paymentMethod'] {
  if (typeof method !== 'object' || !method?.card) return null
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { brand, last4, expMonth, expYear }
}

export async function requireLive(ctx: Context, dealerId: string): Promise<LiveSubscription> {
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (!live) throw notFound('Your subscription')
  return live
}

async function syncDealer(ctx: Context, dealerId: string): Promise<void> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  if (customer !== undefined) await syncCustomer(ctx, customer)
}
