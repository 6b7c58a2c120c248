import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { socketPayloadMaxBytes } from '#shared/limits.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { migrateToLatest } from './db/migrate.ts'
import { demoAccounts } from './db/seed/accounts.ts'
import { seedDemo } from './db/seed/seed.ts'
import { findRev } from './features/inbox/inbox.repository.ts'
import { createViewCounter } from './features/posts/view-counter.ts'
import { startHeartbeat } from './features/ops/ops-heartbeat.ts'
import { jobHandlers, queueOf, schedules } from './jobs.ts'
import { liveFeatures } from './live.ts'
import { startAuctionSweeper } from './features/auctions/auction-sweeper.ts'
import { readBuildId } from './platform/build-id.ts'
import { createContext, type Context } from './platform/context.ts'
import { createHealth } from './platform/health.ts'
import { createLogger } from './platform/log.ts'
import { ActorCache } from './platform/session.ts'
import { startWorkers, type Workers } from './platform/worker.ts'
import { createAdapter } from './realtime/adapter.ts'
import { drainSockets } from './realtime/drain.ts'
import { limitHandshakes, startGateway } from './realtime/gateway.ts'
import type { LiveServer } from './realtime/live-server.ts'
import { guardSlowReaders } from './realtime/slow-readers.ts'
import { countViewers } from './realtime/viewers.ts'

export interface RunningServer {
  ctx: Context
  io: LiveServer
  /** Where it listens; 0 without the api and rt roles. */
  port: number
  banner: string
  /** Said twice, it is done once. */
  stop(why: string): Promise<void>
}

const clientDir = 'dist/client'
const pingIntervalMs = 20_000
const pingTimeoutMs = 10_000
const drainJitterMs = 2_000
const healJitterMs = 3_000

function createIo(ctx: Context, node: string): LiveServer {
  const adapter = createAdapter(ctx.redis, ctx.config.redisPrefix, ctx.log, {
    onHeal: () => void io.local.emit('resync', { jitterMs: healJitterMs }),
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
  for (const feature of liveFeatures) feature.publish?.(ctx, io)
  ctx.log.debug({ node }, 'live side is up')
  return io
}

function bannerOf(config: Config, port: number | undefined): string {
  if (port === undefined)
    return 'The Lanewire worker is ready: it takes jobs from the queues and listens on no port; /admin/queues shows it\n'
  const url = config.publicUrl ?? `http://localhost:${port}`
  const accounts = config.demo
    ? `\n${demoAccounts.map(({ role, email, password }) => `  ${role.padEnd(14)} ${email}  ${password}`).join('\n')}`
    : ''
  return `Lanewire is ready at ${url}${accounts}\n`
}

/** Migrates, seeds an empty demo, and starts the roles that the configuration names; `stop` undoes it in reverse order. */
export async function startServer(config: Config): Promise<RunningServer> {
  const log = createLogger(config)
  const node = randomUUID().slice(0, 8)
  await migrateToLatest(config.databaseUrl)
  const ctx = await createContext(config, log, queueOf)
  if (config.demoSeed) await seedDemo({ db: ctx.db, storageDir: config.storageDir, now: ctx.now() })
  const io = createIo(ctx, node)
  const actors = new ActorCache()
  const views = createViewCounter(ctx)
  const health = createHealth(ctx)
  const closers: [what: string, close: () => Promise<void> | void][] = [
    ['connections to PostgreSQL and Redis', () => ctx.close()],
    ['views', () => views.stop()],
    ['heartbeat', startHeartbeat(ctx, io, node)],
  ]
  let workers: Workers | undefined
  closers.push(['jobs', () => workers?.close()])
  // Where no socket is held there is no engine, and closing it would be a fault.
  closers.push(['live side', () => void (config.roles.rt ? io.close() : io.of('/').adapter.close())])
  const web = config.roles.api || config.roles.rt ? await listen() : undefined
  // Only now: the first probe of the status page must find the web process listening.
  if (config.roles.worker) {
    workers = startWorkers(ctx, jobHandlers, schedules)
    closers.push(['auction sweep', startAuctionSweeper(ctx)])
  }

  async function listen(): Promise<{ port: number }> {
    const app = await buildApp(ctx, { actors, views, health, clientDir })
    if (config.roles.rt) {
      io.attach(app.server)
      const viewers = countViewers(ctx, io, node)
      const features = [...liveFeatures, viewers.feature]
      const stopGateway = startGateway({ io, ctx, actors, features, node, build: await readBuildId(clientDir) }, (id) =>
        findRev(ctx.db, id),
      )
      const stopGuard = guardSlowReaders(io, log)
      closers.push(['gateway', stopGateway], ['slow readers', stopGuard], ['viewers', viewers.stop])
    }
    await app.listen({ port: config.port, host: config.host })
    closers.push(['requests', () => app.close()])
    if (config.roles.rt) closers.push(['sockets', () => drainSockets(io, drainJitterMs)])
    return { port: (app.server.address() as AddressInfo).port }
  }

  async function stop(why: string): Promise<void> {
    log.info({ why }, 'stopping')
    health.draining = true
    let waitingFor = ''
    const timer = setTimeout(() => {
      log.fatal({ graceMs: config.shutdownGraceMs, waitingFor }, 'not stopped in time: ends with work under way')
      process.exit(1)
    }, config.shutdownGraceMs)
    timer.unref()
    for (const [what, close] of closers.toReversed()) {
      waitingFor = what
      await close()
    }
    clearTimeout(timer)
  }

  let stopped: Promise<void> | undefined
  return {
    ctx,
    io,
    port: web?.port ?? 0,
    banner: bannerOf(config, web?.port),
    stop: (why) => (stopped ??= stop(why)),
  }
}
