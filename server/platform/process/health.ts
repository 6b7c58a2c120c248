import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Admission } from './load-shedding.ts'
import type { Context } from './context.ts'
import { ProcessBusy } from '../database/db.ts'

export interface Health {
  draining(): boolean
  ready(): Promise<Readiness>
}

interface Readiness {
  database: boolean
  redis: boolean
  /** Set while this process is still loading the vehicle index of Find. */
  find?: false
  /** Set once this process has refused even messages and bids for a while (see `closedAfterMs`). */
  busy?: true
}

/** Milliseconds to wait beyond DATABASE_CONNECT_MS. If queries still queue for a connection then, the database is assumed to be up. */
const probeExtraMs = 500

interface HealthParts {
  isDraining: () => boolean
  isFindRead: () => boolean
  admission: Admission
}

export function createHealth(ctx: Context, { isDraining, isFindRead, admission }: HealthParts): Health {
  const reachesDatabase = async () => {
    const query = sql`select 1`
      .execute(ctx.db)
      .then(() => true)
      // A busy process cannot tell whether the database is up, so assume that it is.
      .catch((error: unknown) => error instanceof ProcessBusy)
    const waited = pause(ctx.config.databaseConnectMs + probeExtraMs, undefined, { ref: false })
    return Promise.race([query, waited.then(() => ctx.poolStats().waiting > 0 || query)])
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

/** A process without Redis still reports that it is ready, because clients fall back to polling. */
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
