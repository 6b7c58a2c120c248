import { Redis } from 'ioredis'
import type { TestApp } from './app.ts'

/** Adds `calls` requests to the rate-limit windows whose key contains `to`. Extends the windows to an hour, for busy machines. */
export async function addCalls({ services }: Pick<TestApp, 'services'>, to: string, calls: number): Promise<void> {
  // Use a separate connection, because commands on the server's own connection fail at once while it reconnects.
  const redis = new Redis(services.REDIS_URL)
  try {
    const keys = await redis.keys(`${services.REDIS_PREFIX}:limit:*${to}*`)
    if (keys.length === 0) throw new Error(`nothing has counted for ${to}`)
    for (const key of keys) await redis.multi().incrby(key, calls).expire(key, 3_600).exec()
  } finally {
    redis.disconnect()
  }
}
