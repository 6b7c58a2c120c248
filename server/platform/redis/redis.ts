import { setTimeout as pause } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import type { Sentinels } from '#server/config/redis.ts'

/** Reconnects forever, with delays of at most 1.6 s. Jitter prevents all nodes from reconnecting at the same time. */
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

/** If REDIS_URL starts with rediss://, connections to the sentinels use TLS, too. */
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

/** Options for commands within requests. If Redis is down or slow, commands fail soon, so that no request hangs. */
const failFast: ConnectionOptions = {
  retryStrategy,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 250,
  lazyConnect: true,
}

/**
 * Options for subscribers and workers, whose commands wait until Redis is back. The library's resubscription would crash the process if the
 * connection closed meanwhile, so subscribers resubscribe themselves on each `ready`.
 */
const keepRetrying: ConnectionOptions = {
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
  /** Opens a connection for one BullMQ worker, which closes it, along with the duplicate that it creates for blocking commands. */
  forWorker(): Redis
  healthy(): boolean
  workersReady(): boolean
  close(): void
}

function connect(place: RedisPlace, options: ConnectionOptions, log: Logger, name: string): Redis {
  const own = { ...sentinelOptions(place), connectionName: `lanewire-${name}` }
  const redis = new Redis(place.redisUrl, { ...own, ...options })
  // Without a listener, ioredis's 'error' events would crash the process. Log only when Redis becomes unreachable or comes back.
  let down = false
  redis.on('error', (error: Error) => {
    if (!down) log.warn({ redis: name, reason: error.message }, 'Redis cannot be reached')
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
    // If a connection was closed while BullMQ was waiting for it, BullMQ would reconnect it and leave it open forever.
    redis.on('connecting', () => {
      if (isClosed) redis.disconnect()
    })
    all.push(redis)
    return redis
  }
  const commands = open(failFast, 'commands')
  const publisher = open(failFast, 'publisher')
  const subscriber = open(keepRetrying, 'subscriber')
  const queue = open({ ...failFast, commandTimeout: 1_000 }, 'queue')
  const workers: Redis[] = []
  // The server must start even if Redis is down or hangs. The connections retry in the background.
  const connected = Promise.all(all.map((redis) => redis.connect().catch(() => undefined)))
  await Promise.race([connected, pause(startPatienceMs, undefined, { ref: false })])
  return {
    commands,
    publisher,
    subscriber,
    queue,
    forWorker() {
      const openConnection = (options?: Pick<ConnectionOptions, 'connectionName'>) => {
        // Connect at once. If Redis were down when BullMQ itself opened a lazy connection, BullMQ would give up the worker.
        const redis = open({ ...keepRetrying, lazyConnect: false, ...options }, 'worker')
        workers.push(redis)
        return redis
      }
      return Object.assign(openConnection(), { duplicate: openConnection })
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
