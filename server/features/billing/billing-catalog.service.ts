import type Stripe from 'stripe'
import type { Context } from '#server/platform/context.ts'

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
