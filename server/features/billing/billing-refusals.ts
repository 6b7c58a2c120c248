import Stripe from 'stripe'
import { paymentRequired } from '#server/errors.ts'

/** A refused card becomes 402 with the provider's own sentence; anything else stays what it was. */
export function asRefusal(error: unknown): never {
  if (error instanceof Stripe.errors.StripeCardError) throw paymentRequired(error.message)
  throw error
}
