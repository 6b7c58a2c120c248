import t from 'tap'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const said = { cut: 'gone', blackHole: 'hanging' }

for (const fault of ['cut', 'blackHole'] as const)
  t.test(`with Redis ${said[fault]}, work goes on and nothing is lost`, async (t) => {
    const services = await testServices(t)
    const redis = await proxyTo(t, services.REDIS_URL)
    const app = await startApp(t, { RATE_LIMITS: 'on' }, { ...services, REDIS_URL: redis.url })
    const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
    const id = await publish(seller)
    const live = await reader.live()
    await live.view({ kind: 'post', id, on: true })

    redis[fault]()
    t.equal((await seller.get('/api/auth/me')).status, 200, 'sessions are in PostgreSQL')
    t.equal((await reader.post(`/api/inventory/${id}/comments`, { content: 'Still here' })).status, 201)
    t.equal(
      (await live.nextEvent('post.comment')).comment.content,
      'Still here',
      'this node delivers to its own sockets',
    )
    const line = new Promise((resolve) => void live.socket.emit('ping', resolve))
    t.same(await line, { ok: true, data: null }, 'and says that the line is there')
    const later = await publish(seller, { title: 'Posted while Redis was away' })

    redis.heal()
    t.match(await live.nextEvent('resync'), { jitterMs: Number }, 'clients are told to ask again')
    await until(
      'the job that waited in the outbox',
      async () => {
        const { body } = await reader.get<PostDetail>(`/api/inventory/${later}`)
        return body.aiSummary
      },
      30_000,
    )
    // The notice's mail is a job of its own that is not due for a while.
    const due = () =>
      app.server.ctx.db.selectFrom('outbox').select('name').where('kind', '=', 'job').where('runAt', '<', new Date())
    await until('every job that is due', async () => (await due().execute()).length === 0, 30_000)
    const { body } = await seller.get<NotificationsPage>('/api/notifications')
    t.match(body.items, [{ kind: 'comment', body: 'Still here' }], 'the seller is told once')
    t.equal(body.items.length, 1)
  })

for (const fault of ['cut', 'blackHole'] as const)
  t.test(`a server starts with Redis ${said[fault]}, and works off its jobs once Redis is there`, async (t) => {
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
      30_000,
    )
    t.type(summary, 'string')
  })

/** Beyond its grace a server would end this whole process. */
for (const fault of ['cut', 'blackHole'] as const)
  for (const ROLES of ['api,rt,worker', 'api,rt'])
    t.test(`with Redis ${said[fault]}, a server (${ROLES}) stops in time and its work is another's`, async (t) => {
      const services = await testServices(t)
      const redis = await proxyTo(t, services.REDIS_URL)
      const app = await startApp(t, { ROLES }, { ...services, REDIS_URL: redis.url })
      const seller = await app.signIn('Webb Bros')
      redis[fault]()
      await until('the loss is noticed', () => fault === 'blackHole' || !app.server.ctx.redis.healthy())
      const id = await publish(seller)
      await app.server.stop('a deploy')
      const next = await startApp(t, {}, services)
      const aiSummary = await until('the job of the one that went', async () => {
        const { body } = await next.on(next, seller).get<PostDetail>(`/api/inventory/${id}`)
        return body.aiSummary
      })
      t.type(aiSummary, 'string')
    })

for (const fault of ['cut', 'blackHole'] as const)
  t.test(`a server that never had Redis, ${said[fault]}, stops in time`, async (t) => {
    const services = await testServices(t)
    const redis = await proxyTo(t, services.REDIS_URL)
    redis[fault]()
    const app = await startApp(t, { ROLES: 'api,rt' }, { ...services, REDIS_URL: redis.url })
    await publish(await app.signIn('Webb Bros'))
    await t.resolves(app.server.stop('a deploy'))
  })
