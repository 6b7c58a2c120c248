import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { NetworkSettings } from '#shared/schemas/admin.ts'
import type { MySubscription } from '#shared/schemas/billing.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { loadConfig } from '#server/config/config.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { bid, publishAuction } from '#tests/support/bidding.ts'
import { aPost, publish } from '#tests/support/factories.ts'

const production = {
  NODE_ENV: 'production',
  DEMO: 'off',
  SESSION_SECRET: randomBytes(36).toString('base64'),
  PUBLIC_URL: 'https://lanewire.example',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'no-reply@quiet-lorries.example',
  MAIL_SUPPORT: 'help@quiet-lorries.example',
  BILLING: 'off',
  RATE_LIMITS: 'on',
}

async function tradesOf(dealer: Caller, seller: Caller): Promise<number[]> {
  const [postId, lot] = [await publish(seller), await publishAuction(seller)]
  const vehicleId = (await seller.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles[0]?.id
  const answers = [
    await dealer.post('/api/inventory', aPost()),
    await dealer.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 }),
    await bid(dealer, lot, 10_500),
  ]
  return answers.map(({ status }) => status)
}

t.test('requires a plan to post and bid only after an admin turned that on', async (t) => {
  const app = await startApp(t)
  const [admin, seller] = [await app.signIn('Lanewire', { role: 'admin' }), await app.signIn('Seller')]
  const dealer = await app.signIn('No Plan', { plan: null })
  const given = async () => (await dealer.get<MySubscription>('/api/my-subscription')).body.entitlements
  t.match((await admin.get('/api/admin/network')).body, { planRequired: false }, 'off by default')
  t.same(await given(), ['posting', 'bidding', 'messaging'])
  t.same(await tradesOf(dealer, seller), [201, 201, 201])

  t.equal((await dealer.patch('/api/admin/network', { planRequired: true })).status, 403)
  const on = await admin.patch<NetworkSettings>('/api/admin/network', { planRequired: true })
  t.match(on, { status: 200, body: { planRequired: true } })
  t.same(await given(), [])
  t.same(await tradesOf(dealer, seller), [402, 402, 402])
})

t.test('gives dealers without a plan no Premium features', async (t) => {
  const app = await startApp(t)
  const dealer = await app.signIn('No Plan', { plan: null })
  t.equal((await dealer.get('/api/dashboard/sales/sold')).status, 402)
  t.equal((await dealer.post('/api/api-keys', { name: 'Stock', scope: 'read' })).status, 402)
})

t.test('limits trading to verified dealers in production unless an admin changes it', async (t) => {
  const app = await startApp(t, production)
  const signIn = async (name: string, role: 'dealer' | 'admin' = 'dealer') => {
    const caller = await app.signIn(name, { role })
    return app.on(app, { ...caller, cookie: `__Host-${caller.cookie}` })
  }
  const [admin, seller, dealer] = [await signIn('Lanewire', 'admin'), await signIn('Seller'), await signIn('Other')]
  const { db } = app.server.ctx
  await db.updateTable('dealers').set({ emailVerifiedAt: new Date() }).execute()
  await db.updateTable('dealers').set({ licenseVerifiedAt: new Date() }).where('id', '=', seller.id).execute()
  await db.updateTable('networkSettings').set({ staffSecondFactor: false }).execute()
  t.match((await admin.get('/api/admin/network')).body, { verifiedOnly: true })
  t.same(await tradesOf(dealer, seller), [403, 403, 403])
  const off = await admin.patch<NetworkSettings>('/api/admin/network', { verifiedOnly: false })
  t.match(off, { status: 200, body: { verifiedOnly: false } })
  t.same(await tradesOf(dealer, seller), [201, 201, 201])
})

t.test('lets every dealer trade by default on demo and development servers', async (t) => {
  const env = { ...production, DATABASE_URL: 'postgres://localhost/none', REDIS_URL: 'redis://localhost' }
  t.equal(loadConfig(env).verifiedOnly, true)
  t.equal(loadConfig({ ...env, DEMO: 'on' }).verifiedOnly, false)
  t.equal(loadConfig({ ...env, NODE_ENV: 'development' }).verifiedOnly, false)
})
