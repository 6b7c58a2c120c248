import t from 'tap'
import type { AdminOverview } from '#shared/schemas/admin.ts'
import type { AddOn, AdminPricing, BillingOverview, MySubscription, ProrationPreview } from '#shared/schemas/billing.ts'
import type { Caller } from '#tests/support/app.ts'
import { customerOf, putFailingCard, startBillingApp, subscribe } from '#tests/support/billing.ts'
import { until } from '#tests/support/wait.ts'

const app = await startBillingApp(t)
const { signIn, server, advanceDays } = app
const addOnPath = '/api/my-subscription/add-ons/premium-add-on'

t.test('charges an add-on as previewed, bills it monthly, and removes it', async (t) => {
  const [dealer, admin] = [await signIn('Webb Bros'), await signIn('Lanewire', { role: 'admin' })]
  const revenue = async () => (await admin.get<AdminOverview>('/api/admin/overview')).body
  t.equal((await dealer.put(addOnPath, { quote: 'any' })).status, 404, 'no subscription, no add-on')
  await subscribe(dealer, 'basic')
  const before = await revenue()
  t.match((await dealer.get<AddOn[]>('/api/add-ons')).body, [{ id: 'premium-add-on', price: 50 }])
  const preview = (await dealer.post<ProrationPreview>(`${addOnPath}/preview`)).body
  t.match(preview, { newPrice: 149, credit: 0 })
  t.ok(preview.dueNow > 49 && preview.dueNow <= 50)
  const add = () => dealer.put<MySubscription>(addOnPath, { quote: preview.quote })
  const pressed = await Promise.all([add(), add()])
  t.ok(pressed.every(({ status }) => status === 200 || status === 409))
  t.match((await dealer.get<MySubscription>('/api/my-subscription')).body, {
    subscription: { price: 99, addOns: [{ name: 'Premium Add-on', price: 50 }] },
  })
  t.match((await dealer.get<BillingOverview>('/api/billing')).body.invoices, [
    { amount: preview.dueNow, description: 'Remaining time on Premium Add-on' },
    { amount: 99 },
  ])
  t.equal((await add()).status, 409, 'once is enough')

  const now = await revenue()
  t.equal(now.monthlyRevenue, before.monthlyRevenue + 50)
  t.equal(now.annualRevenue, now.monthlyRevenue * 12)
  t.equal(now.subscribers, before.subscribers)
  t.match(now.distribution.at(-1), { id: 'premium-add-on', users: 1, price: 50, revenue: 50 })
  const priced = await admin.patch<AdminPricing>('/api/admin/add-ons/premium-add-on', { price: 60 })
  t.match(priced.body.addOns, [{ price: 60, userCount: 1, revenue: 50 }], 'existing subscribers keep their price')
  await admin.patch('/api/admin/add-ons/premium-add-on', { isActive: false })
  t.same((await dealer.get<AddOn[]>('/api/add-ons')).body, [])
  t.match((await dealer.get<MySubscription>('/api/my-subscription')).body, {
    subscription: { addOns: [{ price: 50 }] },
  })

  await advanceDays(32)
  const [renewal] = await until('the renewal', async () => {
    const { invoices } = (await dealer.get<BillingOverview>('/api/billing')).body
    return invoices.length === 3 ? invoices : undefined
  })
  t.match(renewal, { amount: 149, status: 'paid', description: /Basic Plan .*, .*Premium Add-on/ })
  const gone = await dealer.delete<MySubscription>(addOnPath)
  t.match(gone.body, { subscription: { price: 99, addOns: [] } })
  t.equal((await dealer.delete(addOnPath)).status, 404)
  t.equal((await dealer.post(`${addOnPath}/preview`)).status, 404, 'no longer on offer')
  await admin.patch('/api/admin/add-ons/premium-add-on', { isActive: true, price: 50 })
})

t.test("follows the provider's state of an add-on and changes nothing for a declined card", async (t) => {
  const [dealer, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  await Promise.all([subscribe(dealer, 'basic'), subscribe(other, 'basic')])
  const quoteOf = async (caller: Caller) => (await caller.post<ProrationPreview>(`${addOnPath}/preview`)).body.quote
  const quote = await quoteOf(dealer)
  t.match(await other.put(addOnPath, { quote }), { status: 409 }, 'nobody pays a price quoted to another dealer')
  t.equal((await dealer.put(addOnPath, { quote })).status, 200)
  const tab = await dealer.live()
  const { stripe } = server.ctx
  const [subscription] = (await stripe.subscriptions.list({ customer: await customerOf(app, dealer.id) })).data
  const item = subscription?.items.data.find(({ price }) => price.metadata['addOn'] !== undefined)
  await stripe.subscriptions.update(subscription?.id ?? '', { items: [{ id: item?.id ?? '', deleted: true }] })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'subscription')
  t.match((await dealer.get<MySubscription>('/api/my-subscription')).body, { subscription: { addOns: [] } })

  await putFailingCard(app, other.id)
  t.match(await other.put(addOnPath, { quote: await quoteOf(other) }), {
    status: 402,
    body: { error: { message: 'Your card was declined.' } },
  })
  t.match((await other.get<MySubscription>('/api/my-subscription')).body, { subscription: { addOns: [] } })
})
