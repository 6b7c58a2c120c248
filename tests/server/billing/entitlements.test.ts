import t from 'tap'
import type { ApiKey, CreatedApiKey } from '#shared/schemas/account.ts'
import type { ChangePreview, MySubscription, ProrationPreview, SubscriptionPlan } from '#shared/schemas/billing.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { EditedVehicle, PostDetail, PostPatch } from '#shared/schemas/posts.ts'
import { connectionLimitOf, featuresOf, entitlementsOf, planIds, suitsPlan } from '#shared/entitlements.ts'
import type { Caller } from '#tests/support/app.ts'
import { askForPlans, startBillingApp, subscribe } from '#tests/support/billing.ts'
import { aPost } from '#tests/support/factories.ts'
import { acceptOffer, aDealWith } from '#tests/support/deals.ts'

const app = await startBillingApp(t)
const { signIn, server } = app
const addOnPath = '/api/my-subscription/add-ons/premium-add-on'

const refused = (planName: string, message: RegExp) => ({
  status: 402,
  body: { error: { code: 'payment_required', message, details: { plan: 'upgrade', planName } } },
})

t.test('includes Basic in Premium, and Premium in Enterprise', async (t) => {
  t.same([...entitlementsOf('basic')], ['posting', 'bidding', 'messaging'])
  t.same([...entitlementsOf('premium')], [...entitlementsOf('basic'), 'marketPosition', 'analytics', 'billOfSale'])
  t.same([...entitlementsOf('enterprise')], [...entitlementsOf('premium'), 'apiAccess'])
  t.same(planIds.map(connectionLimitOf), [50, null, null])
  t.same(
    planIds.map((id) => suitsPlan('premium-add-on', id)),
    [true, false, false],
  )
  t.same([...entitlementsOf('basic', ['premium-add-on'])], [...entitlementsOf('basic'), 'marketPosition', 'analytics'])
})

t.test('builds price cards from the table and ignores edits by admins', async (t) => {
  const admin = await signIn('Lanewire', { role: 'admin' })
  await admin.patch('/api/admin/plans/basic', { features: ['A yacht'], price: 99 })
  const { body } = await app.visitor.get<SubscriptionPlan[]>('/api/subscription-plans')
  t.same(
    body.map(({ id, features, connectionLimit }) => ({ id, features, connectionLimit })),
    planIds.map((id) => ({ id, features: featuresOf(id), connectionLimit: connectionLimitOf(id) })),
  )
})

t.test('gives sales analytics to Premium and the add-on, and names both in the refusal', async (t) => {
  const sales = (dealer: Caller) => dealer.get('/api/dashboard/sales/sold')
  const [none, basic, premium] = [
    await signIn('None'),
    await signIn('Basic', { plan: 'basic' }),
    await signIn('Premium', { plan: 'premium' }),
  ]
  t.match(await sales(none), {
    status: 402,
    body: { error: { message: /^Subscribe to the Premium Plan/, details: { plan: 'subscribe' } } },
  })
  t.match(await sales(basic), refused('Premium Plan', /Premium Plan, or take the Premium Add-on, to see sales/))
  t.equal((await sales(premium)).status, 200)
  const [{ id }] = (await server.ctx.db
    .selectFrom('subscriptions')
    .select('id')
    .where('dealerId', '=', basic.id)
    .execute()) as [{ id: string }]
  await server.ctx.db
    .insertInto('subscriptionAddOns')
    .values({ subscriptionId: id, addOnId: 'premium-add-on', priceCents: 5_000 })
    .execute()
  t.equal((await sales(basic)).status, 200)
  await server.ctx.db.updateTable('subscriptions').set({ status: 'past_due' }).where('id', '=', id).execute()
  t.match(await sales(basic), { status: 402, body: { error: { details: { plan: 'pay' } } } })
})

