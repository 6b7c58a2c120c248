import { setTimeout as pause } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import type { Sentinels } from '#server/config/redis.ts'

/** Reconnects forever, at most 2 s apart, with jitter so that nodes do not reconnect in step. */
const retryStrategy = (times: number) => Math.min(50 * 2 ** Math.min(times, 5), 2_000) * (0.75 + Math.random() / 4)

const startPatienceMs = 2_000

export interface RedisPlace {
  redisUrl: string
  redisSentinels?: Sentinels | undefined
}

type SentinelOptions = Pick<
  RedisOptions,
  'sentinels' | 'name' | 'sentinelPassword' | 'enableTLSForSentinelMode' | 'sentinelTLS'
>

/** ioredis options to find the primary through sentinels. With rediss:// the sentinels use TLS as well. */
export function sentinelOptions({ redisUrl, redisSentinels }: RedisPlace): SentinelOptions {
  if (redisSentinels === undefined) return {}
  const { hosts, name, password } = redisSentinels
  return {
    sentinels: hosts.map((one) => ({ ...one })),
    name,
    ...(password !== undefined && { sentinelPassword: password }),
    ...(redisUrl.startsWith('rediss:') && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
  }
}

interface ConnectionOptions {
  retryStrategy: (times: number) => number
  maxRetriesPerRequest: number | null
  lazyConnect: boolean
  autoResubscribe?: boolean
  enableOfflineQueue?: boolean
  commandTimeout?: number
  connectionName?: string
}

/** For commands within requests: fail immediately while Redis is down, so that no request hangs. */
const failFast: ConnectionOptions = {
  retryStrategy,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 250,
  lazyConnect: true,
}

/**
 * For subscribers and workers: retry forever. Subscribers resubscribe on each `ready`. The library's own resubscription
 * rejects without a handler when the connection closes meanwhile, which ends the process.
 */
const patient: ConnectionOptions = {
  retryStrategy,
  maxRetriesPerRequest: null,
  lazyConnect: true,
  autoResubscribe: false,
}

export interface RedisConnections {
  commands: Redis
  publisher: Redis
  subscriber: Redis
  queue: Redis
  /** Opens a connection for a BullMQ worker. The worker closes it, and the duplicate that it makes for blocking commands. */
  forWorker(): Redis
  healthy(): boolean
  workersReady(): boolean
  close(): void
}

function connect(place: RedisPlace, options: ConnectionOptions, log: Logger, name: string): Redis {
  const own = { ...sentinelOptions(place), connectionName: `lanewire-${name}` }
  const redis = new Redis(place.redisUrl, { ...own, ...options })
  // ioredis emits 'error' events that must be handled. One log line per change of state is enough.
  let down = false
  redis.on('error', (error: Error) => {
    if (!down) log.warn({ redis: name, reason: error.message }, 'Redis is out of reach')
    down = true
  })
  redis.on('ready', () => {
    if (down) log.info({ redis: name }, 'Redis is back')
    down = false
  })
  return redis
}

export async function openRedis(place: RedisPlace, log: Logger): Promise<RedisConnections> {
  const all: Redis[] = []
  let isClosed = false
  const open = (options: ConnectionOptions, name: string) => {
    const redis = connect(place, options, log, name)
    // BullMQ reconnects a connection that was closed while it waited for it, and would leave it open forever.
    redis.on('connecting', () => {
      if (isClosed) redis.disconnect()
    })
    all.push(redis)
    return redis
  }
  const commands = open(failFast, 'commands')
  const publisher = open(failFast, 'publisher')
  const subscriber = open(patient, 'subscriber')
  const queue = open({ ...failFast, commandTimeout: 1_000 }, 'queue')
  const workers: Redis[] = []
  // A Redis that is down or hangs must not keep the server from starting. It reconnects later.
  const connected = Promise.all(all.map((redis) => redis.connect().catch(() => undefined)))
  await Promise.race([connected, pause(startPatienceMs, undefined, { ref: false })])
  return {
    commands,
    publisher,
    subscriber,
    queue,
    forWorker() {
      const another = (options?: Pick<ConnectionOptions, 'connectionName'>) => {
        // BullMQ would connect a lazy one itself, and would give up the worker if Redis is down at that moment.
        const redis = open({ ...patient, lazyConnect: false, ...options }, 'worker')
        workers.push(redis)
        return redis
      }
      return Object.assign(another(), { duplicate: another })
    },
    healthy: () => commands.status === 'ready',
    workersReady: () => workers.every((redis) => redis.status === 'ready'),
    close() {
      isClosed = true
      for (const redis of all) redis.disconnect()
    },
  }
}

export function isRedisDown(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Connection is closed|All sentinels are unreachable|Command timed out|Stream isn't writeable|Reached the max retries per request)/.test(
      error.message,
    )
  )
}
