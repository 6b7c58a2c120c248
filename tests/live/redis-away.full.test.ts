import t from 'tap'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { checkOutage } from '#tests/support/redis-outage.ts'
import { testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const said = { cut: 'gone', blackHole: 'hanging' }

t.test('keeps working and loses nothing while Redis hangs', (t) => checkOutage(t, 'blackHole'))

for (const fault of ['cut', 'blackHole'] as const)
  t.test(`starts while Redis is ${said[fault]} and runs its jobs once Redis is back`, async (t) => {
    const services = await testServices(t)
    const redis = await proxyTo(t, services.REDIS_URL)
    redis[fault]()
    const app = await startApp(t, {}, { ...services, REDIS_URL: redis.url })
    const seller = await app.signIn('Webb Bros')
    const id = await publish(seller)
    redis.heal()
    const summary = await until(
      'the job that waited for Redis',
      async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.aiSummary,
    )
    t.type(summary, 'string')
  })

/** These servers run in this process, so a server that exceeds its grace period would end the whole test process. */
for (const fault of ['cut', 'blackHole'] as const)
  for (const ROLES of ['api,rt,worker', 'api,rt'])
    t.test(`stops a server (${ROLES}) in time while Redis is ${said[fault]} and leaves its work`, async (t) => {
      const services = await testServices(t)
      const redis = await proxyTo(t, services.REDIS_URL)
      const app = await startApp(t, { ROLES }, { ...services, REDIS_URL: redis.url })
      const seller = await app.signIn('Webb Bros')
      redis[fault]()
      await until('the server to notice the loss', () => fault === 'blackHole' || !app.server.ctx.redis.healthy())
      const id = await publish(seller)
      await app.server.stop('a deploy')
      const next = await startApp(t, {}, services)
      const aiSummary = await until('the job of the stopped server to run', async () => {
        const { body } = await next.on(next, seller).get<PostDetail>(`/api/inventory/${id}`)
        return body.aiSummary
      })
      t.type(aiSummary, 'string')
    })

for (const fault of ['cut', 'blackHole'] as const)
  t.test(`stops in time if Redis was never reached and is ${said[fault]}`, async (t) => {
    const services = await testServices(t)
    const redis = await proxyTo(t, services.REDIS_URL)
    redis[fault]()
    const app = await startApp(t, { ROLES: 'api,rt' }, { ...services, REDIS_URL: redis.url })
    await publish(await app.signIn('Webb Bros'))
    await t.resolves(app.server.stop('a deploy'))
  })
