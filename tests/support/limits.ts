import { Redis } from 'ioredis'
import type { TestApp } from './app.ts'

/**
 * Adds `calls` to the current rate-limit windows whose key contains `to`, as if those requests had been sent. Also extends the windows to
 * an hour, because a busy machine may need more than a minute. With 0 `calls`, it only extends the windows.
 */
export async function addCalls({ services }: Pick<TestApp, 'services'>, to: string, calls: number): Promise<void> {
  // Use a separate connection, because the server's own connection times out early.
  const redis = new Redis(services.REDIS_URL)
  try {
    const keys = await redis.keys(`${services.REDIS_PREFIX}:limit:*${to}*`)
    if (keys.length === 0) throw new Error(`nothing has counted for ${to}`)
    for (const key of keys) await redis.multi().incrby(key, calls).expire(key, 3_600).exec()
  } finally {
    redis.disconnect()
  }
}
