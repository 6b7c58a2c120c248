import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import Type from 'typebox'
import type {
  BillingOverview,
  ChangePreview,
  Invoice,
  MySubscription,
  PlanChange,
  ProrationPreview,
} from '#shared/schemas/billing.ts'
import { conflict, notFound, paymentRequired } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { openSealed, seal } from '#server/platform/sealed.ts'
import { asRefusal, isMissing } from './billing-refusals.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { itemsOf, mySubscription, priceFor } from './billing.service.ts'
import { notifyOfChange } from './billing-notices.service.ts'
import {
  findBillingCustomer,
  findLiveSubscription,
  findPlan,
  type LiveSubscription,
  updateComplimentaryCancel,
} from './billing.repository.ts'
import { syncCustomer } from './billing-sync.service.ts'

/** How long a shown price can be taken. */
const quoteMs = 10 * 60_000
const purpose = 'billing-quote'

/** What the items of a dealer's subscription are to become. */
export interface Order {
  dealerId: string
  subscription: Stripe.Subscription
  items: { id?: string; price: string }[]
}

/** The terms of a shown price. They travel through the browser, sealed: nobody else sets a date or an amount. */
const Quote = Type.Object({
  /** Who, from which subscription as it stands, to what. */
  order: Type.String(),
  /** Unix seconds. */
  prorationDate: Type.Integer(),
  dueCents: Type.Integer(),
  until: Type.Number(),
})

/** With the latest invoice in it a quote serves once: every change makes another one. */
function fingerprint({ dealerId, subscription, items }: Order): string {
  const { id, latest_invoice: invoice } = subscription
  const held = subscription.items.data.map((item) => [
    item.id,
    item.price.id,
    item.current_period_start,
    item.current_period_end,
  ])
  const latest = typeof invoice === 'string' ? invoice : invoice?.id
  return createHash('sha256')
    .update(JSON.stringify([dealerId, id, latest, held, items]))
    .digest('base64url')
}

const preview = (ctx: Context, { subscription, items }: Order, prorationDate: number): Promise<Stripe.Invoice> =>
  ctx.stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items, proration_behavior: 'always_invoice', proration_date: prorationDate },
  })

/** What the order costs now. `newCents` is what all of the subscription will cost per month. */
export async function quoteOrder(ctx: Context, order: Order, newCents: number): Promise<ProrationPreview> {
  const now = ctx.now().getTime()
  const [item] = order.subscription.items.data
  const [start, end] = [item?.current_period_start ?? 0, item?.current_period_end ?? 0]
  const prorationDate = Math.min(Math.max(Math.floor(now / 1000), start), end)
  const invoice = await preview(ctx, order, prorationDate)
  const terms = { order: fingerprint(order), prorationDate, dueCents: invoice.amount_due, until: now + quoteMs }
  return {
    dueNow: dollarsOf(invoice.amount_due),
    credit: dollarsOf(Math.max(0, -invoice.total)),
    newPrice: dollarsOf(newCents),
    lines: invoice.lines.data.map(({ description, amount }) => ({
      description: description ?? '',
      amount: dollarsOf(amount),
    })),
    quote: seal(ctx.config.secret, purpose, terms),
  }
}

const outdated = () => conflict('This price is out of date, so nothing was changed or charged. Confirm the new one')

/** The provider no longer takes these terms: the period has ended, or another tab was faster. */
function asOutdated(error: unknown): never {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && !isMissing(error)) throw outdated()
  throw error
}

/**
 * Makes the change at the price that was shown for it, charged at once; when the card refuses, all stays as it was.
 * @throws 409 when the price was shown for something else, too long ago, or is another by now; 402 with the provider's message
 */
export async function applyQuote(ctx: Context, order: Order, quote: string): Promise<void> {
  const terms = openSealed({ secret: ctx.config.secret, purpose, schema: Quote }, quote, ctx.now().getTime())
  if (terms?.order !== fingerprint(order)) throw outdated()
  const { amount_due: dueCents } = await preview(ctx, order, terms.prorationDate).catch(asOutdated)
  if (dueCents !== terms.dueCents) throw outdated()
  await ctx.stripe.subscriptions
    .update(
      order.subscription.id,
      {
        items: order.items,
        proration_behavior: 'always_invoice',
        proration_date: terms.prorationDate,
        payment_behavior: 'error_if_incomplete',
      },
      { idempotencyKey: `quote:${terms.order}:${terms.until}` },
    )
    .catch(asRefusal)
}

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
  const { plan, order } = await planned(ctx, dealerId, planId)
  const addOnCents = itemsOf(order.subscription, 'addOn').reduce((sum, { priceCents }) => sum + priceCents, 0)
  const preview = await quoteOrder(ctx, order, plan.priceCents + addOnCents)
  return { planId: plan.id, planName: plan.name, ...preview }
}

/** @throws 409 and 402 as {@link applyQuote} */
export async function changePlan(
  ctx: Context,
  dealerId: string,
  { planId, quote }: PlanChange,
): Promise<MySubscription> {
  const { order } = await planned(ctx, dealerId, planId)
  await applyQuote(ctx, order, quote)
  await syncDealer(ctx, dealerId)
  return mySubscription(ctx, dealerId)
}

async function planned(ctx: Context, dealerId: string, planId: string) {
  const plan = await findPlan(ctx.db, planId)
  if (!plan?.active) throw notFound('This plan')
  const subscription = await requireChangeable(
    ctx,
    dealerId,
    'Your complimentary plan is replaced by subscribing to the new one',
  )
  const [current] = itemsOf(subscription, 'plan')
  if (!current) throw notFound('Your subscription')
  if (current.id === planId) throw conflict('This is your current plan')
  const items = [{ id: current.item.id, price: await priceFor(ctx, plan) }]
  return { plan, order: { dealerId, subscription, items } }
}

/**
 * The dealer's subscription as the provider has it, when it may be changed.
 * @throws 404 without one, 409 with `complimentary` for a plan that nobody pays for, 402 while an invoice is open
 */
export async function requireChangeable(
  ctx: Context,
  dealerId: string,
  complimentary: string,
): Promise<Stripe.Subscription> {
  const live = await requireLive(ctx, dealerId)
  if (live.stripeId === null) throw conflict(complimentary)
  if (live.status !== 'active') throw paymentRequired('Pay the open invoice before you change your plan')
  return ctx.stripe.subscriptions.retrieve(live.stripeId)
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
    description: describe(invoice),
    amount: dollarsOf(invoice.amount_due),
    status: status === 'paid' ? 'paid' : 'open',
  }
  return [shown]
}

/** A month names all that it is for; a change names what it led to. */
function describe({ billing_reason: reason, lines }: Stripe.Invoice): string {
  const descriptions = lines.data.map(({ description }) => description ?? '')
  return reason === 'subscription_update' ? (descriptions.at(-1) ?? '') : descriptions.join(', ')
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

export async function syncDealer(ctx: Context, dealerId: string): Promise<void> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  if (customer !== undefined) await syncCustomer(ctx, customer)
}
