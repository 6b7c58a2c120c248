import type Stripe from 'stripe'
import { connectionLimitOf, featuresOf } from '#shared/entitlements.ts'
import type {
  AddOn,
  BillingOverview,
  Invoice,
  MySubscription,
  PaymentConfig,
  SubscriptionPlan,
  AddOnEdit,
  AdminPricing,
  PlanEdit,
} from '#shared/schemas/billing.ts'
import type { Config } from '#server/config/config.ts'
import { notFound, conflict } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Db } from '#server/platform/database/db.ts'
import { listEntitlements } from '#server/features/entitlements/entitlements.service.ts'
import {
  findBillingCustomer,
  findLiveSubscription,
  listHeldAddOns,
  listOfferedAddOns,
  listPlans,
  type LiveSubscription,
  countActivePlans,
  lockAddOn,
  lockPlan,
  updateAddOn,
  updatePlan,
  hasSubscriptionRow,
} from './billing.repository.ts'
import { difference, recordAct, type By } from '#server/features/audit/audit.service.ts'
import { stated } from '#server/platform/http/request-fields.ts'
import { revenueOf } from './revenue.service.ts'

/** Returns the plans that are offered, in display order. */
export async function offeredPlans(ctx: Pick<Context, 'db'>): Promise<SubscriptionPlan[]> {
  const plans = await listPlans(ctx.db)
  return plans.map(({ id, name, priceCents }) => ({
    id,
    name,
    price: dollarsOf(priceCents),
    features: featuresOf(id),
    connectionLimit: connectionLimitOf(id),
  }))
}

export async function offeredAddOns(ctx: Pick<Context, 'db'>): Promise<AddOn[]> {
  return (await listOfferedAddOns(ctx.db)).map(toAddOn)
}

const toAddOn = ({ priceCents, ...addOn }: Omit<AddOn, 'price'> & { priceCents: number }): AddOn => ({
  ...addOn,
  price: dollarsOf(priceCents),
})

/** Returns the subscription and entitlements. While billing is off, every dealer has at least those of the Premium Plan. */
export async function mySubscription(ctx: Pick<Context, 'db' | 'config'>, dealerId: string): Promise<MySubscription> {
  const [found, entitlements] = await Promise.all([
    ctx.config.billing ? findLiveSubscription(ctx.db, dealerId) : undefined,
    listEntitlements(ctx.db, dealerId),
  ])
  if (!found) return { hasSubscription: false, subscription: null, entitlements }
  return {
    hasSubscription: true,
    entitlements,
    subscription: {
      status: found.status,
      currentPeriodEnd: found.currentPeriodEnd?.toISOString() ?? null,
      cancelAtPeriodEnd: found.cancelAtPeriodEnd,
      complimentary: found.stripeId === null,
      givenUntil: found.givenUntil?.toISOString() ?? null,
      price: dollarsOf(found.priceCents),
      plan: { id: found.planId, name: found.planName },
      addOns: (await listHeldAddOns(ctx.db, found.id)).map(toAddOn),
    },
  }
}

export const hasEverSubscribed = (db: Db, dealerId: string): Promise<boolean> => hasSubscriptionRow(db, dealerId)

/** @throws 404 if the dealer has no live subscription */
export async function requireLive(ctx: Context, dealerId: string): Promise<LiveSubscription> {
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (!live) throw notFound('Your subscription')
  return live
}

const invoicesShown = 24

export const listInvoices = async ({ stripe }: Pick<Context, 'stripe'>, customer: string): Promise<Stripe.Invoice[]> =>
  (await stripe.invoices.list({ customer, limit: invoicesShown })).data

export async function billingOverview(ctx: Context, dealerId: string): Promise<BillingOverview> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  if (customer === undefined) return { invoices: [], paymentMethod: null }
  const live = await findLiveSubscription(ctx.db, dealerId)
  const [invoices, subscription] = await Promise.all([
    listInvoices(ctx, customer),
    live?.stripeId
      ? ctx.stripe.subscriptions.retrieve(live.stripeId, { expand: ['default_payment_method'] })
      : undefined,
  ])
  return {
    invoices: invoices.flatMap(toInvoice),
    paymentMethod: toPaymentMethod(subscription?.default_payment_method),
  }
}

/** Returns nothing for drafts, voided invoices and first invoices that were never paid, because nobody owes them. */
export function toInvoice(invoice: Stripe.Invoice): Invoice[] {
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
    refunded: dollarsOf(invoice.post_payment_credit_notes_amount),
  }
  return [shown]
}

