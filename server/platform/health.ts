import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Admission } from './admission.ts'
import type { Context } from './context.ts'
import { ProcessBusy } from './db.ts'

/** Liveness: the process answers. Readiness: it can do its work and is not on its way out. */
export interface Health {
  draining(): boolean
  ready(): Promise<Readiness>
}

interface Readiness {
  database: boolean
  redis: boolean
  /** Only while this process still loads the vehicles that Find searches. */
  find?: false
  /** Only while this process refuses even messages and bids. */
  busy?: true
}

/** Milliseconds beyond DATABASE_CONNECT_MS: a call that still waits for a connection then waits behind others that are served. */
const probeExtraMs = 500

interface HealthParts {
  isDraining: () => boolean
  /** Whether Find can answer, or nobody has to wait for it. */
  isFindRead: () => boolean
  admission: Admission
}

/** Answers whether this process can take requests. */
export function createHealth(ctx: Context, { isDraining, isFindRead, admission }: HealthParts): Health {
  const reachesDatabase = async () => {
    const asked = sql`select 1`
      .execute(ctx.db)
      .then(() => true)
      // A process that was too busy for its database knows nothing about it.
      .catch((error: unknown) => error instanceof ProcessBusy)
    const waited = pause(ctx.config.databaseConnectMs + probeExtraMs, undefined, { ref: false })
    return Promise.race([asked, waited.then(() => ctx.poolStats().waiting > 0 || asked)])
  }
  return {
    draining: isDraining,
    async ready() {
      const database = await reachesDatabase()
      return {
        database,
        redis: ctx.redis.healthy(),
        ...(!isFindRead() && { find: false as const }),
        ...(admission.isClosed && { busy: true as const }),
      }
    },
  }
}

/** Redis away is degraded, not unready: the poll carries the clients meanwhile. */
export const healthRoutes: FastifyPluginAsync<{ health: Health }> = async (app, { health }) => {
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    const parts = await health.ready()
    const draining = health.draining()
    const ready = parts.database && parts.find !== false && parts.busy !== true && !draining
    const unready = draining ? 'draining' : 'unavailable'
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : unready, ...parts })
  })
}
