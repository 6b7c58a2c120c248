import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
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

/** How a caller stands with one limit. */
interface Allowance {
  max: number
  left: number
  resetSeconds: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The limit that this request brought its caller nearest to. */
    limit: { nearest?: Allowance } | undefined
  }
}

/** The request under way: a service that counts a call knows nothing of the answer that tells of it. */
const counting = new AsyncLocalStorage<NonNullable<FastifyRequest['limit']>>()

function note(allowance: Allowance): void {
  const limit = counting.getStore()
  if (limit !== undefined && (limit.nearest === undefined || allowance.left < limit.nearest.left))
    limit.nearest = allowance
}

/** Every answer to a call that was counted says how many more may follow, and when the count begins anew. */
export function sendLimits(app: FastifyInstance): void {
  app.decorateRequest('limit', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.limit = {}
    counting.run(request.limit, done)
  })
  // A body arrives outside of what began before it.
  app.addHook('preValidation', (request, _reply, done) => counting.run(request.limit ?? {}, done))
  app.addHook('onSend', async ({ limit }, reply) => {
    const nearest = limit?.nearest
    if (nearest === undefined) return
    void reply
      .header('ratelimit-limit', nearest.max)
      .header('ratelimit-remaining', nearest.left)
      .header('ratelimit-reset', nearest.resetSeconds)
  })
}

const inSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))

/** 429 whose `retryAfter` becomes the Retry-After header. @param max calls that are let through until then */
export function rateLimited(wait: number, max = 1): AppError {
  note({ max, left: 0, resetSeconds: wait })
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
        const { remainingPoints, msBeforeNext } = await limiterOf(limit).consume(countedAs(key))
        note({ max: limit.max, left: remainingPoints, resetSeconds: inSeconds(msBeforeNext) })
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw rateLimited(inSeconds(refused.msBeforeNext), limit.max)
        throw refused
      }
    },
  }
}