t.test("gives the bill of sale with either party's plan and the odometer statement with every deal", async (t) => {
  const [seller, buyer] = [await signIn('Seller', { plan: 'basic' }), await signIn('Buyer', { plan: 'basic' })]
  const deal = await aDealWith(seller, buyer)
  t.match(deal.may, { sign: ['odometer'] })
  t.match(deal.billOfSaleNeeds, /Upgrade to the Premium Plan to use the bill of sale/)
  const sign = (by: Caller, kind: string) =>
    by.post(`/api/deal/${deal.id}/documents/${kind}/signature`, { name: 'A Name' })
  t.match(await sign(seller, 'bill_of_sale'), refused('Premium Plan', /bill of sale/))
  const paper = deal.documents.find(({ kind }) => kind === 'bill_of_sale')
  t.match(await buyer.get(`/api/deal/${deal.id}/documents/${paper?.id}`), refused('Premium Plan', /bill of sale/))
  t.equal((await sign(buyer, 'odometer')).status, 200)
  await server.ctx.db.updateTable('subscriptions').set({ planId: 'premium' }).where('dealerId', '=', buyer.id).execute()
  t.equal((await sign(seller, 'bill_of_sale')).status, 200, 'the other side’s plan is enough')
  await server.ctx.db.updateTable('subscriptions').set({ planId: 'basic' }).where('dealerId', '=', buyer.id).execute()
  t.equal((await sign(buyer, 'bill_of_sale')).status, 200, 'the other party can sign after the first')
})

t.test('lets a seller without a plan update a post but offer nothing new', async (t) => {
  await askForPlans(t, app)
  const seller = await signIn('Seller', { plan: 'basic' })
  const { body: post } = await seller.post<PostDetail>('/api/inventory', aPost())
  const [vehicle] = post.vehicles
  const { vehicles: [fresh] = [] } = aPost()
  await server.ctx.db
    .updateTable('subscriptions')
    .set({ status: 'canceled' })
    .where('dealerId', '=', seller.id)
    .execute()
  const edit = (patch: PostPatch) => seller.patch<PostDetail>(`/api/inventory/${post.id}`, patch)
  const kept = { ...fresh, id: vehicle?.id } as EditedVehicle
  const ofPlan = { status: 402, body: { error: { message: /^Subscribe to the Basic Plan .* to post inventory/ } } }
  t.equal((await edit({ vehicles: [{ ...kept, price: 29_000, status: 'sold' }] })).status, 200)
  t.match(await edit({ vehicles: [kept, fresh as EditedVehicle] }), ofPlan, 'another vehicle')
  t.match(await edit({ vehicles: [{ ...kept, status: 'available' }] }), ofPlan, 'a sold vehicle')
  t.match(await edit({ vehicle: { id: vehicle?.id ?? '', status: 'available' } }), ofPlan)
  t.match((await edit({ vehicles: [{ ...kept, price: 28_000 }] })).body.vehicles, [{ price: 28_000, status: 'sold' }])
})

t.test('lets a buyer without a plan answer an offer but not counter', async (t) => {
  await askForPlans(t, app)
  const [seller, buyer] = [await signIn('Seller', { plan: 'basic' }), await signIn('Buyer', { plan: 'basic' })]
  const { body: post } = await seller.post<PostDetail>('/api/inventory', aPost())
  const wanted = { vehicleId: post.vehicles[0]?.id, amount: 30_000 }
  const { id } = (await buyer.post<Offer>(`/api/inventory/${post.id}/offers`, wanted)).body
  const counter = (by: Caller, amount: number) => by.post(`/api/offers/${id}/counter`, { amount })
  t.equal((await counter(seller, 32_000)).status, 200)
  await server.ctx.db
    .updateTable('subscriptions')
    .set({ status: 'canceled' })
    .where('dealerId', 'in', [buyer.id, seller.id])
    .execute()
  t.match(await counter(buyer, 31_000), {
    status: 402,
    body: { error: { message: /^Subscribe to the Basic Plan .* to make offers/, details: { plan: 'subscribe' } } },
  })
  t.match(await acceptOffer(buyer, id), { status: 200, body: { status: 'accepted' } })
})

