import { pino } from 'pino'
import t from 'tap'
import { openQueues } from '#server/platform/queue.ts'
import { openRedis } from '#server/platform/redis.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { testEnvironment } from '#tests/support/services.ts'

t.test('queues that are opened while Redis hangs are there when it answers again', async (t) => {
  const proxy = await proxyTo(t, testEnvironment('TEST_REDIS_URL'))
  const redis = await openRedis(proxy.url, pino({ level: 'silent' }))
  t.teardown(() => redis.close())
  proxy.hold()
  const queues = openQueues({ redisPrefix: 'hung' }, redis)
  // What was asked before it has been given up by then.
  await t.rejects(redis.queue.ping(), /Command timed out/)
  proxy.heal()
  for (const [name, queue] of Object.entries(queues)) t.equal(await queue.getActiveCount(), 0, name)
})
