import { timingSafeEqual } from 'node:crypto'
import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { readBackupAge } from '#server/features/admin/backups/backups-daily.service.ts'
import type { Admission } from '#server/platform/process/load-shedding.ts'
import type { Context } from '#server/platform/process/context.ts'
import { ProcessBusy } from '#server/platform/database/db.ts'
import { healthRoutes, type Health } from '#server/platform/process/health.ts'
import { sendNotFound } from '#server/platform/http/http-errors.ts'
import { listenAt } from '#server/platform/http/listen.ts'
import { createSingleFlight } from '#server/platform/single-flight.ts'
import type { FindIndex } from '#server/features/find/columns/find-index.ts'
import type { LiveServer } from '#server/realtime/live-server.ts'
import { findOutboxFigures } from './ops.repository.ts'

const bearer = 'Bearer '
const scrapeMs = 500

function isToken(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(bearer + token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

type Gauges = (name: string, help: string, labelNames: string[], collect: (this: Gauge) => Promise<void> | void) => void

function queueGauges({ queues }: Context, gauge: Gauges): void {
  gauge('lanewire_queue_jobs', 'Jobs by queue and state', ['queue', 'state'], async function () {
    const counted = await Promise.all(
      Object.values(queues).map(async (queue) => {
        const counts = await queue.getJobCounts('waiting', 'active', 'failed', 'delayed').catch(() => ({}))
        return { queue: queue.name, counts }
      }),
    )
    // If Redis is down now, the old values would be misleading.
    this.reset()
    for (const { queue, counts } of counted)
      for (const [state, count] of Object.entries(counts)) this.set({ queue, state }, count)
  })
}

type OutboxFigures = Awaited<ReturnType<typeof findOutboxFigures>>

function outboxGauges({ db }: Context, gauge: Gauges): void {
  // These gauges share one query, so that their values are consistent.
  const asked = createSingleFlight<OutboxFigures>(scrapeMs)
  const ask = () => asked.forceFetch('outbox', { context: () => findOutboxFigures(db) })
  const outboxGauge = (name: string, help: string, read: (figures: OutboxFigures) => number) =>
    gauge(name, help, [], async function () {
      const figures = await ask().catch(() => undefined)
      if (figures) this.set(read(figures))
      else this.remove()
    })
  gauge('lanewire_database_up', '1 while this process reaches PostgreSQL', [], async function () {
    // A busy process cannot tell whether the database is down, so report it as up.
    const isUp = await ask().then(
      () => true,
      (error: unknown) => error instanceof ProcessBusy,
    )
    this.set(Number(isUp))
  })
  outboxGauge('lanewire_outbox_due', 'Outbox rows that are late', ({ due }) => due)
  outboxGauge('lanewire_outbox_oldest_seconds', 'Age of the oldest late outbox row', (it) => (it.oldestMs ?? 0) / 1_000)
}

function backupGauge(ctx: Context, gauge: Gauges): void {
  gauge('lanewire_backup_verified_age_seconds', 'Age of the newest verified backup', [], async function () {
    const ageMs = await readBackupAge(ctx).catch(() => null)
    if (ageMs === null) this.remove()
    else this.set(ageMs / 1_000)
  })
}

function roleGauge({ config }: Context, gauge: Gauges): void {
  gauge('lanewire_role', '1 for each role that this process runs', ['role'], function () {
    for (const [role, runs] of Object.entries(config.roles)) if (runs) this.set({ role }, 1)
  })
}

/** Omits folders that do not exist yet. */
function diskGauges({ config }: Context, gauge: Gauges): void {
  const disks = { data: config.dataDir, ...(config.s3 === undefined && { storage: config.storageDir }) }
  const diskGauge = (name: string, help: string, read: (found: StatsFs) => number) =>
    gauge(name, help, ['disk'], async function () {
      this.reset()
      for (const [disk, folder] of Object.entries(disks)) {
        const found = await statfs(folder).catch(() => undefined)
        if (found !== undefined) this.set({ disk }, read(found) * found.bsize)
      }
    })
  diskGauge('lanewire_disk_free_bytes', 'Free space by disk', ({ bavail }) => bavail)
  diskGauge('lanewire_disk_size_bytes', 'Size of the disk', ({ blocks }) => blocks)
}

function processGauges(ctx: Context, io: LiveServer, gauge: Gauges): void {
  gauge('lanewire_database_connections', 'Connections of the pool by state', ['state'], function () {
    for (const [state, count] of Object.entries(ctx.poolStats())) this.set({ state }, count)
  })
  gauge('lanewire_sockets', 'Sockets open on this process', [], function () {
    this.set(io.sockets.sockets.size)
  })
  gauge('lanewire_redis_up', '1 while this process reaches Redis', [], function () {
    this.set(ctx.redis.healthy() ? 1 : 0)
  })
}

function findGauges(find: FindIndex, gauge: Gauges): void {
  const findGauge = (name: string, help: string, read: () => number | null) =>
    gauge(name, help, [], function () {
      const value = read()
      if (value === null) this.remove()
      else this.set(value)
    })
  findGauge('lanewire_find_ready', '1 while this process can answer Find searches', () =>
    Number(find.figures().state === 'ready'),
  )
  findGauge(
    'lanewire_find_vehicles',
    'Vehicles on offer that this process holds for Find',
    () => find.figures().vehicles,
  )
  findGauge('lanewire_find_memory_megabytes', 'Memory that Find uses in this process', () => find.figures().memoryMb)
  findGauge('lanewire_find_age_seconds', 'Time since this process last updated its Find index', () => {
    const { ageMs } = find.figures()
    return ageMs === null ? null : ageMs / 1_000
  })
}

function admissionGauges(admission: Admission, gauge: Gauges): void {
  gauge('lanewire_requests_under_way', 'Requests that this process is answering', [], function () {
    this.set(admission.underWay)
  })
  gauge('lanewire_admission_closed', '1 while this process refuses even messages and bids', [], function () {
    this.set(Number(admission.isClosed))
  })
}

interface Measured {
  io: LiveServer
  find: FindIndex
  admission: Admission
}

/** Registers the gauges, unless METRICS_TOKEN is not set. */
export function collectFigures(ctx: Context, { io, find, admission }: Measured): void {
  if (ctx.config.metricsToken === undefined) return
  const { registry } = ctx.metrics
  const registers: Registry[] = [registry]
  collectDefaultMetrics({ register: registry })
  const gauge: Gauges = (name, help, labelNames, collect) =>
    void new Gauge({ name, help, labelNames, registers, collect })
  queueGauges(ctx, gauge)
  outboxGauges(ctx, gauge)
  backupGauge(ctx, gauge)
  roleGauge(ctx, gauge)
  diskGauges(ctx, gauge)
  processGauges(ctx, io, gauge)
  findGauges(find, gauge)
  admissionGauges(admission, gauge)
}

/** Serves `/metrics` and measures requests. Call this on the app itself, so that its hook runs for every route. */
export function serveMetrics(app: FastifyInstance, { config, metrics }: Context): void {
  const token = config.metricsToken
  if (token === undefined) return
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
  })
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    if (!isToken(request.headers.authorization, token)) return sendNotFound(request, reply)
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

/** Serves metrics of workers, which have no other port, and of single web processes behind a load balancer. @returns stops the server */
export async function startMetricsServer(ctx: Context, health: Health): Promise<() => Promise<void>> {
  const { metricsPort: port, host } = ctx.config
  if (port === undefined) return async () => undefined
  const app = fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  app.setNotFoundHandler(sendNotFound)
  await app.register(healthRoutes, { health })
  serveMetrics(app, ctx)
  await listenAt(app, { port, host }, 'HOST and METRICS_PORT')
  return () => app.close()
}
