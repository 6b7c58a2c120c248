import type { TestApp } from './app.ts'

/** Deletes this app's Redis keys but no others, because other test files use the same Redis. */
export async function forgetRedis({ server, services }: TestApp): Promise<void> {
  const { commands } = server.ctx.redis
  const keys = await commands.keys(`${services.REDIS_PREFIX}*`)
  if (keys.length > 0) await commands.del(...keys)
}

export const outbox = ({ server }: TestApp, kind: 'event' | 'job') =>
  server.ctx.db.selectFrom('outbox').select(['id', 'name']).where('kind', '=', kind).execute()
