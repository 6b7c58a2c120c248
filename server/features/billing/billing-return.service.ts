import type Stripe from 'stripe'
import type { MySubscription } from '#shared/schemas/billing.ts'
import { paymentRequired } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { ownIntent } from './billing-cards.service.ts'
import { refreshSubscription } from './billing-changes.service.ts'
import { messageOf } from './billing-refusals.ts'

/**
 * For a browser that comes back from its bank's page: asks the provider how things stand, because nothing in the
 * address proves anything.
 * @param clientSecret of the payment that the address names; without one only the subscription is read anew
 * @returns the subscription, which is not active yet while the bank is still at work
 * @throws 402 with the provider's message when the payment was refused or left, 404 when it is not this dealer's
 */
export async function confirmSubscription(
  ctx: Context,
  dealerId: string,
  clientSecret: string | undefined,
): Promise<MySubscription> {
  const intent = clientSecret === undefined ? undefined : await ownIntent(ctx, dealerId, clientSecret)
  const mine = await refreshSubscription(ctx, dealerId)
  if (intent && intent.status !== 'succeeded' && intent.status !== 'processing') throw paymentRequired(whyOpen(intent))
  return mine
}

function whyOpen({ status, last_payment_error: error }: Stripe.PaymentIntent): string {
  if (status === 'requires_action') return 'Your bank has not confirmed the payment, so nothing was charged.'
  return messageOf(error) ?? 'The payment was not completed'
}
