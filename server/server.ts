import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { socketPayloadMaxBytes } from '#shared/limits.ts'
import { buildApp } from './app.ts'
import type { Config } from './config/config.ts'
import { migrateToLatest } from './db/migrate.ts'
import { reportBackupFaults } from './features/admin/backups/backups.service.ts'
import { setupText } from './features/auth/setup.service.ts'
import { StartFault } from './errors.ts'
import { demoAccounts } from './features/auth/demo-accounts.ts'
import { hasDemoAccounts } from '#server/features/dealers/dealers.service.ts'
import { currentRev } from '#server/features/notifications/inbox.service.ts'
import { createViewCounter, type ViewCounter } from './features/posts/view-counter.ts'
import { FindIndex } from './features/find/columns/find-index.ts'
import { startHeartbeat } from './features/ops/ops-heartbeat.ts'
import { collectFigures, startMetricsServer } from './features/ops/ops-metrics.ts'
import { isJobOn, jobHandlers, queueOf, schedules } from './jobs.ts'
import { onLeaving } from './leaving.ts'
import { liveFeatures } from './live.ts'
import { startAuctionSweeper } from '#server/features/auctions/auction-closing.service.ts'
import { readBuildId } from './platform/http/web-client.ts'
import { type Admission, startAdmission } from './platform/process/load-shedding.ts'
import { fixedHeaders } from './platform/http/content-security.ts'
import { createContext, type Context } from './platform/process/context.ts'
import { createHealth, type Health } from './platform/process/health.ts'
import { createLifeCycle, type LifeCycle } from './platform/process/life-cycle.ts'
import { listenAt } from './platform/http/listen.ts'
import { createLogger } from './platform/process/log.ts'
import { retryWhileDatabaseDown } from './platform/database/database-retries.ts'
import { ActorCache } from './platform/session/session.ts'
import { startWorkers, type Workers } from './platform/jobs/worker.ts'
import { createAdapter } from './realtime/adapter.ts'
import { drainSockets } from './realtime/drain.ts'
import { limitHandshakes, startGateway } from './realtime/gateway.ts'
import type { LiveServer } from './realtime/live-server.ts'
import type { Merges } from './realtime/room-throttle.ts'
import { guardSlowReaders } from './realtime/slow-readers.ts'
import { countViewers } from './realtime/viewers.ts'

export interface RunningServer {
  ctx: Context
  io: LiveServer
  find: FindIndex
  /** 0 if this process runs neither the api nor the rt role. */
  port: number
  banner: string
  /** Instructions for creating the first admin, or undefined if there is an admin. Waits for PostgreSQL and never rejects. */
  setupText: Promise<string | undefined>
  stop(why: string): Promise<void>
}

const pingIntervalMs = 20_000
const pingTimeoutMs = 10_000
const drainJitterMs = 2_000
/** During a rush, Node's default of 511 would make the system drop connections, and clients retry only after a second. */
const backlog = 4_096

function createIo(ctx: Context, node: string): { io: LiveServer; closeIo: () => void } {
  const merges: Merges = Object.assign({}, ...liveFeatures.map((feature) => feature.merges))
  const adapter = createAdapter(ctx.redis, {
    prefix: ctx.config.redisPrefix,
    log: ctx.log,
    merges,
    deliveries: ctx.metrics.deliveries,
  })
  const io: LiveServer = new Server({
    adapter: adapter as never,
    transports: ['websocket', 'polling'],
    perMessageDeflate: false,
    httpCompression: false,
    serveClient: false,
    maxHttpBufferSize: 4 * socketPayloadMaxBytes,
    pingInterval: pingIntervalMs,
    pingTimeout: pingTimeoutMs,
    allowRequest: limitHandshakes(ctx),
  })
  const stops = liveFeatures.map((feature) => feature.publish?.(ctx, io))
  ctx.log.debug({ node }, 'the real-time server is up')
  const closeIo = () => {
    for (const stop of stops) stop?.()
    // Without the rt role, Socket.IO has no engine, and `io.close()` would throw.
    void (ctx.config.roles.rt ? io.close() : io.of('/').adapter.close())
  }
  return { io, closeIo }
}

function bannerOf(config: Config, port: number | undefined): string {
  if (port === undefined) return 'The Lanewire worker is ready and processes jobs; see /admin/queues\n'
  const url = config.publicUrl ?? `http://localhost:${port}`
  const accounts = config.demo
    ? `\n${demoAccounts.map(({ role, email, password }) => `  ${role.padEnd(14)} ${email}  ${password}`).join('\n')}`
    : ''
  return `Lanewire is ready at ${url}${accounts}\n`
}

