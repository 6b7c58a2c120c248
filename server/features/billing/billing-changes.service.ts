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
import type { Config } from '#server/config/config.ts'
import { conflict, notFound, paymentRequired } from '#server/errors.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx, Db } from '#server/platform/database/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { openSealed, seal } from '#server/platform/signing-and-encryption.ts'
import { undefinedIfMissing, rethrowAsRefusal, isMissing } from './billing-refusals.ts'
import { dayOf, notifyOfChange, refreshSubscription, toStatus, withStripeRepair } from './billing-sync.service.ts'
import {
  endComplimentary,
  findAddOn,
  findBillingCustomer,
  findLiveSubscription,
  findPlan,
  removeCardMark,
  updateComplimentaryCancel,
  insertComplimentary,
  listHeldAddOns,
} from './billing.repository.ts'
import { itemsOf, mySubscription, priceFor, requireLive, usesStandin } from './billing.service.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { confirmPayment, getOrCreateSubscription } from './billing-checkout.service.ts'

const quoteMs = 10 * 60_000
const purpose = 'billing-quote'

interface Order {
  dealerId: string
  subscription: Stripe.Subscription
  items: ({ id?: string; price: string } | { id: string; deleted: true })[]
}

/** A quoted price. The server signs it, so that the browser cannot change the date or the amount before sending it back. */
const Quote = Type.Object({
  order: Type.String(),
  /** Unix timestamp in seconds. */
  prorationDate: Type.Integer(),
  dueCents: Type.Integer(),
  until: Type.Number(),
})

/** Identifies a quoted order. Includes the latest invoice, so that a quote works only once: every change creates a new invoice. */
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

/** `newCents` is the new monthly price of the whole subscription. */
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

/** Reports an invalid request as 409: the period has ended, or another tab has changed the subscription. */
function rethrowAsOutdated(error: unknown): never {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && !isMissing(error)) throw outdated()
  throw error
}

/**
 * Changes the subscription and charges the quoted price immediately. If the card is declined, nothing changes.
 * @throws 409 if the quote has expired, is for another order or has a different price now; 402 if the card is declined
 */
async function applyQuote(ctx: Context, order: Order, quote: string): Promise<void> {
  const terms = openSealed({ secret: ctx.config.secret, purpose, schema: Quote }, quote, ctx.now().getTime())
  if (terms?.order !== fingerprint(order)) throw outdated()
  const { amount_due: dueCents } = await preview(ctx, order, terms.prorationDate).catch(rethrowAsOutdated)
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
    .catch(rethrowAsRefusal)
}