t.test('gives API keys to Enterprise and to dealers an admin chose', async (t) => {
  const [dealer, admin] = [await signIn('Premium', { plan: 'premium' }), await signIn('Lanewire', { role: 'admin' })]
  const make = () => dealer.post<CreatedApiKey>('/api/api-keys', { name: 'Stock', scope: 'read' })
  const has = async () => (await dealer.get<MySubscription>('/api/my-subscription')).body.entitlements
  t.match(await make(), refused('Enterprise Plan', /Enterprise Plan to use API keys/))
  t.notOk((await has()).includes('apiAccess'))
  const path = `/api/admin/users/${dealer.id}/api-access`
  t.equal((await dealer.post(path, { granted: true })).status, 403)
  const tab = await dealer.live()
  const heard = tab.nextEvent('inbox.changed', ({ what }) => what === 'subscription')
  t.match(await admin.post(path, { granted: true }), { status: 200, body: { apiAccess: true } })
  await heard
  t.equal((await admin.post(path, { granted: true })).status, 409, 'once is enough')
  t.ok((await has()).includes('apiAccess'))
  const { secret } = (await make()).body
  const call = () => app.visitor.get('/api/deals', undefined, { authorization: `Bearer ${secret}` })
  t.equal((await call()).status, 200)
  t.match(await admin.post(path, { granted: false }), { status: 200, body: { apiAccess: false } })
  t.match(await call(), refused('Enterprise Plan', /API keys/), 'a key ends with the plan that allowed it')
  t.equal((await dealer.get<ApiKey[]>('/api/api-keys')).body.length, 1, 'it is still there to be revoked')
  await server.ctx.db
    .updateTable('subscriptions')
    .set({ planId: 'enterprise' })
    .where('dealerId', '=', dealer.id)
    .execute()
  t.equal((await call()).status, 200)
  await admin.post(path, { granted: true })
  await admin.post(path, { granted: false })
  t.equal((await call()).status, 200, 'the plan has it')
  const told = (await dealer.get<NotificationsPage>('/api/notifications')).body.items
    .filter(({ title }) => title === 'API access ended')
    .map(({ body }) => body)
  t.match(told, [/your API keys keep working$/, /^Your API keys no longer work$/])
  const { entries } = (await admin.get<{ entries: { action: string }[] }>('/api/admin/audit?action=access')).body
  t.same(
    entries.map(({ action }) => action),
    ['access.revoke', 'access.grant', 'access.revoke', 'access.grant'],
  )
})

t.test('refuses an add-on the plan includes, and ends it with credit on such a plan', async (t) => {
  const [basic, premium] = [await signIn('Basic'), await signIn('Premium')]
  await Promise.all([subscribe(basic, 'basic'), subscribe(premium, 'premium')])
  const words = 'Your Premium Plan already includes everything in the Premium Add-on'
  t.match(await premium.post(`${addOnPath}/preview`), { status: 409, body: { error: { message: words } } })
  t.match(await premium.put(addOnPath, { quote: 'any' }), { status: 409, body: { error: { message: words } } })
  const { quote } = (await basic.post<ProrationPreview>(`${addOnPath}/preview`)).body
  await basic.put(addOnPath, { quote })
  const up = (await basic.post<ChangePreview>('/api/change-subscription/preview', { planId: 'premium' })).body
  t.equal(up.newPrice, 149, 'the add-on is no longer charged')
  t.match(up.lines.map(({ description }) => description).toSorted(), [
    'Remaining time on Premium Plan',
    'Unused time on Basic Plan',
    'Unused time on Premium Add-on',
  ])
  t.ok(up.dueNow < 1, 'fifty dollars more, fifty dollars less')
  const changed = await basic.post<MySubscription>('/api/change-subscription', { planId: 'premium', quote: up.quote })
  t.match(changed.body, { subscription: { plan: { id: 'premium' }, price: 149, addOns: [] } })
})
