import { Queue } from 'bullmq'
import type { Config } from '#server/config.ts'
import type { RedisConnections } from './redis.ts'

/** Queues by the kind of load, so that a slow kind never holds up a quick one. */
export const queueNames = ['default', 'mail', 'media', 'auctions', 'schedule'] as const
export type QueueName = (typeof queueNames)[number]

export type Queues = Record<QueueName, Queue>

export const queuePrefix = (config: Pick<Config, 'redisPrefix'>) => `${config.redisPrefix}:bull`

/** Failed jobs of a queue, the newest, that Redis remembers. */
export const failedKept = 5_000

const defaultJobOptions = {
  attempts: 8,
  backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
  removeOnComplete: { age: 3_600, count: 1_000 },
  removeOnFail: { age: 7 * 24 * 3_600, count: failedKept },
} as const

export function openQueues(config: Pick<Config, 'redisPrefix'>, redis: Pick<RedisConnections, 'queue'>): Queues {
  const open = (name: QueueName) => {
    const queue = new Queue(name, {
      connection: redis.queue,
      prefix: queuePrefix(config),
      defaultJobOptions,
      // BullMQ asks for it as it opens, and where that has no answer in time the queue is of no use for ever.
      skipVersionCheck: true,
    })
    // Without a listener BullMQ's 'error' would be unhandled; the connection logs its own state.
    queue.on('error', () => undefined)
    return [name, queue] as const
  }
  return Object.fromEntries(queueNames.map(open)) as Queues
}
