import { sql } from 'kysely'
import t from 'tap'
import type { AuthStatus } from '#shared/schemas/auth.ts'
import type { ApiKey } from '#shared/schemas/account.ts'
import type { Promotion } from '#shared/schemas/promotions.ts'
import type { OnboardingProgress } from '#shared/schemas/onboarding.ts'
import { startApp } from '#tests/support/app.ts'
import { bid, publishAuction } from '#tests/support/bidding.ts'
import { publish } from '#tests/support/factories.ts'
import { utcDate } from '#tests/support/one-day.ts'

const app = await startApp(t, { BILLING: 'off' })
t.beforeEach(app.startOver)

t.test('reports to the client that billing is off and offers no way to pay', async (t) => {
  t.match((await app.visitor.get<AuthStatus>('/api/auth/status')).body, { billing: false })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const dealer = await app.signIn('Free Cars', { plan: null })
  for (const path of ['/api/subscription-plans', '/api/payment-config'])
    t.equal((await app.visitor.get(path)).status, 404, path)
  for (const path of ['/api/billing', '/api/add-ons']) t.equal((await dealer.get(path)).status, 404, path)
  for (const path of ['get-or-create-subscription', 'cancel-subscription', 'payment-method/setup', 'webhooks/stripe'])
    t.equal((await dealer.post(`/api/${path}`, { planId: 'premium' })).status, 404, path)
  for (const path of ['/api/admin/pricing', `/api/admin/users/${dealer.id}/billing`])
    t.equal((await admin.get(path)).status, 404, path)
})

t.test("gives dealers without a plan the Premium Plan's features", async (t) => {
  const [seller, buyer] = [await app.signIn('Free Cars', { plan: null }), await app.signIn('Bids', { plan: null })]
  t.same((await seller.get('/api/my-subscription')).body, {
    hasSubscription: false,
    subscription: null,
    entitlements: ['posting', 'bidding', 'messaging', 'marketPosition', 'analytics', 'billOfSale'],
  })
  t.match((await seller.get<OnboardingProgress>('/api/onboarding')).body, { step: 'done' })
  await publish(seller)
  t.match(await bid(buyer, await publishAuction(seller), 10_000), { status: 201 })
  t.match(await seller.get('/api/dashboard/sales/sold'), { status: 200 })
})

t.test('neither limits nor charges a plan bought earlier', async (t) => {
  const seller = await app.signIn('Free Cars')
  const owing = await app.signIn('Owes', { plan: 'basic' })
  const { db } = app.server.ctx
  await db.updateTable('subscriptions').set({ status: 'past_due' }).where('dealerId', '=', owing.id).execute()
  t.match((await owing.get('/api/my-subscription')).body, { subscription: null })
  t.match(await bid(owing, await publishAuction(seller), 10_000), { status: 201 })
  // Give the dealer 50 connections, the maximum of the Basic Plan.
  await sql`
    with others as (
      insert into dealers (email, name, profile_completed_at)
      select 'dealer-' || number || '@test.example', 'Dealer', now() from generate_series(1, 50) as number returning id
    ) insert into connections (dealer_id, other_id) select ${owing.id}, id from others`.execute(db)
  t.match(await owing.post(`/api/dealers/${seller.id}/connect`), { status: 200 })
  t.match(await owing.delete('/api/account', { email: 'x@test.example' }), { status: 400 })
})

t.test('lets admins grant what only the largest plan includes, without a price', async (t) => {
  const dealer = await app.signIn('Free Cars', { plan: null })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const ask = () => dealer.post<ApiKey>('/api/api-keys', { name: 'Stock', scope: 'read' })
  const refused = await ask()
  t.equal(refused.status, 403)
  t.match(JSON.stringify(refused.body), /An admin decides who can use API keys/)
  t.notMatch(JSON.stringify(refused.body), /Plan|Subscribe|Upgrade/)
  await admin.post(`/api/admin/users/${dealer.id}/api-access`, { granted: true })
  t.equal((await ask()).status, 201)
})

t.test('shows promotions to everybody and plan-specific ones to nobody', async (t) => {
  const dealer = await app.signIn('Free Cars', { plan: null })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const promotion = { title: 'Hello', message: 'Welcome', type: 'info', startDate: utcDate(-1), endDate: utcDate(1) }
  const make = (path: string, targetAudience: string) =>
    admin.post<Promotion>(`/api/admin/${path}`, { ...promotion, targetAudience })
  for (const path of ['promotions', 'announcements']) {
    const refused = await make(path, 'premium')
    t.equal(refused.status, 400)
    t.match(JSON.stringify(refused.body), /promotions are for everyone/)
  }
  const { id } = (await make('promotions', 'all')).body
  t.equal((await admin.patch(`/api/admin/promotions/${id}`, { targetAudience: 'basic' })).status, 400)
  const shown = async () => (await dealer.get<Promotion[]>('/api/promotions')).body.map(({ title }) => title)
  t.same(await shown(), ['Hello'])
  for (const targetAudience of ['basic', 'premium'] as const) {
    await app.server.ctx.db.updateTable('promotions').set({ targetAudience }).where('id', '=', id).execute()
    t.same(await shown(), [], targetAudience)
  }
  t.equal((await admin.patch(`/api/admin/promotions/${id}`, { isActive: false })).status, 200, 'it can be paused')
})
