import { pino } from 'pino'
import t from 'tap'
import { openQueues } from '#server/platform/jobs/queue.ts'
import { openRedis } from '#server/platform/redis/redis.ts'
import { startApp } from '#tests/support/app.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { testEnvironment, testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

t.test('opens queues that work once a hanging Redis answers again', async (t) => {
  const proxy = await proxyTo(t, testEnvironment('TEST_REDIS_URL'))
  const redis = await openRedis({ redisUrl: proxy.url }, pino({ level: 'silent' }))
  t.teardown(() => redis.close())
  proxy.hold()
  const queues = openQueues({ redisPrefix: 'hung' }, redis)
  // When this ping times out, all earlier commands have timed out, too.
  await t.rejects(redis.queue.ping(), /Command timed out/)
  proxy.heal()
  for (const [name, queue] of Object.entries(queues)) t.equal(await queue.getActiveCount(), 0, name)
})

t.test('logs what Redis refuses a worker, and leaves outages to the connection', async (t) => {
  const services = await testServices(t)
  const proxy = await proxyTo(t, services.REDIS_URL)
  const app = await startApp(t, {}, { ...services, REDIS_URL: proxy.url })
  const { log, queues, redis } = app.server.ctx
  const logged = t.capture(log, 'warn')
  const said: unknown[] = []
  const ofWorkers = () => {
    said.push(...logged().flatMap(({ args: [about, words] }) => (words === 'a worker has a fault' ? [about] : [])))
    return said
  }
  await until('the workers', () => redis.workersReady())
  proxy.cut()
  await until('them to have lost it', () => !redis.workersReady())
  proxy.heal()
  await until('them again', () => redis.workersReady() && redis.healthy())
  t.same(ofWorkers(), [])
  const list = queues.mail.toKey('wait')
  await redis.commands.set(list, 'no list')
  await until('the line', () => ofWorkers().length > 0)
  await redis.commands.del(list)
  t.match(said[0], { queue: 'mail', err: { message: /^WRONGTYPE/ } })
})
