import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import Type from 'typebox'
import { nameOf, suitsPlan } from '#shared/entitlements.ts'
import {
  type AddOnOrder,
  type ChangePreview,
  type MySubscription,
  paidStatuses,
  type PlanChange,
  type ProrationPreview,
} from '#shared/schemas/billing.ts'
import type { Config } from '#server/config.ts'
import { conflict, notFound, paymentRequired } from '#server/errors.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx, Db } from '#server/platform/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { openSealed, seal } from '#server/platform/sealed.ts'
import { asAbsent, asRefusal, isMissing } from './billing-refusals.ts'
import { dayOf, notifyOfChange, refreshSubscription, toStatus, withStripeRepair } from './billing-sync.service.ts'
import {
  endComplimentary,
  findAddOn,
  findBillingCustomer,
  findLiveSubscription,
  findPlan,
  forgetCard,
  updateComplimentaryCancel,
  insertComplimentary,
  listHeldAddOns,
} from './billing.repository.ts'
import { itemsOf, mySubscription, priceFor, requireLive, usesStandin } from './billing.service.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { Emit } from '#server/platform/transact.ts'
import { confirmPayment, getOrCreateSubscription } from './billing-checkout.service.ts'

/** How long a shown price can be taken. */
const quoteMs = 10 * 60_000
const purpose = 'billing-quote'

