import Stripe from 'stripe'
import { conflict, paymentRequired } from '#server/errors.ts'

/** A refused card becomes 402 with the provider's own sentence, a closed payment 409; the rest stays what it was. */
export function asRefusal(error: unknown): never {
  if (error instanceof Stripe.errors.StripeCardError) throw paymentRequired(error.message)
  if (error instanceof Stripe.errors.StripeError && error.code === 'payment_intent_unexpected_state') {
    throw conflict('This payment is no longer open. Choose your plan again')
  }
  throw error
}

/** The provider does not know what we ask about. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
}

/** For `catch`: what the provider does not know is undefined, every other failure stays one. */
export function asAbsent(error: unknown): undefined {
  if (isMissing(error)) return undefined
  throw error
}
