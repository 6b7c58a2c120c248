import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { sendNotFound } from '#server/platform/http-errors.ts'
import type { Context } from '#server/platform/context.ts'
import { createSingleFlight } from '#server/platform/single-flight.ts'
import { findOutboxFigures } from './ops.repository.ts'

const bearer = 'Bearer '
const scrapeMs = 500

function isToken(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(bearer + token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function queueGauge(ctx: Context, registry: Registry): void {
  const gauge = new Gauge({
    name: 'lanewire_queue_jobs',
    help: 'Jobs by queue and state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      for (const queue of Object.values(ctx.queues)) {
        const counts = await queue.getJobCounts('waiting', 'active', 'failed', 'delayed').catch(() => ({}))
        for (const [state, count] of Object.entries(counts)) gauge.set({ queue: queue.name, state }, count)
      }
    },
  })
}

type OutboxFigures = Awaited<ReturnType<typeof findOutboxFigures>>

function outboxGauges(ctx: Context, registry: Registry): void {
  // The gauges of one answer are of one moment: each asks, and the database is asked once.
  const asked = createSingleFlight<OutboxFigures>(scrapeMs)
  const gauge = (name: string, help: string, read: (figures: OutboxFigures) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const figures = await asked
          .forceFetch('outbox', { context: () => findOutboxFigures(ctx.db) })
          .catch(() => undefined)
        if (figures) this.set(read(figures))
      },
    })
  gauge('lanewire_outbox_due', 'Outbox rows that are late', ({ due }) => due)
  gauge('lanewire_outbox_oldest_seconds', 'Age of the oldest late outbox row', (it) => (it.oldestMs ?? 0) / 1_000)
}

function poolGauge(ctx: Context, registry: Registry): void {
  const gauge = new Gauge({
    name: 'lanewire_database_connections',
    help: 'Connections of the pool by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(ctx.poolStats())) gauge.set({ state }, count)
    },
  })
}

/**
 * GET /metrics for Prometheus, with METRICS_TOKEN as bearer token; without the setting or the token there is nothing there.
 * Called on the app itself, not registered: its timer has to see every route.
 */
export function serveMetrics(app: FastifyInstance, ctx: Context): void {
  const token = ctx.config.metricsToken
  if (token === undefined) return
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'lanewire_http_request_seconds',
    help: 'Time to answer by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  queueGauge(ctx, registry)
  outboxGauges(ctx, registry)
  poolGauge(ctx, registry)
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
  })
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    if (!isToken(request.headers.authorization, token)) return sendNotFound(request, reply)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