/** What the items of a dealer's subscription are to become. */
interface Order {
  dealerId: string
  subscription: Stripe.Subscription
  items: ({ id?: string; price: string } | { id: string; deleted: true })[]
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
async function quoteOrder(ctx: Context, order: Order, newCents: number): Promise<ProrationPreview> {
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
async function applyQuote(ctx: Context, order: Order, quote: string): Promise<void> {
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

/**
 * Cancelled, it runs to the end of the paid period and can be resumed until then.
 * @param cancel false: it is resumed
 * @throws 404 without a subscription, 409 for a plan that was given until a day
 */
export async function setCancelled(ctx: Context, dealerId: string, cancel: boolean): Promise<MySubscription> {
  const live = await requireLive(ctx, dealerId)
  if (live.givenUntil !== null)
    throw conflict(`This plan is complimentary. It ends automatically on ${dayOf(live.givenUntil)}`)
  if (live.stripeId !== null) {
    await ctx.stripe.subscriptions.update(live.stripeId, { cancel_at_period_end: cancel })
    return refreshSubscription(ctx, dealerId)
  }
  await ctx.transact(async (tx, emit) => {
    await updateComplimentaryCancel(tx, dealerId, cancel)
    await touchInbox(tx, emit, [dealerId], 'subscription', live.id)
    await notifyOfChange(tx, emit, dealerId, { before: live, after: { ...live, cancelAtPeriodEnd: cancel } })
  })
  return mySubscription(ctx, dealerId)
}

/** What is paid for runs to its end; what is owed, or waits for its first payment, cannot be paid any more. */
async function endAtProvider(ctx: Context, dealerId: string): Promise<void> {
  const live = await findLiveSubscription(ctx.db, dealerId)
  // Where the provider knows it no more, this is what our copy is repaired by.
  if (live && live.stripeId !== null) await ctx.stripe.subscriptions.retrieve(live.stripeId)
  const customer = await findBillingCustomer(ctx.db, dealerId)
  if (customer === undefined) return
  // Not by our own copy: it knows of no payment that has begun, and may lag behind one that is made.
  const { data } = await ctx.stripe.subscriptions.list({ customer })
  for (const { id, status } of data.filter((subscription) => itemsOf(subscription, 'plan').length > 0))
    if (paidStatuses.has(toStatus(status))) await ctx.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    else await ctx.stripe.subscriptions.cancel(id).catch(asAbsent)
  await refreshSubscription(ctx, dealerId)
}

/** Nobody to tell: whoever runs a network without billing has ended what was paid before. */
const isWithoutProvider = ({ billing, stripe }: Config): boolean => !billing && stripe.secretKey === undefined

/** An account that goes away is not charged again. */
export async function cancelOnLeaving(ctx: Context, dealerId: string): Promise<void> {
  if (isWithoutProvider(ctx.config)) return
  const paid = (await findLiveSubscription(ctx.db, dealerId))?.stripeId ?? undefined
  await withStripeRepair(ctx, dealerId, () => endAtProvider(ctx, dealerId)).catch((error: unknown) => {
    // Without a plan that we know is paid for, a provider who does not answer keeps nobody from leaving.
    if (paid !== undefined || !(error instanceof Stripe.errors.StripeError)) throw error
    ctx.log.warn({ err: error, dealerId }, 'an account goes away without a word of the payment provider')
  })
}

/** The account has another e-mail: the provider learns of it where it knows the account. */
export async function followAddress(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  if ((await findBillingCustomer(tx, dealerId)) !== undefined)
    await emit.job('billing.address', { dealerId }, { uniqueKey: dealerId })
}

/** The e-mail of the account as it is now. A customer that the provider has lost gets it when they are made anew. */
export async function sendAddress(ctx: Context, dealerId: string): Promise<void> {
  if (isWithoutProvider(ctx.config)) return
  const [customer, dealer] = await Promise.all([findBillingCustomer(ctx.db, dealerId), findDealer(ctx.db, dealerId)])
  if (customer !== undefined && dealer !== undefined)
    await ctx.stripe.customers.update(customer, { email: dealer.email }).catch(asAbsent)
}

/** What an account was given that goes away. */
export const dropGift = (tx: Tx, dealerId: string): Promise<void> => endComplimentary(tx, dealerId)

/** What the provider knows the card of an account by that goes away. */
export const dropCard = (tx: Tx, dealerId: string): Promise<void> => forgetCard(tx, dealerId)

/**
 * The dealer's subscription as the provider has it, when it may be changed.
 * @throws 404 without one, 409 with `complimentary` for a plan that nobody pays for, 402 while an invoice is open
 */
async function requireChangeable(ctx: Context, dealerId: string, complimentary: string): Promise<Stripe.Subscription> {
  const live = await requireLive(ctx, dealerId)
  if (live.stripeId === null) throw conflict(complimentary)
  if (live.status !== 'active') throw paymentRequired('Pay the open invoice before you change your plan')
  return ctx.stripe.subscriptions.retrieve(live.stripeId)
}

/** What the other plan costs for the rest of the period, and what all of it will cost per month. */
export async function previewChange(ctx: Context, dealerId: string, planId: string): Promise<ChangePreview> {
  const { plan, order, keptAddOns } = await planOrder(ctx, dealerId, planId)
  const addOnCents = keptAddOns.reduce((sum, { priceCents }) => sum + priceCents, 0)
  const preview = await quoteOrder(ctx, order, plan.priceCents + addOnCents)
  return { planId: plan.id, planName: plan.name, ...preview }
}

/** @throws 409 and 402 as {@link applyQuote} */
export async function changePlan(ctx: Context, dealerId: string, change: PlanChange): Promise<MySubscription> {
  await orderPlan(ctx, dealerId, change)
  return refreshSubscription(ctx, dealerId)
}

/** The change at the provider alone; our copy follows. @throws 409 and 402 as {@link applyQuote} */
export async function orderPlan(ctx: Context, dealerId: string, { planId, quote }: PlanChange): Promise<void> {
  const { order } = await planOrder(ctx, dealerId, planId)
  await applyQuote(ctx, order, quote)
}

/** An add-on that the new plan has in it ends with the change: what is left of its month is credited. */
async function planOrder(ctx: Context, dealerId: string, planId: string) {
  const plan = await findPlan(ctx.db, planId)
  if (!plan?.active) throw notFound('This plan')
  const subscription = await requireChangeable(
    ctx,
    dealerId,
    'Subscribe to the new plan to replace your complimentary one',
  )
  const [current] = itemsOf(subscription, 'plan')
  if (!current) throw notFound('Your subscription')
  if (current.id === planId) throw conflict('This is your current plan')
  const held = itemsOf(subscription, 'addOn')
  const contained = held.filter(({ id }) => !suitsPlan(id, planId))
  const items: Order['items'] = [
    { id: current.item.id, price: await priceFor(ctx, plan) },
    ...contained.map(({ item }) => ({ id: item.id, deleted: true as const })),
  ]
  const keptAddOns = held.filter((addOn) => !contained.includes(addOn))
  return { plan, keptAddOns, order: { dealerId, subscription, items } }
}

const needsPaidPlan = 'Add-ons need a paid plan. Subscribe to a plan first'

/** What the add-on costs for the rest of the period, and what all of it will cost per month. */
export async function previewAddOn(ctx: Context, dealerId: string, addOnId: string): Promise<ProrationPreview> {
  const { addOn, order } = await addOnOrder(ctx, dealerId, addOnId)
  const held = order.subscription.items.data
  const cents = held.reduce((sum, item) => sum + (item.price.unit_amount ?? 0), addOn.priceCents)
  return quoteOrder(ctx, order, cents)
}

/** An item more on the subscription, charged at once for the rest of the period. @throws 409, 402 as applyQuote says */
export async function addAddOn(
  ctx: Context,
  dealerId: string,
  addOnId: string,
  { quote }: AddOnOrder,
): Promise<MySubscription> {
  const { order } = await addOnOrder(ctx, dealerId, addOnId)
  await applyQuote(ctx, order, quote).catch(async (error: unknown) => {
    // Two tabs at once: the other one has added it meanwhile.
    const now = await ctx.stripe.subscriptions.retrieve(order.subscription.id)
    if (!itemsOf(now, 'addOn').some(({ id }) => id === addOnId)) throw error
  })
  return refreshSubscription(ctx, dealerId)
}

/** Ends at once; the unused part of the period is credited to the next invoices. Also one no longer on offer. */
export async function removeAddOn(ctx: Context, dealerId: string, addOnId: string): Promise<MySubscription> {
  const subscription = await requireChangeable(ctx, dealerId, needsPaidPlan)
  const held = itemsOf(subscription, 'addOn').find(({ id }) => id === addOnId)
  if (!held) throw notFound('This add-on')
  await ctx.stripe.subscriptions.update(
    subscription.id,
    { items: [{ id: held.item.id, deleted: true }], proration_behavior: 'always_invoice' },
    { idempotencyKey: `remove-add-on:${held.item.id}` },
  )
  return refreshSubscription(ctx, dealerId)
}

async function addOnOrder(ctx: Context, dealerId: string, addOnId: string) {
  const addOn = await findAddOn(ctx.db, addOnId)
  if (!addOn?.active) throw notFound('This add-on')
  const subscription = await requireChangeable(ctx, dealerId, needsPaidPlan)
  if (itemsOf(subscription, 'addOn').some(({ id }) => id === addOnId)) throw conflict('You already have this add-on')
  const [plan] = itemsOf(subscription, 'plan')
  if (plan && !suitsPlan(addOnId, plan.id)) throw conflict(`${addOn.name} adds nothing to your ${nameOf(plan.id)}`)
  const items = [{ price: await priceFor(ctx, addOn, 'addOn') }]
  return { addOn, order: { dealerId, subscription, items } }
}

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
