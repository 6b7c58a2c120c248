import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import type * as Seeds from './db/seed/seed.ts'
import { exitWith, loadConfig, type Config } from './config/config.ts'
import { usesStandin } from './features/billing/billing.service.ts'
import { ownFile } from './platform/storage/own-files.ts'
import { startServer, type RunningServer, type Seed } from './server.ts'
import { sharedWebhookSecret } from './standins/stripe/shared-standin.ts'
import { startStripeStandin } from './standins/stripe/stripe-standin.ts'

/**
 * Starts a local stand-in for Stripe in demos without Stripe keys. If STRIPE_STANDIN_URL is set, all processes share the stand-in
 * at that URL, because each stand-in has its own customers.
 */
async function withStandins(config: Config, port: () => number): Promise<{ config: Config; close(): Promise<void> }> {
  const { stripe } = config
  const close = async () => undefined
  if (!usesStandin(config) || stripe.apiUrl !== undefined) return { config, close }
  if (stripe.standinUrl !== undefined) {
    const shared = Object.freeze({ ...stripe, apiUrl: stripe.standinUrl, webhookSecret: sharedWebhookSecret(config) })
    return { config: Object.freeze({ ...config, stripe: shared }), close }
  }
  if (!config.roles.api) return { config, close }
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`
  const standin = await startStripeStandin({
    dataDir: join(config.dataDir, 'stripe'),
    webhookUrl: () => `http://127.0.0.1:${port()}/api/webhooks/stripe`,
    webhookSecret,
  })
  const local = Object.freeze({ ...stripe, apiUrl: standin.url, webhookSecret })
  return { config: Object.freeze({ ...config, stripe: local }), close: standin.close }
}

/** Loads the demo seed only if it is needed. It has its own entry point in the build. */
const seed: Seed = async ({ db, config, now }) => {
  const entry = pathToFileURL(ownFile('db/seed/seed.ts', 'seed.js')).href
  const { seedDemo } = (await import(entry)) as typeof Seeds
  await seedDemo({ db, storageDir: config.storageDir, now: now() })
}

async function main(): Promise<void> {
  const running: { server?: RunningServer } = {}
  const stop = async (server: RunningServer, signal: string) => {
    try {
      await server.stop(signal)
    } finally {
      await standins.close()
    }
  }
  const end = (signal: string) => {
    if (running.server === undefined) {
      // Startup may be waiting for a service that never responds. Exiting is safe: PostgreSQL rolls back, as after a crash.
      process.stdout.write(`Received ${signal} before Lanewire was ready. It does not start\n`)
      process.exit(0)
    }
    void stop(running.server, signal).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  // Register the listeners first. As process 1 of a container, Node would otherwise ignore these signals.
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  const standins = await withStandins(loadConfig(), () => running.server?.port ?? 0)
  running.server = await startServer(standins.config, standins.config.demoSeed ? seed : undefined, true)
  process.stdout.write(running.server.banner)
  const words = await running.server.setupText
  if (words !== undefined) process.stdout.write(`${words}\n`)
}

// Node's default handler would print every property of an error, including row values of a failed statement.
process.on('uncaughtException', exitWith)
main().catch(exitWith)
