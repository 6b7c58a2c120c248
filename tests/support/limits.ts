import { Redis } from 'ioredis'
import type { TestApp } from './app.ts'

/**
 * Adds calls to the current windows of limits whose key contains `to`, as if they had been sent. Extends these windows to an hour,
 * because a busy machine may need more than a minute; `calls` of 0 does only that.
 */
export async function addCalls({ services }: Pick<TestApp, 'services'>, to: string, calls: number): Promise<void> {
  // The server's own connection times out early.
  const redis = new Redis(services.REDIS_URL)
  try {
    const keys = await redis.keys(`${services.REDIS_PREFIX}:limit:*${to}*`)
    if (keys.length === 0) throw new Error(`nothing has counted for ${to}`)
    for (const key of keys) await redis.multi().incrby(key, calls).expire(key, 3_600).exec()
  } finally {
    redis.disconnect()
  }
}
