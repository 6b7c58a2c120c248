import type { Logger } from 'pino'
import type Stripe from 'stripe'
import type { Config } from '#server/config/config.ts'
import type { JobPayloads } from '#server/events.ts'
import { createBus, type Bus } from '../redis/bus.ts'
import { createSharedClock } from './clock.ts'
import { openDb, openPool, type Db } from '../database/db.ts'
import type { OnLeaving } from '../leaving.ts'
import { createLimiter, type Limiter } from '../limits.ts'
import { createMailer, type Mailbox } from '../mail/mail.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createOutbox, type Outbox } from '../jobs/outbox.ts'
import { openQueues, type QueueName, type Queues } from '../jobs/queue.ts'
import { assertRedisLetsIn } from '../redis/redis-access.ts'
import { openRedis, type RedisConnections } from '../redis/redis.ts'
import { createStripe } from '../stripe/stripe.ts'
import { openStorage } from '../storage/storage-open.ts'
import type { Storage } from '../storage/storage.ts'
import { createTransact, type Transact } from '../database/transact.ts'

/** The dependencies of services. Services take them as their first argument. */
export interface Context {
  config: Config
  log: Logger
  /** For reads and single statements. Use `transact` for changes that emit events. */
  db: Db
  transact: Transact
  bus: Bus
  outbox: Outbox
  redis: RedisConnections
  queues: Queues
  limiter: Limiter
  metrics: Metrics
  poolStats: () => { total: number; idle: number; waiting: number }
  storage: Storage
  /** Emails sent in a demo, otherwise empty. Features send email through a `MailJob`. */
  mailer: Mailbox
  stripe: Stripe
  onLeaving: readonly OnLeaving[]
  /** Time of this process's clock. For times that several processes compare, such as auction ends, use the database's clock. */
  now: () => Date
  /** Estimated time of the database's clock, which clients sync to. */
  sharedNow: () => Promise<Date>
  close(): Promise<void>
}

interface ContextParts {
  queueOf: (name: keyof JobPayloads) => QueueName
  isJobOn: (name: keyof JobPayloads, config: Config) => boolean
  onLeaving: readonly OnLeaving[]
}

export async function createContext(
  config: Config,
  log: Logger,
  { queueOf, isJobOn, onLeaving }: ContextParts,
  now: () => Date = () => new Date(),
): Promise<Context> {
  const pool = openPool(config.databaseUrl, config.databasePool, config.databaseConnectMs, config)
  pool.on('error', (error) => log.warn({ reason: error.message }, 'a database connection was lost'))
  const db = openDb(pool)
  const [redis] = await Promise.all([openRedis(config, log), assertRedisLetsIn(config, config.redisPrefix)])
  const bus = createBus(log)
  const queues = openQueues(config, redis)
  const outbox = createOutbox({ db, bus, queues, queueOf, log })
  return {
    config,
    log,
    db,
    transact: createTransact(db, bus, outbox, (name) => isJobOn(name, config)),
    bus,
    outbox,
    redis,
    queues,
    limiter: createLimiter(config, redis),
    metrics: createMetrics(),
    poolStats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    storage: await openStorage(config),
    mailer: createMailer(config),
    stripe: createStripe(config.stripe),
    onLeaving,
    now,
    sharedNow: createSharedClock(db),
    async close() {
      await outbox.close()
      await Promise.allSettled(Object.values(queues).map((queue) => queue.close()))
      redis.close()
      await db.destroy()
    },
  }
}
