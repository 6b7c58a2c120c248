import type { Test } from 'tap'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp } from './app.ts'
import { publish } from './factories.ts'
import { proxyTo } from './proxy.ts'
import { testServices } from './services.ts'
import { until } from './wait.ts'

/** Checks that the server keeps working during a Redis outage and loses nothing. With `blackHole`, Redis hangs instead of disconnecting. */
export async function checkOutage(t: Test, fault: 'cut' | 'blackHole'): Promise<void> {
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
  t.equal((await live.nextEvent('post.comment')).comment.content, 'Still here', 'this node delivers to its own sockets')
  const line = new Promise((resolve) => void live.socket.emit('ping', resolve))
  t.same(await line, { ok: true, data: null }, 'and reports that the connection works')
  const later = await publish(seller, { title: 'Posted while Redis was away' })

  redis.heal()
  t.match(await live.nextEvent('resync'), { jitterMs: Number }, 'clients are asked to fetch again')
  await until('the job that waited in the outbox', async () => {
    const { body } = await reader.get<PostDetail>(`/api/inventory/${later}`)
    return body.aiSummary
  })
  // Excludes the job that emails the notification, because it is due later.
  const due = () =>
    app.server.ctx.db.selectFrom('outbox').select('name').where('kind', '=', 'job').where('runAt', '<', new Date())
  await until('every job that is due', async () => (await due().execute()).length === 0)
  const { body } = await seller.get<NotificationsPage>('/api/notifications')
  t.match(body.items, [{ kind: 'comment', body: 'Still here' }], 'the seller gets one notification')
  t.equal(body.items.length, 1)
}

export async function twoNodes(t: Test) {
  const services = await testServices(t)
  const redis = await proxyTo(t, services.REDIS_URL)
  const shaken = await startApp(t, {}, { ...services, REDIS_URL: redis.url })
  const steady = await startApp(t, {}, services)
  return { redis, shaken, steady }
}