/** Refuses to start outside of a demo if the database has demo accounts, because their passwords are public. @throws {StartFault} */
async function refuseDemoAccounts(ctx: Context): Promise<void> {
  if (ctx.config.demo) return
  const ask = { log: ctx.log, what: 'whether there are demo accounts' }
  if (!(await retryWhileDatabaseDown(() => hasDemoAccounts(ctx.db), ask))) return
  await ctx.close()
  throw new StartFault(
    [
      'This database contains demo accounts with published passwords. Lanewire does not start on it with DEMO=off.',
      '  - To keep only the real accounts: npm run demo:remove (in Docker: docker compose run --rm --no-deps worker',
      '    node dist/server/remove-demo.js) removes the demo and all its data, and lists what was removed.',
      '  - To start over: use an empty database.',
      '  - To keep trying it out: set DEMO=on.',
    ].join('\n'),
  )
}

/** Only logs errors, because the server is already running. */
async function findSetupText(ctx: Context, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await retryWhileDatabaseDown(() => setupText(ctx), {
      signal,
      log: ctx.log,
      what: 'whether there is an admin',
    })
  } catch (error) {
    if (!signal.aborted) ctx.log.error({ err: error }, 'could not check whether there is an admin')
    return undefined
  }
}

export type Seed = (ctx: Context) => Promise<void>

/**
 * Migrates and seeds the database, then starts the configured roles. `stop` shuts the server down.
 * @param readFind if true, an api process reports that it is ready only once Find's index is loaded; otherwise, the first search loads it
 */
export async function startServer(config: Config, seed?: Seed, readFind = false): Promise<RunningServer> {
  const log = createLogger(config)
  const node = randomUUID().slice(0, 8)
  const life = createLifeCycle(log, config.shutdownGraceMs)
  await migrateToLatest(config.databaseUrl)
  const ctx = await createContext(config, log, { queueOf, isJobOn, onLeaving })
  await refuseDemoAccounts(ctx)
  await seed?.(ctx)
  const { io, closeIo } = createIo(ctx, node)
  const find = new FindIndex(ctx)
  const { admission, stop: stopAdmission } = startAdmission()
  collectFigures(ctx, { io, find, admission })
  const health = createHealth(ctx, { isDraining: () => life.ending, isFindRead: find.isLoaded, admission })
  const views = createViewCounter(ctx)
  life.started('connections to PostgreSQL and Redis', () => ctx.close())
  life.started('admission', stopAdmission)
  life.started('views', () => views.stop())
  life.started('heartbeat', startHeartbeat(ctx, io, node, find))
  life.started('find', () => find.close())
  find.start(readFind && config.roles.api)
  // Shutdown runs in reverse order. The metrics server closes after the workers and sockets, so that health checks can report the shutdown.
  life.started('metrics', await startMetricsServer(ctx, health))
  let workers: Workers | undefined
  // The workers close after the sockets, but start after the web server, because their first status probe calls the web server.
  life.started('jobs', () => workers?.close())
  life.started('live side', closeIo)
  const port =
    config.roles.api || config.roles.rt
      ? await listen({ ctx, io, node, views, life, health, find, admission })
      : undefined
  if (config.roles.worker) {
    workers = startWorkers(ctx, jobHandlers, schedules)
    life.started('auction sweep', startAuctionSweeper(ctx))
    if (config.backups.hour !== undefined) void reportBackupFaults(ctx)
  }
  const asking = new AbortController()
  life.started('first admin', () => asking.abort())
  const words = config.roles.api
    ? findSetupText({ ...ctx, config: { ...config, port: port ?? config.port } }, asking.signal)
    : Promise.resolve(undefined)
  return { ctx, io, find, port: port ?? 0, banner: bannerOf(config, port), setupText: words, stop: life.stop }
}

interface Listening {
  ctx: Context
  io: LiveServer
  node: string
  views: ViewCounter
  life: LifeCycle
  health: Health
  find: FindIndex
  admission: Admission
}

async function listen({ ctx, io, node, views, life, health, find, admission }: Listening): Promise<number> {
  const { config } = ctx
  const actors = new ActorCache()
  const app = await buildApp(ctx, { admission, actors, views, health, find })
  if (config.roles.rt) {
    io.attach(app.server)
    const fixed = fixedHeaders(config)
    // Socket.IO handles its requests before Fastify does, so set the headers here.
    app.server.prependListener('request', (request, response) => {
      if (request.url?.startsWith(io.path())) response.setHeaders(new Map(Object.entries(fixed)))
    })
    const viewers = countViewers(ctx, io, node)
    const features = [...liveFeatures, viewers.feature]
    const stopGateway = startGateway({ io, ctx, actors, features, node, build: await readBuildId() }, (id) =>
      currentRev(ctx, id),
    )
    life.started('gateway', stopGateway)
    life.started('slow readers', guardSlowReaders(io, ctx.log))
    life.started('viewers', viewers.stop)
  }
  await listenAt(app, { port: config.port, host: config.host, backlog }, 'HOST and PORT')
  life.started('requests', () => app.close())
  if (config.roles.rt) life.started('sockets', () => drainSockets(io, drainJitterMs))
  return (app.server.address() as AddressInfo).port
}
