import Stripe from 'stripe'
import { conflict, paymentRequired } from '#server/errors.ts'

/** A refused card becomes 402 with the provider's own sentence, a closed payment 409; the rest stays what it was. */
export function asRefusal(error: unknown): never {
  if (error instanceof Stripe.errors.StripeCardError) throw paymentRequired(messageOf(error) ?? error.message)
  if (error instanceof Stripe.errors.StripeError && error.code === 'payment_intent_unexpected_state') {
    throw conflict('This payment is no longer open. Choose your plan again')
  }
  throw error
}

const unconfirmed = new Set(['payment_intent_authentication_failure', 'setup_intent_authentication_failure'])

/** Why a card was refused, in words for its holder: the provider's own, except where those are meant for developers. */
export function messageOf(error: { code?: string; message?: string } | null): string | undefined {
  if (error?.code !== undefined && unconfirmed.has(error.code))
    return 'Your bank did not confirm this card, so nothing was charged. Try again or use another card.'
  return error?.message
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
