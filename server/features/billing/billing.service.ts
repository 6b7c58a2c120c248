import type { AddOn, MySubscription, PaymentConfig, SubscriptionPlan } from '#shared/schemas/billing.ts'
import type { Config } from '#server/config.ts'
import type { Context } from '#server/platform/context.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { listHeldAddOns, listOfferedAddOns } from './billing-add-ons.repository.ts'
import { findLiveSubscription, listPlans } from './billing.repository.ts'
import type Stripe from 'stripe'

/** The plans on offer, cheapest first: the one source of every price on every screen. */
export async function offeredPlans(ctx: Pick<Context, 'db'>): Promise<SubscriptionPlan[]> {
  const plans = await listPlans(ctx.db)
  return plans.map(({ id, name, priceCents, features, connectionLimit }) => ({
    id,
    name,
    price: dollarsOf(priceCents),
    features,
    connectionLimit,
  }))
}

/** The add-ons on offer. */
export async function offeredAddOns(ctx: Pick<Context, 'db'>): Promise<AddOn[]> {
  return (await listOfferedAddOns(ctx.db)).map(toAddOn)
}

const toAddOn = ({ priceCents, ...addOn }: Omit<AddOn, 'price'> & { priceCents: number }): AddOn => ({
  ...addOn,
  price: dollarsOf(priceCents),
})

export async function mySubscription(ctx: Pick<Context, 'db'>, dealerId: string): Promise<MySubscription> {
  const found = await findLiveSubscription(ctx.db, dealerId)
  if (!found) return { hasSubscription: false, subscription: null }
  return {
    hasSubscription: true,
    subscription: {
      status: found.status,
      currentPeriodEnd: found.currentPeriodEnd?.toISOString() ?? null,
      cancelAtPeriodEnd: found.cancelAtPeriodEnd,
      complimentary: found.stripeId === null,
      price: dollarsOf(found.priceCents),
      plan: { id: found.planId, name: found.planName },
      addOns: (await listHeldAddOns(ctx.db, found.id)).map(toAddOn),
    },
  }
}

/** Our own card form exists only where the provider is the local stand-in. */
export function usesStandin(config: Config): boolean {
  return config.demo && config.stripe.secretKey === undefined
}

export function paymentConfig(config: Config): PaymentConfig {
  if (usesStandin(config)) return { form: 'card-form', publishableKey: null }
  return { form: 'element', publishableKey: config.stripe.publishableKey ?? null }
}

/** A plan or an add-on. */
export interface Offer {
  id: string
  name: string
  priceCents: number
}

/** Under which name a price at the provider says what it is the price of. */
export type OfferKind = 'plan' | 'addOn'

/**
 * The provider's price for what the offer costs today, made when it is first needed. Its key names the amount, so a new
 * price never changes what earlier subscribers pay, and two processes that ask at once make one price.
 */
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

/** What each item of a subscription at the provider is: one of our plans, one of our add-ons, or none of our business. */
export function itemsOf({ items }: Stripe.Subscription, kind: OfferKind) {
  return items.data.flatMap((item) => {
    const id = item.price.metadata[kind]
    return id ? [{ id, item, priceCents: item.price.unit_amount ?? 0 }] : []
  })
}
