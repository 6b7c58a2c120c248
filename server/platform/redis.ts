import { setTimeout as pause } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import type { Sentinels } from '#server/config-redis.ts'

/** Reconnects forever, at most 2 s apart, with jitter so that nodes do not return in step. */
const retryStrategy = (times: number) => Math.min(50 * 2 ** Math.min(times, 5), 2_000) * (0.75 + Math.random() / 4)

/** Connecting takes milliseconds. */
const startPatienceMs = 2_000

export interface RedisPlace {
  redisUrl: string
  redisSentinels?: Sentinels | undefined
}

type SentinelOptions = Pick<
  RedisOptions,
  'sentinels' | 'name' | 'sentinelPassword' | 'enableTLSForSentinelMode' | 'sentinelTLS'
>

/** How to find the primary Redis where sentinels know it. With rediss:// they speak TLS as well. */
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

/** Commands of a request: refused at once while Redis is away, so that a request never hangs on it. */
const failFast: ConnectionOptions = {
  retryStrategy,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 250,
  lazyConnect: true,
}

/**
 * Subscribers and workers: never give up. Whoever subscribes does so at each `ready`: the library's own way to subscribe anew leaves an error
 * to nobody where the connection is closed at that moment, which ends the process.
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
  /** BullMQ's producer connection. */
  queue: Redis
  /** A connection for a BullMQ worker, which closes it, and so the one that it makes of it to wait on. */
  forWorker(): Redis
  /** Whether commands would be answered now. */
  healthy(): boolean
  /** Whether no worker's connection is lost. */
  workersReady(): boolean
  close(): void
}

function connect(place: RedisPlace, options: ConnectionOptions, log: Logger, name: string): Redis {
  const own = { ...sentinelOptions(place), connectionName: `lanewire-${name}` }
  const redis = new Redis(place.redisUrl, { ...own, ...options })
  // ioredis throws unhandled 'error' events; one line per change of state is enough.
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
    // BullMQ asks once more for a connection that was closed while it waited for it: that one would last for ever.
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
  // A missing Redis must not keep the server from starting, nor one that hangs: it comes back by itself.
  const connected = Promise.all(all.map((redis) => redis.connect().catch(() => undefined)))
  await Promise.race([connected, pause(startPatienceMs, undefined, { ref: false })])
  return {
    commands,
    publisher,
    subscriber,
    queue,
    forWorker() {
      const another = (options?: Pick<ConnectionOptions, 'connectionName'>) => {
        // BullMQ would open a lazy one itself, and give the worker up when Redis is away at that moment.
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

/** Whether an error is Redis being out of reach rather than refusing the command. */
export function isRedisDown(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Connection is closed|All sentinels are unreachable|Command timed out|Stream isn't writeable|Reached the max retries per request)/.test(
      error.message,
    )
  )
}
