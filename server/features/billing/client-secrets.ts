import type Stripe from 'stripe'
import { notFound } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import { undefinedIfMissing } from './billing-refusals.ts'
import { findBillingCustomer } from './billing.repository.ts'

interface Secret<Kept> {
  id: RegExp
  name: string
  retrieve: (ctx: Context, id: string) => Promise<Kept>
}

export const payment: Secret<Stripe.PaymentIntent> = {
  id: /^pi_\w+$/,
  name: 'This payment',
  retrieve: ({ stripe }, id) => stripe.paymentIntents.retrieve(id),
}

export const savedCard: Secret<Stripe.SetupIntent> = {
  id: /^seti_\w+$/,
  name: 'This card',
  retrieve: ({ stripe }, id) => stripe.setupIntents.retrieve(id),
}

/** Loads the payment or card setup that a client secret belongs to. @throws 404 if it does not exist or belongs to another dealer */
export async function own<Kept extends Stripe.PaymentIntent | Stripe.SetupIntent>(
  ctx: Context,
  dealerId: string,
  clientSecret: string,
  secret: Secret<Kept>,
): Promise<Kept> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  const id = clientSecret.split('_secret_')[0] ?? ''
  const found = secret.id.test(id) ? await secret.retrieve(ctx, id).catch(undefinedIfMissing) : undefined
  if (!found || customer === undefined || found.customer !== customer || found.client_secret !== clientSecret) {
    throw notFound(secret.name)
  }
  return found
}
