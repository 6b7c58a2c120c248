import { Queue } from 'bullmq'
import type { Config } from '#server/config/config.ts'
import type { RedisConnections } from '../redis/redis.ts'

/** One queue per kind of work, so that slow jobs never hold up fast ones. */
export const queueNames = ['default', 'mail', 'media', 'auctions', 'push', 'schedule'] as const
export type QueueName = (typeof queueNames)[number]

export type Queues = Record<QueueName, Queue>

export const queuePrefix = (config: Pick<Config, 'redisPrefix'>) => `${config.redisPrefix}:bull`

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
      // With the check, the queue would stay unusable if BullMQ's version check timed out.
      skipVersionCheck: true,
    })
    // Without a listener, BullMQ's 'error' events would crash the process. The connection already logs its state.
    queue.on('error', () => undefined)
    return [name, queue] as const
  }
  return Object.fromEntries(queueNames.map(open)) as Queues
}
