import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { type Config, ConfigError } from '#server/config/config.ts'
import { startStripeStandin } from './stripe-standin.ts'

/** All processes of a demo derive the same webhook secret from SESSION_SECRET, which they share. */
export function sharedWebhookSecret(config: Config): string {
  return `whsec_${createHmac('sha256', config.secret).update('payment stand-in').digest('hex')}`
}

/** Starts the stand-in that all processes of a demo share. They reach it at STRIPE_STANDIN_URL. */
export async function startSharedStandin(config: Config): Promise<{ url: string; close: () => Promise<void> }> {
  const webhookUrl = config.stripe.standinWebhookUrl
  if (webhookUrl === undefined) throw new ConfigError(['STRIPE_STANDIN_WEBHOOK_URL: where do its events go?'])
  return startStripeStandin({
    dataDir: join(config.dataDir, 'stripe'),
    webhookUrl,
    webhookSecret: sharedWebhookSecret(config),
    host: config.host,
    port: config.port,
  })
}
