import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '#server/config/config.ts'
import { AppError } from '#server/errors.ts'
import { countedAs } from './http/client-address.ts'
import type { RedisConnections } from './redis/redis.ts'

export interface Limit {
  name: string
  max: number
  seconds: number
}

export interface Limiter {
  /**
   * Counts one call. If Redis is down or slow, counts in this process, starting from the last count that Redis returned.
   * @param caller the client whose responses report the limit (default: `key`) @throws RateLimited
   */
  consume(limit: Limit, key: string, caller?: string): Promise<void>
  /** Uncounts one call. For limits that count only failures. */
  uncount(limit: Limit, key: string): Promise<void>
  /** Returns the limit with the fewest calls left for these callers. Ignores limits counted before `since` (`performance.now()` time). */
  nearestSince(since: number, callers: (string | undefined)[]): Allowance | undefined
}

interface Allowance {
  max: number
  remaining: number
  resetSeconds: number
}

const callersMax = 10_000
const answerWithinMs = 60_000
const recentMax = 30

export class RateLimited extends AppError {
  readonly allowance: Allowance
  /** @param max maximum number of calls per window */
  constructor(waitSeconds: number, max = 1, message = `Too many attempts. Wait ${waitSeconds} s and try again`) {
    super(429, 'rate_limited', message, { retryAfter: waitSeconds })
    this.allowance = { max, remaining: 0, resetSeconds: waitSeconds }
  }
}

export function setRateLimitHeaders(reply: FastifyReply, { max, remaining, resetSeconds }: Allowance): void {
  void reply
    .header('ratelimit-limit', max)
    .header('ratelimit-remaining', remaining)
    .header('ratelimit-reset', resetSeconds)
}

/** Adds rate limit headers. Looks up the counts by caller, because AsyncLocalStorage would slow down every promise. */
export function sendLimits(app: FastifyInstance, limiter: Limiter): void {
  app.addHook('onSend', async (request, reply) => {
    if (reply.hasHeader('ratelimit-limit')) return
    const since = performance.now() - reply.elapsedTime
    const nearest = limiter.nearestSince(since, [request.visitor?.dealerId, request.address])
    if (nearest !== undefined) setRateLimitHeaders(reply, nearest)
  })
}

const inSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))

export function createLimiter(config: Config, redis: RedisConnections): Limiter {
  const limiters = new Map<string, { shared: RateLimiterRedis; local: RateLimiterMemory }>()
  const limitersOf = (limit: Limit) => {
    const known = limiters.get(limit.name)
    if (known !== undefined) return known
    const options = {
      points: limit.max,
      duration: limit.seconds,
      keyPrefix: `${config.redisPrefix}:limit:${limit.name}`,
    }
    const shared = new RateLimiterRedis({ ...options, storeClient: redis.commands, rejectIfRedisNotReady: true })
    const made = { shared, local: new RateLimiterMemory(options) }
    limiters.set(limit.name, made)
    return made
  }
  /** Latest counts from Redis, used to keep enforcing limits while Redis is slow or unavailable. */
  const lastResults = new LRUCache<string, { used: number; until: number }>({ max: callersMax })
  const count = async (limit: Limit, key: string): Promise<RateLimiterRes> => {
    const { shared, local } = limitersOf(limit)
    const place = `${limit.name} ${key}`
    try {
      const result = await shared.consume(key)
      lastResults.set(place, { used: result.consumedPoints, until: Date.now() + result.msBeforeNext })
      return result
    } catch (refused) {
      if (refused instanceof RateLimiterRes) throw refused
      const { used, until } = lastResults.get(place) ?? { used: 0, until: 0 }
      const left = until - Date.now()
      if (left > 0 && used > ((await local.get(key))?.consumedPoints ?? 0)) await local.set(key, used, inSeconds(left))
      return local.consume(key)
    }
  }
  const counted = new LRUCache<string, (Allowance & { at: number })[]>({ max: callersMax })
  const note = (caller: string, allowance: Allowance) => {
    const at = performance.now()
    const recent = counted.get(caller)?.filter((one) => one.at > at - answerWithinMs) ?? []
    counted.set(caller, [...recent.slice(-recentMax), { ...allowance, at }])
  }
  return {
    nearestSince(since, callers) {
      if (counted.size === 0) return undefined
      const found = callers.flatMap((caller) => (caller === undefined ? [] : (counted.get(countedAs(caller)) ?? [])))
      const [nearest] = found.filter(({ at }) => at >= since).toSorted((a, b) => a.remaining - b.remaining)
      return nearest
    },
    async uncount(limit, key) {
      if (!config.rateLimits) return
      const { shared, local } = limitersOf(limit)
      const place = countedAs(key)
      await shared.reward(place).catch(() => local.reward(place))
    },
    async consume(limit, key, caller = key) {
      if (!config.rateLimits) return
      try {
        const { remainingPoints, msBeforeNext } = await count(limit, countedAs(key))
        note(countedAs(caller), { max: limit.max, remaining: remainingPoints, resetSeconds: inSeconds(msBeforeNext) })
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw new RateLimited(inSeconds(refused.msBeforeNext), limit.max)
        throw refused
      }
    },
  }
}
