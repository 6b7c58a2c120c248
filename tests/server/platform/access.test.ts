import t from 'tap'
import { type Caller, startApp } from '#tests/support/app.ts'
import { listCalls } from '#tests/support/calls.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

/** Calls that visitors may use. All other calls return 401 before any other check. */
const publicCalls = new Set([
  'GET /api/auth/status',
  'GET /api/auth/joining',
  'POST /api/auth/login',
  'POST /api/auth/signup',
  'POST /api/auth/setup',
  'POST /api/auth/create-dummy',
  'POST /api/auth/logout',
  'POST /api/auth/password/forgot',
  'POST /api/auth/password/reset',
  'POST /api/auth/keys/revoke',
  'POST /api/auth/email/verify',
  'GET /api/auth/google',
  'POST /api/auth/second-factor/options',
  'POST /api/auth/second-factor',
  'DELETE /api/auth/second-factor',
  'POST /api/auth/passkeys/sign-in/options',
  'POST /api/auth/passkeys/sign-in',
  'GET /api/subscription-plans',
  'GET /api/payment-config',
  'GET /api/status',
  'GET /api/status/incidents',
  'GET /api/activity-ticker',
  'POST /api/contact',
  'POST /api/newsletter',
  'POST /api/status/subscriptions',
  'GET /api/lists/{list}/confirm',
  'GET /api/lists/{list}/leave',
  'POST /api/lists/{list}/leave',
  // These calls are protected by a signature or an expiring URL, or exist only in the demo.
  'POST /api/webhooks/stripe',
  'PUT /api/objects/{id}',
  'POST /api/profile/email/confirm',
  'GET /api/demo/mail',
])

const answerOf = async (url: string, method: string, cookie: string) =>
  (await fetch(url, { method, redirect: 'manual', headers: cookie === '' ? {} : { cookie } })).status

t.test('limits visitors and suspended dealers to public calls', async (t) => {
  const [dealer, suspended] = [await app.signIn(), await app.signIn('Gone Motors')]
  await app.server.ctx.db
    .updateTable('dealers')
    .set({ suspendedAt: new Date() })
    .where('id', '=', suspended.id)
    .execute()
  const calls = await listCalls(dealer)
  t.ok(calls.length > 20, `${calls.length} calls are documented`)
  for (const { name, method, path } of calls) {
    if (!path.startsWith('/api/') || publicCalls.has(name)) continue
    t.equal(await answerOf(app.url + path, method, ''), 401, `${name} refuses visitors`)
    t.equal(await answerOf(app.url + path, method, suspended.cookie), 401, `${name} refuses the suspended`)
  }
})

t.test('limits each admin and ops call to exactly those roles', async (t) => {
  const [dealer, ops, admin] = [
    await app.signIn(),
    await app.signIn('Operations', { role: 'ops' }),
    await app.signIn('Lanewire', { role: 'admin' }),
  ]
  const calls = (await listCalls(dealer)).filter(({ path }) => /^\/api\/(admin|ops)\b/.test(path))
  for (const part of ['users', 'deals', 'promotions', 'pricing', 'plans', 'add-ons', 'audit', 'backups', 'moderation'])
    t.ok(
      calls.some(({ path }) => path.startsWith(`/api/admin/${part}`)),
      `${part} is among the calls`,
    )
  for (const { name, method, path } of calls) {
    const refused = async (role: Caller) => {
      const status = await answerOf(app.url + path, method, role.cookie)
      return status === 401 || status === 403 ? status : 'let in'
    }
    t.equal(await refused(dealer), 403, `${name} refuses dealers`)
    t.equal(await refused(ops), path.startsWith('/api/admin/') ? 403 : 'let in', `${name} for operations`)
    t.equal(await refused(admin), 'let in', `${name} lets admins in`)
  }
})

interface DescribedCall {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, unknown>[]
}

t.test('documents each call with an id, a tag, a summary and its permissions', async (t) => {
  const { body } = await (
    await app.signIn()
  ).get<{ tags: { name: string }[]; paths: Record<string, Record<string, DescribedCall>> }>('/api/docs/json')
  const calls = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ ...call, name: `${method.toUpperCase()} ${path}` })),
  )
  t.equal(new Set(calls.map(({ operationId }) => operationId)).size, calls.length)
  const tags = new Set(body.tags.map(({ name }) => name))
  for (const { name, operationId, summary, tags: of, security } of calls) {
    t.match(operationId, /^(get|post|put|patch|delete)[A-Z]\w+$/, name)
    t.match(summary, /^[A-Z].{5,}[^.]$/, name)
    t.ok(of.length === 1 && tags.has(of[0] ?? ''), name)
    t.equal(security.length === 0, publicCalls.has(name), `${name} says whether it needs a session`)
  }
})

t.test('documents schemas once under their names', async (t) => {
  const { body } = await (
    await app.signIn()
  ).get<{ components: { schemas: Record<string, object> }; paths: Record<string, Record<string, object>> }>(
    '/api/docs/json',
  )
  const text = JSON.stringify(body)
  t.match(body.paths['/api/inventory']?.['get'], {
    responses: {
      200: { content: { 'application/json': { schema: { items: { $ref: '#/components/schemas/Post' } } } } },
    },
  })
  t.match(body.components.schemas['Post'], {
    type: 'object',
    properties: { title: { type: 'string' }, dealer: { $ref: '#/components/schemas/Dealer' } },
  })
  const named = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name))
  t.same([...named].toSorted(), Object.keys(body.components.schemas).toSorted(), 'exactly those in use')
  t.notMatch(text, 'x-schema')
})

t.test('revalidates session-dependent responses and keeps them out of shared caches', async (t) => {
  const dealer = await app.signIn()
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  // Skip responses that are the same for everybody, and redirects to another site.
  const shared = new Set(['GET /api/activity-ticker', 'GET /api/auth/google', 'GET /api/lists/{list}/confirm'])
  for (const { name, method, path } of await listCalls(dealer)) {
    if (method !== 'GET' || !path.startsWith('/api/') || shared.has(name)) continue
    const reader = path.startsWith('/api/admin/') ? admin : dealer
    const { headers } = await fetch(app.url + path, { redirect: 'manual', headers: { cookie: reader.cookie } })
    t.match(headers.get('cache-control'), /^(private, no-cache|(private, )?no-store)$/, name)
  }
  t.equal((await dealer.patch('/api/settings', {})).headers.get('cache-control'), 'private, no-cache')
})

t.test("clears the browser's cache on sign-out", async (t) => {
  const dealer = await app.signIn()
  const { status, headers } = await dealer.post('/api/auth/logout', {})
  t.same([status, headers.get('clear-site-data')], [204, '"cache"'])
})
