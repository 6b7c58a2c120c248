import { Redis } from 'ioredis'
import { StartFault } from '#server/errors.ts'
import { type RedisPlace, sentinelOptions } from './redis.ts'

/** Time limit for connecting and for each command of this check. The server starts even if Redis is down or hangs. */
const patienceMs = 2_000

const refusal = /^(NOAUTH|WRONGPASS|NOPERM) +(.*)/

/** Tries each kind of command that the server needs: `INFO`, a script on our own keys, publishing and subscribing. */
async function tryCommands(redis: Redis, prefix: string): Promise<void> {
  await redis.connect()
  await redis.info('server')
  await redis.eval("return redis.call('set', KEYS[1], '1', 'px', 1000)", 1, `${prefix}:start`)
  await redis.publish(`${prefix}:start`, '')
  await redis.subscribe(`${prefix}:start`)
}

const sentences: Record<string, (reason: string) => string> = {
  NOAUTH: () => 'asks for a password, and REDIS_URL has none: write it as redis://:PASSWORD@HOST:PORT',
  WRONGPASS: () => 'rejects the user name or the password in REDIS_URL',
  NOPERM: (reason) => `grants the user in REDIS_URL too few rights: ${reason}`,
}

/** Checks at startup that Redis accepts our credentials, because retrying cannot fix wrong ones. @throws {StartFault} if it does not */
export async function assertRedisLetsIn(place: RedisPlace, prefix: string): Promise<void> {
  const redis = new Redis(place.redisUrl, {
    ...sentinelOptions(place),
    sentinelRetryStrategy: () => null,
    connectionName: 'lanewire-start',
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  const errors: string[] = []
  redis.on('error', (error: Error) => errors.push(error.message))
  try {
    await tryCommands(redis, prefix)
  } catch (error) {
    errors.push(error instanceof Error ? error.message : '')
  }
  redis.disconnect()
  const { host, port, path } = redis.options
  const at = place.redisSentinels === undefined ? (path ?? `${host}:${port}`) : place.redisSentinels.name
  const [, code = '', reason = ''] = errors.map((message) => refusal.exec(message)).find(Boolean) ?? []
  const sentence = sentences[code]
  if (sentence !== undefined) throw new StartFault(`Redis at ${at} ${sentence(reason)}`)
}
