import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '#server/config.ts'
import { AppError } from '#server/errors.ts'
import { countedAs } from './client-address.ts'
import type { RedisConnections } from './redis.ts'

/** So many calls in so many seconds. */
export interface Limit {
  name: string
  max: number
  seconds: number
}

export interface Limiter {
  /** Counts one call. @throws AppError 429 with the seconds to wait. Redis away: counted in this process. */
  consume(limit: Limit, key: string): Promise<void>
}

/** 429 whose `retryAfter` becomes the Retry-After header. */
export function rateLimited(retryAfterSeconds: number): AppError {
  const wait = Math.max(1, Math.ceil(retryAfterSeconds))
  return new AppError(429, 'rate_limited', `Too many tries. Wait ${wait} s and try again`, { retryAfter: wait })
}

export function createLimiter(config: Config, redis: RedisConnections): Limiter {
  const limiters = new Map<string, RateLimiterRedis>()
  const limiterOf = (limit: Limit) => {
    const known = limiters.get(limit.name)
    if (known !== undefined) return known
    const options = {
      points: limit.max,
      duration: limit.seconds,
      keyPrefix: `${config.redisPrefix}:limit:${limit.name}`,
    }
    const made = new RateLimiterRedis({
      ...options,
      storeClient: redis.commands,
      insuranceLimiter: new RateLimiterMemory(options),
      rejectIfRedisNotReady: true,
    })
    limiters.set(limit.name, made)
    return made
  }
  return {
    async consume(limit, key) {
      if (!config.rateLimits) return
      try {
        await limiterOf(limit).consume(countedAs(key))
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw rateLimited(refused.msBeforeNext / 1_000)
        throw refused
      }
    },
  }
}