function describe({ billing_reason: reason, lines }: Stripe.Invoice): string {
  const descriptions = lines.data.map(({ description }) => description ?? '')
  return reason === 'subscription_update' ? (descriptions.at(-1) ?? '') : descriptions.join(', ')
}

/** Returns null if the payment method was not expanded or is not a card. */
export function toPaymentMethod(
  method: string | Stripe.PaymentMethod | null | undefined,
): BillingOverview['paymentMethod'] {
  if (typeof method !== 'object' || !method?.card) return null
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { brand, last4, expMonth, expYear }
}

/** True if payments go to the Stripe stand-in. Only then does our own card form exist. */
export function usesStandin(config: Config): boolean {
  return config.demo && config.billing && config.stripe.secretKey === undefined
}

export function paymentConfig(config: Config): PaymentConfig {
  if (usesStandin(config)) return { form: 'card-form', publishableKey: null }
  return { form: 'element', publishableKey: config.stripe.publishableKey ?? null }
}

export interface Offer {
  id: string
  name: string
  priceCents: number
}

/** The purpose of a Stripe price, and the key in its metadata that contains the id of our plan or add-on. */
export type OfferKind = 'plan' | 'addOn'

/** Finds or creates a price. Its key includes the amount: existing subscribers keep their price, and concurrent calls share one. */
export async function priceFor(
  { stripe }: Pick<Context, 'stripe'>,
  offer: Offer,
  kind: OfferKind = 'plan',
): Promise<string> {
  const key = `lanewire_${offer.id}_${offer.priceCents}`
  const [known] = (await stripe.prices.list({ lookup_keys: [key], limit: 1 })).data
  if (known) return known.id
  const metadata = { [kind]: offer.id }
  const product = await stripe.products.create({ name: offer.name, metadata }, { idempotencyKey: `product:${key}` })
  const price = await stripe.prices.create(
    {
      product: product.id,
      currency: 'usd',
      unit_amount: offer.priceCents,
      recurring: { interval: 'month' },
      lookup_key: key,
      metadata,
    },
    { idempotencyKey: `price:${key}` },
  )
  return price.id
}

/** Returns the items of a subscription that are our plans or add-ons. Ignores all other items. */
export function itemsOf({ items }: Stripe.Subscription, kind: OfferKind) {
  return items.data.flatMap((item) => {
    const id = item.price.metadata[kind]
    return id ? [{ id, item, priceCents: item.price.unit_amount ?? 0 }] : []
  })
}

export async function adminPricing(ctx: Context): Promise<AdminPricing> {
  const { plans, addOns, monthly, annual } = await revenueOf(ctx)
  return {
    plans: plans.map(({ users, ...plan }) => ({ ...plan, userCount: users })),
    addOns: addOns.map(({ users, ...addOn }) => ({ ...addOn, userCount: users })),
    monthlyRevenue: monthly,
    annualRevenue: annual,
  }
}

/** A new price applies to new subscribers only. @throws 404 if the plan does not exist; 409 if it is the last active plan */
export async function editPlan(ctx: Context, by: By, id: string, { price, isActive }: PlanEdit): Promise<AdminPricing> {
  const plan = await ctx.transact(async (tx) => {
    const found = await lockPlan(tx, id)
    if (!found) throw notFound('This plan')
    const state = { price: dollarsOf(found.priceCents), isActive: found.active }
    const { before, after, changed } = difference(state, stated({ price, isActive }))
    if (changed) {
      if (isActive === false && found.active && (await countActivePlans(tx)) === 1)
        throw conflict('The last available plan cannot be switched off')
      await updatePlan(tx, id, { ...(after as PlanEdit) })
      await recordAct(tx, by, { action: 'plan.edit', subject: { kind: 'plan', id, name: found.name }, before, after })
    }
    return lockPlan(tx, id)
  })
  if (plan?.active && price !== undefined) await makePrice(ctx, plan, 'plan')
  return adminPricing(ctx)
}

/** Creates the provider's price in advance, so that the first subscriber does not have to wait for it. */
async function makePrice(ctx: Context, offer: Offer, kind: OfferKind): Promise<void> {
  await priceFor(ctx, offer, kind).catch((error: unknown) =>
    ctx.log.warn({ err: error, offer: offer.id }, 'the new price could not be created yet'),
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
