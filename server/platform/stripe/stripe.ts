import Stripe from 'stripe'

export interface StripeOptions {
  secretKey: string | undefined
  /** Base URL of a local stand-in for Stripe's API; undefined for Stripe itself. */
  apiUrl: string | undefined
}

/** Nothing listens here. If neither a key nor a stand-in is configured, no call may leave this machine. */
const nowhere = 'http://127.0.0.1:9'
const standinKey = 'sk_test_standin'

const timeoutMs = 10_000
const retries = 2

/** Creates a Stripe client. Its retries reuse one idempotency key, so a lost response never causes a second charge. */
export function createStripe({ secretKey, apiUrl }: StripeOptions): Stripe {
  const common = { maxNetworkRetries: retries, timeout: timeoutMs, telemetry: false }
  if (secretKey !== undefined && apiUrl === undefined) return new Stripe(secretKey, common)
  const { hostname, port, protocol } = new URL(apiUrl ?? nowhere)
  return new Stripe(secretKey ?? standinKey, {
    ...common,
    host: hostname,
    port,
    protocol: protocol === 'https:' ? 'https' : 'http',
  })
}
