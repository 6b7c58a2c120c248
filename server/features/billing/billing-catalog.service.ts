import type { Context } from '#server/platform/context.ts'

interface Plan {
  id: string
  name: string
  priceCents: number
}

/**
 * The provider's price for what the plan costs today, made when it is first needed. Its key names the amount, so a new
 * price never changes what earlier subscribers pay, and two processes that ask at once make one price.
 */
export async function priceFor({ stripe }: Pick<Context, 'stripe'>, plan: Plan): Promise<string> {
  const key = `lanewire_${plan.id}_${plan.priceCents}`
  const [known] = (await stripe.prices.list({ lookup_keys: [key], limit: 1 })).data
  if (known) return known.id
  const metadata = { plan: plan.id }
  const product = await stripe.products.create({ name: plan.name, metadata }, { idempotencyKey: `product:${key}` })
  const price = await stripe.prices.create(
    {
      product: product.id,
      currency: 'usd',
      unit_amount: plan.priceCents,
      recurring: { interval: 'month' },
      lookup_key: key,
      metadata,
    },
    { idempotencyKey: `price:${key}` },
  )
  return price.id
}
