import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Context } from './context.ts'
import { ProcessBusy } from './db.ts'

/** Liveness: the process answers. Readiness: it can do its work and is not on its way out. */
export interface Health {
  draining(): boolean
  /** `find` while this process still reads what is on offer. */
  ready(): Promise<{ database: boolean; redis: boolean; find?: false }>
}

/** @param isFindRead what Find looks through is there, or nobody has to wait for it */
export function createHealth(ctx: Context, draining: () => boolean, isFindRead: () => boolean): Health {
  return {
    draining,
    async ready() {
      const database = await sql`select 1`
        .execute(ctx.db)
        .then(() => true)
        // A process that is late knows nothing of its database.
        .catch((error: unknown) => error instanceof ProcessBusy)
      return { database, redis: ctx.redis.healthy(), ...(!isFindRead() && { find: false as const }) }
    },
  }
}

/** Redis away is degraded, not unready: the poll carries the clients meanwhile. */
export const healthRoutes: FastifyPluginAsync<{ health: Health }> = async (app, { health }) => {
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    const parts = await health.ready()
    const draining = health.draining()
    const ready = parts.database && parts.find !== false && !draining
    const unready = draining ? 'draining' : 'unavailable'
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : unready, ...parts })
  })
}
