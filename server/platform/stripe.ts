import Stripe from 'stripe'

export interface StripeOptions {
  secretKey: string
  /** Base address of a local stand-in; absent for the provider's own. */
  apiUrl?: string | undefined
}

const timeoutMs = 10_000
const retries = 2

/**
 * The provider's own SDK, whichever address it talks to. Retries reuse one idempotency key, so a lost answer is never
 * a second charge.
 */
export function createStripe({ secretKey, apiUrl }: StripeOptions): Stripe {
  const common = { maxNetworkRetries: retries, timeout: timeoutMs, telemetry: false }
  if (apiUrl === undefined) return new Stripe(secretKey, common)
  const { hostname, port, protocol } = new URL(apiUrl)
  return new Stripe(secretKey, { ...common, host: hostname, port, protocol: protocol === 'https:' ? 'https' : 'http' })
}
