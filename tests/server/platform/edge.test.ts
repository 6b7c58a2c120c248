import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import t from 'tap'
import type { AccountSecurity } from '#shared/schemas/account.ts'
import { loadConfig } from '#server/config/config.ts'
import { type Caller, startApp, type TestApp } from '#tests/support/app.ts'
import { startBalancer } from '#tests/support/balancer.ts'
import { testServices } from '#tests/support/services.ts'

const services = await testServices(t)
const password = 'seven quiet lorries at dawn'
const anEmail = () => `${randomBytes(6).toString('hex')}@dealer.example`
const from = (address: string) => ({ 'x-forwarded-for': address })

async function listedAddress(app: TestApp, headers: Record<string, string>): Promise<string | null> {
  const made = await app.visitor.post('/api/auth/create-dummy', {}, headers)
  t.equal(made.status, 201)
  const cookie = made.headers.get('set-cookie')?.split(';')[0] ?? ''
  const caller: Caller = app.on(app, { ...app.visitor, cookie })
  const { body } = await caller.get<AccountSecurity>('/api/auth/security')
  return body.sessions[0]?.address ?? null
}

t.test("takes the client's address from trusted proxies only", async (t) => {
  const cases: [trust: string, ...claims: [claimed: string, listed: string][]][] = [
    ['off', ['203.0.113.9', '127.0.0.1']],
    [
      'on',
      ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['2001:DB8:0:0::9', '2001:db8::9'],
    ],
    ['2', ['198.51.100.1, 203.0.113.9, 10.0.0.7', '203.0.113.9'], ['not an address', '127.0.0.1']],
    ['127.0.0.0/8, 10.0.0.0/8', ['198.51.100.1, 203.0.113.9, 10.0.0.7', '203.0.113.9']],
    ['10.0.0.0/8', ['203.0.113.9', '127.0.0.1']],
  ]
  for (const [trust, ...claims] of cases) {
    const app = await startApp(t, { TRUST_PROXY: trust }, services)
    for (const [claimed, listed] of claims)
      t.equal(await listedAddress(app, from(claimed)), listed, `TRUST_PROXY=${trust}, ${claimed}`)
  }
})

t.test('refuses a proxy setting that is neither hops nor networks at startup', async (t) => {
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1/none', REDIS_URL: 'redis://127.0.0.1' }
  for (const TRUST_PROXY of ['yes', '0', '10.0.0.0/33', '0.0.0.0/0', 'balancer.example', '10.0.0.1,'])
    t.throws(() => loadConfig({ ...env, TRUST_PROXY }), { message: /TRUST_PROXY: must be off, on/ }, TRUST_PROXY)
})

t.test("prevents forged addresses, hosts and protocols behind compose.yaml's balancer", async (t) => {
  const app = await startApp(t, { TRUST_PROXY: 'on' }, services)
  const url = await startBalancer(t, [app.url])
  // Without HAProxy, skip this part. The previous test covers the headers that HAProxy sends.
  if (url === undefined) return
  const before = { ...app, url, visitor: app.on({ ...app, url }, app.visitor) }
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  t.equal(await listedAddress(before, forged), '127.0.0.1')
  const dealer = before.on(before, await app.signIn())
  const { body } = await dealer.post<{ uploadURL: string }>('/api/objects/upload', {}, forged)
  t.ok(body.uploadURL.startsWith(`${url}/`), body.uploadURL)

  for (const trust of ['2', '127.0.0.1, 10.0.0.0/8', '::1/128, 127.0.0.0/8']) {
    const behind = await startApp(t, { TRUST_PROXY: trust }, services)
    const second = await startBalancer(t, [behind.url], trust)
    const after = { ...behind, url: second ?? '', visitor: behind.on({ ...behind, url: second ?? '' }, behind.visitor) }
    t.equal(
      await listedAddress(after, from('203.0.113.9')),
      '203.0.113.9',
      `as the one before it has seen it: ${trust}`,
    )
  }
})

/** Sends a request with the path unchanged. `fetch` would normalize the path. */
async function rawRequest(url: string, method: string, path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end(method === 'POST' ? JSON.stringify({ email: anEmail(), password }) : undefined)
  })
}

t.test('checks the same permissions for every spelling of a path', async (t) => {
  const app = await startApp(t, {}, services)
  const { cookie } = await app.signIn()
  const elsewhere = { 'content-type': 'application/json', origin: 'https://evil.example' }
  const ops = await app.signIn('Operations', { role: 'ops' })
  for (const path of ['/api/auth/signup', '/%61pi/auth/signup', '/api/%61uth/signup', '/%61%70%69/auth/signu%70']) {
    t.equal(await rawRequest(app.url, 'POST', path, elsewhere), 403, `${path} from another site`)
    t.equal(await rawRequest(app.url, 'POST', path, { 'content-type': 'application/json' }), 201, path)
  }
  for (const path of ['/api/auth/me', '/%61pi/auth/me', '/ap%69/docs/json', '/%61pi/dealers']) {
    t.equal(await rawRequest(app.url, 'GET', path, {}), 401, `${path} of nobody`)
    t.equal(await rawRequest(app.url, 'GET', path, { cookie }), 200, `${path} of a dealer`)
  }
  for (const path of ['/admin/queues/board', '/%61dmin/queues/board', '/admin/queues/bo%61rd/api/queues']) {
    t.equal(await rawRequest(app.url, 'GET', path, {}), 401, `${path} of nobody`)
    t.equal(await rawRequest(app.url, 'GET', path, { cookie }), 403, `${path} of a dealer`)
    t.equal(await rawRequest(app.url, 'GET', path, { cookie: ops.cookie }), 200, `${path} of operations`)
  }
})

t.test('grants API keys their endpoints by route', async (t) => {
  const app = await startApp(t, {}, services)
  const dealer = await app.signIn('Acme Motors', { plan: 'enterprise' })
  const { body } = await dealer.post<{ secret: string }>('/api/api-keys', { name: 'Stock sync', scope: 'read' })
  const authorization = `Bearer ${body.secret}`
  for (const path of ['/api/dealers', '/%61pi/dealers', '/api/deal%65rs?limit=1'])
    t.equal(await rawRequest(app.url, 'GET', path, { authorization }), 200, path)
  for (const path of ['/api/auth/me', '/%61pi/auth/me', '/api/none'])
    t.equal(await rawRequest(app.url, 'GET', path, { authorization }), 403, path)
})

t.test('allows pages to connect to this site and its own sockets only', async (t) => {
  const connects = async (env: Record<string, string>) => {
    const app = await startApp(t, env, services)
    const dealer = await app.signIn()
    // Over HTTPS, the cookie has another name.
    const cookie = `${dealer.cookie}; __Host-${dealer.cookie}`
    const { headers } = await app.on(app, { ...dealer, cookie }).get('/api/docs/')
    const connect = /connect-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]
    return { connect, port: new URL(app.url).port }
  }
  const { connect, port } = await connects({})
  t.equal(connect, `'self' ws://127.0.0.1:${port}`)
  t.match(await connects({ PUBLIC_URL: 'https://lanewire.example' }), { connect: "'self' wss://lanewire.example" })
  t.match(await connects({ S3_BUCKET: 'photos', S3_ENDPOINT: 'http://127.0.0.1:9' }), { connect: /^'self' ws:\S+$/ })
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  t.match(await connects({ ...keys, PUBLIC_URL: 'https://lanewire.example' }), {
    connect: "'self' wss://lanewire.example https://api.stripe.com",
  })
})
