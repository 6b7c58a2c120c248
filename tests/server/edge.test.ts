import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { AccountSecurity } from '#shared/schemas/account.ts'
import { loadConfig } from '#server/config.ts'
import { type Caller, startApp, type TestApp } from '#tests/support/app.ts'
import { startBalancer } from '#tests/support/balancer.ts'
import { testServices } from '#tests/support/services.ts'

const services = await testServices(t)
const password = 'seven quiet lorries at dawn'
const anEmail = () => `${randomBytes(6).toString('hex')}@dealer.example`
const from = (address: string) => ({ 'x-forwarded-for': address })

/** The address that a new session of this request is listed with. */
async function listedAddress(app: TestApp, headers: Record<string, string>): Promise<string | null> {
  const made = await app.visitor.post('/api/auth/create-dummy', {}, headers)
  t.equal(made.status, 201)
  const cookie = made.headers.get('set-cookie')?.split(';')[0] ?? ''
  const caller: Caller = app.on(app, { ...app.visitor, cookie })
  const { body } = await caller.get<AccountSecurity>('/api/auth/security')
  return body.sessions[0]?.address ?? null
}

t.test('a client is who the trusted balancers say, whatever it claims to be', async (t) => {
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

t.test('a setting that names neither hops nor networks is refused at the start', async (t) => {
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1/none', REDIS_URL: 'redis://127.0.0.1' }
  for (const TRUST_PROXY of ['yes', '0', '10.0.0.0/33', '0.0.0.0/0', 'balancer.example', '10.0.0.1,'])
    t.throws(() => loadConfig({ ...env, TRUST_PROXY }), { message: /TRUST_PROXY: must be off, on/ }, TRUST_PROXY)
})

t.test('through the balancer of compose.yaml nobody forges an address, a host or a protocol', async (t) => {
  const app = await startApp(t, { TRUST_PROXY: 'on' }, services)
  const url = await startBalancer(t, [app.url])
  // Where HAProxy is not installed, the test above says what its headers lead to.
  if (url === undefined) return
  const before = { ...app, url, visitor: app.on({ ...app, url }, app.visitor) }
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  t.equal(await listedAddress(before, forged), '127.0.0.1')
  const dealer = before.on(before, await app.signIn())
  const { body } = await dealer.post<{ uploadURL: string }>('/api/objects/upload', {}, forged)
  t.ok(body.uploadURL.startsWith(`${url}/`), body.uploadURL)
})