/** Cancels the subscription at the end of its period, or resumes it. @throws 404 without a subscription; 409 if an admin gave the plan */
export async function setCancelled(ctx: Context, dealerId: string, cancel: boolean): Promise<MySubscription> {
  const live = await requireLive(ctx, dealerId)
  if (live.givenUntil !== null) {
    const end = await dayOf(ctx.db, dealerId, live.givenUntil)
    throw conflict(`This plan is complimentary. It ends automatically on ${end}`)
  }
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

/** Ends the dealer's subscriptions: paid ones at the end of their period, unpaid ones immediately. */
async function endAtProvider(ctx: Context, dealerId: string): Promise<void> {
  const live = await findLiveSubscription(ctx.db, dealerId)
  // This throws if the provider does not know the subscription. `withStripeRepair` then corrects our database.
  if (live && live.stripeId !== null) await ctx.stripe.subscriptions.retrieve(live.stripeId)
  const customer = await findBillingCustomer(ctx.db, dealerId)
  if (customer === undefined) return
  // Ask the provider, because our database may be stale and does not include payments that have just begun.
  const { data } = await ctx.stripe.subscriptions.list({ customer })
  for (const { id, status } of data.filter((subscription) => itemsOf(subscription, 'plan').length > 0))
    if (paidStatuses.has(toStatus(status))) await ctx.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    else await ctx.stripe.subscriptions.cancel(id).catch(undefinedIfMissing)
  await refreshSubscription(ctx, dealerId)
}

const isWithoutProvider = ({ billing, stripe }: Config): boolean => !billing && stripe.secretKey === undefined

export async function cancelOfDeletedDealer(ctx: Context, dealerId: string): Promise<void> {
  if (isWithoutProvider(ctx.config)) return
  const paid = (await findLiveSubscription(ctx.db, dealerId))?.stripeId ?? undefined
  await withStripeRepair(ctx, dealerId, () => endAtProvider(ctx, dealerId)).catch((error: unknown) => {
    // If we know of no paid plan, an unreachable provider must not prevent the deletion.
    if (paid !== undefined || !(error instanceof Stripe.errors.StripeError)) throw error
    ctx.log.warn({ err: error, dealerId }, 'an account was deleted without reaching the payment provider')
  })
}

export async function followAddress(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  if ((await findBillingCustomer(tx, dealerId)) !== undefined)
    await emit.job('billing.address', { dealerId }, { uniqueKey: dealerId })
}

/** Sends the new email address to the provider. A lost customer needs no update, because it is recreated with the current address. */
export async function sendAddress(ctx: Context, dealerId: string): Promise<void> {
  if (isWithoutProvider(ctx.config)) return
  const [customer, dealer] = await Promise.all([findBillingCustomer(ctx.db, dealerId), findDealer(ctx.db, dealerId)])
  if (customer !== undefined && dealer !== undefined)
    await ctx.stripe.customers.update(customer, { email: dealer.email }).catch(undefinedIfMissing)
}

export const dropGift = (tx: Tx, dealerId: string): Promise<void> => endComplimentary(tx, dealerId)

export const dropCard = (tx: Tx, dealerId: string): Promise<void> => removeCardMark(tx, dealerId)

/** @throws 404 if the dealer has no subscription; 409 with the message `complimentary` for a free plan; 402 while an invoice is open */
async function requireChangeable(ctx: Context, dealerId: string, complimentary: string): Promise<Stripe.Subscription> {
  const live = await requireLive(ctx, dealerId)
  if (live.stripeId === null) throw conflict(complimentary)
  if (live.status !== 'active') throw paymentRequired('Pay the open invoice before you change your plan')
  return ctx.stripe.subscriptions.retrieve(live.stripeId)
}

export async function previewChange(ctx: Context, dealerId: string, planId: string): Promise<ChangePreview> {
  const { plan, order, keptAddOns } = await planOrder(ctx, dealerId, planId)
  const addOnCents = keptAddOns.reduce((sum, { priceCents }) => sum + priceCents, 0)
  const preview = await quoteOrder(ctx, order, plan.priceCents + addOnCents)
  return { planId: plan.id, planName: plan.name, ...preview }
}

/** @throws the errors of {@link orderPlan} */
export async function changePlan(ctx: Context, dealerId: string, change: PlanChange): Promise<MySubscription> {
  await orderPlan(ctx, dealerId, change)
  return refreshSubscription(ctx, dealerId)
}

/** Call `refreshSubscription` afterwards. @throws 404 or 409 if the plan is unknown or current; the errors of {@link applyQuote} */
export async function orderPlan(ctx: Context, dealerId: string, { planId, quote }: PlanChange): Promise<void> {
  const { order } = await planOrder(ctx, dealerId, planId)
  await applyQuote(ctx, order, quote)
}

/** Creates the order for a new plan. Removes add-ons that the new plan includes; the rest of their month is credited. */
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

export async function previewAddOn(ctx: Context, dealerId: string, addOnId: string): Promise<ProrationPreview> {
  const { addOn, order } = await addOnOrder(ctx, dealerId, addOnId)
  const held = order.subscription.items.data
  const cents = held.reduce((sum, item) => sum + (item.price.unit_amount ?? 0), addOn.priceCents)
  return quoteOrder(ctx, order, cents)
}

/** Adds an add-on and charges for the rest of the period immediately. @throws the errors of {@link applyQuote} */
export async function addAddOn(
  ctx: Context,
  dealerId: string,
  addOnId: string,
  { quote }: AddOnOrder,
): Promise<MySubscription> {
  const { order } = await addOnOrder(ctx, dealerId, addOnId)
  await applyQuote(ctx, order, quote).catch(async (error: unknown) => {
    // Another tab may have added the add-on at the same time.
    const now = await ctx.stripe.subscriptions.retrieve(order.subscription.id)
    if (!itemsOf(now, 'addOn').some(({ id }) => id === addOnId)) throw error
  })
  return refreshSubscription(ctx, dealerId)
}

/** Removes an add-on immediately. Credits the unused part to the next invoices. */
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
  if (plan && !suitsPlan(addOnId, plan.id))
    throw conflict(`Your ${nameOf(plan.id)} already includes everything in the ${addOn.name}`)
  const items = [{ price: await priceFor(ctx, addOn, 'addOn') }]
  return { addOn, order: { dealerId, subscription, items } }
}

const demoCard = { cardNumber: '4242 4242 4242 4242', expiryDate: '12 / 34', cvv: '123' }
const monthMs = 30 * 24 * 3_600_000

/** Gives a demo account a plan immediately. A job then pays for it through the Stripe stand-in. */
export async function grantDemoPlan(tx: Db, emit: Emit, dealerId: string, now: Date): Promise<void> {
  await insertComplimentary(tx, [{ dealerId, planId: 'premium', currentPeriodEnd: new Date(now.getTime() + monthMs) }])
  await emit.job('billing.demoPlan', { dealerId }, { uniqueKey: dealerId })
}

export async function upgradeDemoPlan(ctx: Context, dealerId: string): Promise<void> {
  if (!usesStandin(ctx.config)) return
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (live?.stripeId !== null) return
  await ctx.transact(async (_tx, emit) => emit.job('billing.demoPlan', { dealerId }, { uniqueKey: dealerId }))
}

/** Pays for a complimentary plan as a real dealer would, so that the plan page shows an invoice and a card. */
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
