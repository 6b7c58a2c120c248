import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { listenAt } from '#server/platform/http/listen.ts'
import { runDue } from './stripe-clock.ts'
import type { Provider } from './stripe-billing.ts'
import { StripeFault } from './stripe-faults.ts'
import { replayResponses } from './stripe-idempotency.ts'
import {
  catalogRoutes,
  controlRoutes,
  customerRoutes,
  paymentRoutes,
  setupRoutes,
  subscriptionRoutes,
} from './stripe-routes.ts'
import { StripeStore } from './stripe-store.ts'
import { StripeWebhooks } from './stripe-webhooks.ts'

export interface StripeStandinOptions {
  dataDir: string
  /** A function if the URL is known only after the stand-in has started. */
  webhookUrl: string | (() => string)
  webhookSecret: string
  /** Delays between attempts to deliver a webhook. They span minutes here, but days at Stripe. */
  retryDelaysMs?: readonly number[]
  port?: number
  host?: string
}

const apiVersion = '2026-10-28.endive'
const defaultRetryDelaysMs = [500, 1_000, 2_000, 5_000, 15_000, 60_000, 300_000, 900_000]
const dueEveryMs = 60_000

/** Starts a local server with the parts of Stripe's HTTP API that Lanewire uses. Never used with a real Stripe key. */
export async function startStripeStandin(
  options: StripeStandinOptions,
): Promise<{ url: string; close: () => Promise<void> }> {
  const store = await StripeStore.open(options.dataDir)
  const retryDelaysMs = options.retryDelaysMs ?? defaultRetryDelaysMs
  const { webhookUrl } = options
  const url = typeof webhookUrl === 'string' ? () => webhookUrl : webhookUrl
  const webhooks = new StripeWebhooks(store, { url, secret: options.webhookSecret, retryDelaysMs }, apiVersion)
  const app = buildApp({ store, webhooks })
  await listenAt(app, { host: options.host ?? '127.0.0.1', port: options.port ?? 0 }, 'HOST and PORT')
  webhooks.resume()
  const due = setInterval(() => runDue({ store, webhooks }), dueEveryMs)
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      clearInterval(due)
      await app.close()
      await webhooks.close()
      await store.close()
    },
  }
}

function buildApp(provider: Provider): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', async (request) => {
    if (!request.headers.authorization?.startsWith('Bearer sk_')) {
      throw new StripeFault(401, { type: 'invalid_request_error', message: 'You did not provide an API key.' })
    }
  })
  replayResponses(app, provider.store)
  app.setErrorHandler(async (error, _request, reply) => {
    if (error instanceof StripeFault) return reply.code(error.statusCode).send({ error: error.body })
    const message = error instanceof Error ? error.message : 'Unknown error'
    return reply.code(500).send({ error: { type: 'api_error', message } })
  })
  for (const routes of [catalogRoutes, customerRoutes, subscriptionRoutes, paymentRoutes, setupRoutes, controlRoutes]) {
    void app.register(routes, { provider })
  }
  return app
}
