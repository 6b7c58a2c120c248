import Stripe from 'stripe'
import { conflict, paymentRequired } from '#server/errors.ts'

/** Converts a declined card to 402 with the provider's message, and a payment that is no longer open to 409. Rethrows other errors. */
export function rethrowAsRefusal(error: unknown): never {
  if (error instanceof Stripe.errors.StripeCardError) throw paymentRequired(messageOf(error) ?? error.message)
  if (error instanceof Stripe.errors.StripeError && error.code === 'payment_intent_unexpected_state') {
    throw conflict('This payment is no longer open. Choose your plan again')
  }
  throw error
}

const unconfirmed = new Set(['payment_intent_authentication_failure', 'setup_intent_authentication_failure'])

/** Returns the provider's message about a declined card, or our own text if that message is meant for developers. */
export function messageOf(error: { code?: string; message?: string } | null): string | undefined {
  if (error?.code !== undefined && unconfirmed.has(error.code))
    return 'Your bank did not confirm this card, so nothing was charged. Try again or use another card.'
  return error?.message
}

export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
}

/** For `catch`: returns undefined if the provider does not know the object. Rethrows other errors. */
export function undefinedIfMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined
  throw error
}
