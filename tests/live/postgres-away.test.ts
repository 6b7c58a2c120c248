import dns from 'node:dns'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import { startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

t.test('refuses writes with a hint to retry without PostgreSQL, and recovers by itself', async (t) => {
  const services = await testServices(t)
  const postgres = await proxyTo(t, services.DATABASE_URL)
  const named = postgres.url.replace('127.0.0.1', 'localhost')
  const app = await startApp(t, {}, { ...services, DATABASE_URL: named })
  const seller = await app.signIn()
  const id = await publish(seller)
  const live = await seller.live()

  postgres.cut()
  const refused = await seller.post<ErrorBody>(`/api/inventory/${id}/comments`, { content: 'Into the void' })
  t.equal(refused.status, 503)
  t.equal(refused.body.error.code, 'unavailable')
  t.equal(refused.headers.get('retry-after'), '2')
  t.equal((await app.visitor.get('/health/live')).status, 200)
  t.equal((await app.visitor.get('/health/ready')).status, 503)
  t.equal(live.socket.connected, true, 'sockets stay connected')
  const noName = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
  const names = t.intercept(dns, 'lookup', {
    value: (_host: string, _options: object, done: (error: Error) => void) => done(noName),
  })
  t.equal((await seller.get('/api/auth/me')).status, 503, 'also if the host name cannot be resolved')
  names.restore()

  postgres.heal()
  await until('the server to be ready', async () => (await app.visitor.get('/health/ready')).status === 200)
  t.equal((await seller.post(`/api/inventory/${id}/comments`, { content: 'Back' })).status, 201)
})
