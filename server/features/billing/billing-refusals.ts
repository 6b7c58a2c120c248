import Stripe from 'stripe'
import { conflict, paymentRequired } from '#server/errors.ts'

/** Converts a declined card to 402 with the provider's message and a closed payment to 409. Rethrows others. */
export function asRefusal(error: unknown): never {
  if (error instanceof Stripe.errors.StripeCardError) throw paymentRequired(messageOf(error) ?? error.message)
  if (error instanceof Stripe.errors.StripeError && error.code === 'payment_intent_unexpected_state') {
    throw conflict('This payment is no longer open. Choose your plan again')
  }
  throw error
}

const unconfirmed = new Set(['payment_intent_authentication_failure', 'setup_intent_authentication_failure'])

/** Explains a declined card to its holder: the provider's message, unless that is meant for developers. */
export function messageOf(error: { code?: string; message?: string } | null): string | undefined {
  if (error?.code !== undefined && unconfirmed.has(error.code))
    return 'Your bank did not confirm this card, so nothing was charged. Try again or use another card.'
  return error?.message
}

export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
}

/** For `catch`: returns undefined if the provider does not know the object; rethrows other errors. */
export function asAbsent(error: unknown): undefined {
  if (isMissing(error)) return undefined
  throw error
}
