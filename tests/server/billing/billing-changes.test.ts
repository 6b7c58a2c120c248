import t from 'tap'
import { seal } from '#server/platform/signing-and-encryption.ts'
import type { ErrorBody } from '#shared/errors.ts'
import type {
  BillingOverview,
  CardChange,
  ChangePreview,
  ClientSecret,
  MySubscription,
  PaymentOutcome,
  ProrationPreview,
} from '#shared/schemas/billing.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { Answer, Caller } from '#tests/support/app.ts'
import { aCard, customerOf, putFailingCard, startBillingApp, subscribe, untilStatus } from '#tests/support/billing.ts'
import { aPost } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'

const app = await startBillingApp(t)
const { signIn, visitor, server, advanceDays } = app

t.test('refuses a second subscription', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer, 'basic')
  t.equal((await dealer.post<ClientSecret>('/api/get-or-create-subscription', { planId: 'premium' })).status, 409)
})

t.test('keeps a cancelled subscription until its period ends, and can resume it', async (t) => {
  const dealer = await signIn()
  t.equal((await dealer.post('/api/cancel-subscription', {})).status, 404, 'nothing to cancel')
  await subscribe(dealer)
  const cancelled = await dealer.post('/api/cancel-subscription', {})
  t.match(cancelled.body, { hasSubscription: true, subscription: { status: 'active', cancelAtPeriodEnd: true } })
  const resumed = await dealer.post('/api/resume-subscription', {})
  t.match(resumed.body, { subscription: { status: 'active', cancelAtPeriodEnd: false } })
  await dealer.post('/api/cancel-subscription', {})
  await advanceDays(32)
  await untilStatus(dealer, 'none')
  t.match(
    (await told(dealer)).map(({ title }) => title),
    [
      'Your Premium Plan has ended',
      'Your Premium Plan is cancelled',
      'Your Premium Plan continues',
      'Your Premium Plan is cancelled',
    ],
  )
  await subscribe(dealer, 'basic')
})

t.test('sends a new email address to the provider, which then uses it for receipts', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer, 'basic')
  const email = `other-${dealer.id}@example.com`
  const admin = await signIn('Lanewire', { role: 'admin' })
  t.equal((await admin.patch(`/api/admin/users/${dealer.id}`, { email })).status, 200)
  const customer = await customerOf(app, dealer.id)
  await until('the provider to know', async () => {
    const known = await server.ctx.stripe.customers.retrieve(customer)
    return 'email' in known && known.email === email
  })
})

t.test('charges a plan change as previewed', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer, 'basic')
  const preview = (await dealer.post<ChangePreview>('/api/change-subscription/preview', { planId: 'premium' })).body
  t.match(preview, { planName: 'Premium Plan', newPrice: 149, credit: 0 })
  t.ok(preview.dueNow > 49 && preview.dueNow <= 50, 'nearly the whole difference on the first day')
  t.equal(preview.lines.length, 2)
  const change = { planId: 'premium', quote: preview.quote }
  const changed = await dealer.post('/api/change-subscription', change)
  t.match(changed.body, { subscription: { plan: { id: 'premium' }, price: 149 } })
  t.match(await told(dealer), [{ kind: 'subscription', title: 'You are now on the Premium Plan', read: false }])
  t.equal((await dealer.get<BillingOverview>('/api/billing')).body.invoices[0]?.amount, preview.dueNow)
  t.equal((await dealer.post('/api/change-subscription', change)).status, 409, 'it is the current plan now')
  const down = (await dealer.post<ChangePreview>('/api/change-subscription/preview', { planId: 'basic' })).body
  t.match(down, { dueNow: 0 })
  t.ok(down.credit > 49)
})

t.test('ignores dates from the client when computing prices', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer, 'basic')
  const day = 24 * 3_600
  const now = Math.floor(Date.now() / 1000)
  for (const prorationDate of [now + 28 * day, now + 60 * day, now - 30 * day, 1]) {
    const change = await dealer.post('/api/change-subscription', { planId: 'enterprise', prorationDate })
    t.equal(change.status, 400, 'a change without the displayed price')
    const add = await dealer.put('/api/my-subscription/add-ons/premium-add-on', { prorationDate })
    t.equal(add.status, 400)
  }
  t.match((await dealer.get<MySubscription>('/api/my-subscription')).body, {
    subscription: { plan: { id: 'basic' }, addOns: [] },
  })
  t.equal((await dealer.get<BillingOverview>('/api/billing')).body.invoices.length, 1, 'only the first month')
})

const previewOf = async (dealer: Caller, planId: string) =>
  (await dealer.post<ChangePreview>('/api/change-subscription/preview', { planId })).body
const changeTo = (dealer: Caller, planId: string, quote: string) =>
  dealer.post<ErrorBody>('/api/change-subscription', { planId, quote })

t.test('accepts a quote for its dealer, plan, ten minutes and one change only', async (t) => {
  const [dealer, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  await Promise.all([subscribe(dealer, 'basic'), subscribe(other, 'basic')])
  const { quote } = await previewOf(dealer, 'premium')
  const [payload = '', signature = ''] = quote.split('.')
  const terms = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { prorationDate: number; until: number }
  const withTerms = (change: Partial<typeof terms>) => ({ ...terms, ...change })
  const forged = Buffer.from(JSON.stringify(withTerms({ prorationDate: terms.prorationDate + 86_400 })))
  const addOn = await dealer.post<ProrationPreview>('/api/my-subscription/add-ons/premium-add-on/preview')
  const sealed = (content: { until: number }, purpose = 'billing-quote') =>
    seal(server.ctx.config.secret, purpose, content)
  const refused = {
    'another dealer’s': (await previewOf(other, 'premium')).quote,
    'another plan’s': (await previewOf(dealer, 'enterprise')).quote,
    'an add-on’s': addOn.body.quote,
    'an altered one': `${forged.toString('base64url')}.${signature}`,
    'one of ten minutes ago': sealed(withTerms({ until: Date.now() - 1 })),
    'one sealed for something else': sealed(terms, 'google-link'),
    anything: 'anything',
  }
  for (const [what, given] of Object.entries(refused)) {
    const { status, body } = await changeTo(dealer, 'premium', given)
    t.equal(status, 409, what)
    t.match(body.error.message, /out of date, so nothing was changed or charged/)
  }
  t.equal((await dealer.get<BillingOverview>('/api/billing')).body.invoices.length, 1, 'nothing was charged')
  t.equal((await changeTo(dealer, 'premium', quote)).status, 200)
  t.equal((await changeTo(dealer, 'basic', (await previewOf(dealer, 'basic')).quote)).status, 200)
  t.equal((await changeTo(dealer, 'premium', quote)).status, 409, 'changing back to the larger plan has another price')
  t.match((await dealer.get<MySubscription>('/api/my-subscription')).body, { subscription: { plan: { id: 'basic' } } })
})

t.test('shows a new price first if the provider would charge differently', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer, 'basic')
  const { quote, dueNow } = await previewOf(dealer, 'premium')
  await server.ctx.db.updateTable('plans').set({ priceCents: 15_900 }).where('id', '=', 'premium').execute()
  t.equal((await changeTo(dealer, 'premium', quote)).status, 409)
  const fresh = await previewOf(dealer, 'premium')
  t.ok(fresh.dueNow > dueNow + 9)
  t.equal((await changeTo(dealer, 'premium', fresh.quote)).status, 200)
  t.equal((await dealer.get<BillingOverview>('/api/billing')).body.invoices[0]?.amount, fresh.dueNow)
  await server.ctx.db.updateTable('plans').set({ priceCents: 14_900 }).where('id', '=', 'premium').execute()
})

t.test('keeps the plan if the card is declined', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer, 'basic')
  await putFailingCard(app, dealer.id)
  const { quote } = await previewOf(dealer, 'premium')
  const refused = await changeTo(dealer, 'premium', quote)
  t.equal(refused.status, 402)
  t.equal(refused.body.error.message, 'Your card was declined.')
  t.match((await dealer.get<MySubscription>('/api/my-subscription')).body, {
    subscription: { plan: { id: 'basic' }, status: 'active' },
  })
})

t.test('marks a failed renewal as past due, and says by mail what is paused until it is paid', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer)
  await putFailingCard(app, dealer.id)
  await advanceDays(32)
  await untilStatus(dealer, 'past_due')
  const mail = await until('the mail', async () =>
    (await server.ctx.mailer.listStored()).find(({ subject }) => /did not go through/.test(subject)),
  )
  t.match(mail.text, /Features that need your plan are paused until you pay the open invoice:\n\n.*\/subscribe/)
  t.equal((await dealer.post('/api/inventory', aPost())).status, 201, 'posting needs no plan on this network')
  t.match(await told(dealer), [{ title: 'The payment for your Premium Plan failed', path: '/plan-management' }])
  const { body } = await dealer.post<ClientSecret>('/api/get-or-create-subscription', { planId: 'premium' })
  await dealer.post('/api/demo-payments/confirm', {
    clientSecret: body.clientSecret,
    paymentInfo: aCard('5555555555554444'),
  })
  await untilStatus(dealer, 'active')
  t.equal((await dealer.get<BillingOverview>('/api/billing')).body.paymentMethod?.brand, 'mastercard')
  t.match((await told(dealer))[0], {
    title: 'The payment for your Premium Plan went through',
    body: 'All features of your plan work again.',
  })
})

t.test('charges an unpaid invoice for its own plan only, even if that plan is no longer sold', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer)
  await putFailingCard(app, dealer.id)
  await advanceDays(32)
  await untilStatus(dealer, 'past_due')
  const paymentInfo = aCard('5555555555554444')
  const cheaper = await dealer.post<ErrorBody>('/api/auth/complete-subscription', { plan: 'basic', paymentInfo })
  t.match(cheaper, { status: 409, body: { error: { message: /has an open invoice\. Pay it before/ } } })
  t.match((await dealer.get<BillingOverview>('/api/billing')).body.invoices, [{ status: 'open' }, { status: 'paid' }])
  const offer = (active: boolean) =>
    server.ctx.db.updateTable('plans').set({ active }).where('id', '=', 'premium').execute()
  t.teardown(() => offer(true))
  await offer(false)
  t.equal((await dealer.post('/api/auth/complete-subscription', { plan: 'premium', paymentInfo })).status, 200)
  await untilStatus(dealer, 'active')
  const other = await signIn()
  t.equal((await other.post('/api/auth/complete-subscription', { plan: 'premium', paymentInfo })).status, 404)
})

t.test('replaces the card without a charge', async (t) => {
  const [dealer, other] = [await signIn(), await signIn('Boyle Motor')]
  t.equal((await dealer.post('/api/payment-method/setup')).status, 404, 'no subscription, no card')
  await subscribe(dealer)
  await subscribe(other)
  const tab = await dealer.live()
  const secret = await newCardSecret(dealer)
  t.equal((await dealer.post('/api/payment-method', { clientSecret: secret })).status, 402, 'not confirmed yet')
  t.match(await confirmCard(dealer, secret, '4000000000000002'), {
    status: 402,
    body: { error: { message: 'Your card was declined.' } },
  })
  t.match(await confirmCard(dealer, secret, '5555555555554444'), { body: { status: 'succeeded' } })
  t.equal((await other.post('/api/payment-method', { clientSecret: secret })).status, 404, 'not another dealer’s')
  const { body } = await dealer.post<CardChange>('/api/payment-method', { clientSecret: secret })
  t.match(body, { paymentMethod: { brand: 'mastercard', last4: '4444' }, openInvoice: 'none', refusal: null })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'subscription')
  const overview = (await dealer.get<BillingOverview>('/api/billing')).body
  t.match(overview, { paymentMethod: { last4: '4444' } })
  t.equal(overview.invoices.length, 1)
})

t.test('asks the bank about a new card once, so that renewals succeed', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer)
  const answer = (clientSecret: string, approve: boolean) =>
    dealer.post<PaymentOutcome & ErrorBody>('/api/demo-payments/authenticate', { clientSecret, approve })
  const secret = await newCardSecret(dealer)
  t.match(await confirmCard(dealer, secret, '4000002500003155'), { body: { status: 'requires_action' } })
  t.match(await answer(secret, false), { status: 402, body: { error: { message: /^Your bank did not confirm/ } } })
  await confirmCard(dealer, secret, '4000002500003155')
  t.match(await answer(secret, true), { status: 200, body: { status: 'succeeded' } })
  await dealer.post('/api/payment-method', { clientSecret: secret })
  await advanceDays(32)
  const { invoices } = await until('the renewal', async () => {
    const { body } = await dealer.get<BillingOverview>('/api/billing')
    return body.invoices.length === 2 ? body : undefined
  })
  t.equal(invoices[0]?.status, 'paid')
})

t.test('charges an unpaid renewal to a new card, or keeps the card and says why not', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer)
  await putFailingCard(app, dealer.id)
  await advanceDays(32)
  await untilStatus(dealer, 'past_due')
  t.match(await changeCard(dealer, '4000000000000341'), { openInvoice: 'refused', refusal: 'Your card was declined.' })
  await untilStatus(dealer, 'past_due')
  t.match(await changeCard(dealer, '378282246310005'), { paymentMethod: { brand: 'amex' }, openInvoice: 'paid' })
  t.match((await dealer.get<MySubscription>('/api/my-subscription')).body, { subscription: { status: 'active' } })
  t.equal((await dealer.post('/api/inventory', aPost())).status, 201)
})

t.test('keeps plans if the provider lost its records', async (t) => {
  const { signIn, wipeProvider } = await startBillingApp(t)
  const [dealer, owner] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  await subscribe(dealer, 'basic')
  await subscribe(owner, 'premium')
  await wipeProvider()
  t.equal((await dealer.get('/api/billing')).status, 200)
  t.equal((await owner.post('/api/confirm-subscription', {})).status, 200)
  for (const [caller, plan] of [
    [dealer, 'basic'],
    [owner, 'premium'],
  ] as const) {
    const { body } = await until('the plan to be paid again', async () => {
      const answer = await caller.get<MySubscription>('/api/my-subscription')
      return answer.body.subscription?.complimentary === false ? answer : undefined
    })
    t.match(body, { subscription: { status: 'active', plan: { id: plan } } })
    t.match((await caller.get<BillingOverview>('/api/billing')).body, { paymentMethod: { last4: '4242' } })
  }
  t.equal((await dealer.post('/api/cancel-subscription', {})).status, 200)
})

t.test('applies a new price to new subscriptions only', async (t) => {
  const [early, late] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  await subscribe(early, 'basic')
  await server.ctx.db.updateTable('plans').set({ priceCents: 10_900 }).where('id', '=', 'basic').execute()
  await subscribe(late, 'basic')
  t.equal((await early.get<MySubscription>('/api/my-subscription')).body.subscription?.price, 99)
  t.equal((await late.get<MySubscription>('/api/my-subscription')).body.subscription?.price, 109)
})

t.test('sends subscription changes to every tab of the dealer and to nobody else', async (t) => {
  const [dealer, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const [tab, stranger] = [await dealer.live(), await other.live()]
  await subscribe(dealer)
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'subscription')
  t.same(await stranger.receivedAfterRoundTrip('inbox.changed'), [])
})

t.test('charges nothing and says so if the provider is unreachable', async (t) => {
  const { signIn } = await startBillingApp(t, { STRIPE_API_URL: 'http://127.0.0.1:9' })
  const dealer = await signIn()
  const { status, body } = await dealer.post<ErrorBody>('/api/auth/complete-subscription', {
    plan: 'basic',
    paymentInfo: aCard(),
  })
  t.equal(status, 503)
  t.match(body.error.message, /Nothing was charged/)
})

t.test('gives a demo account a paid plan that allows posting at once', async (t) => {
  const made = await visitor.post('/api/auth/create-dummy', {})
  t.equal(made.status, 201)
  const cookie = made.headers.get('set-cookie')?.split(';')[0] ?? ''
  const demo = app.on(app, { ...visitor, cookie })
  t.equal((await demo.get<MySubscription>('/api/my-subscription')).body.hasSubscription, true)
  t.equal((await demo.post('/api/inventory', aPost())).status, 201)
  const { body } = await until('the paid plan', async () => {
    const answer = await demo.get<MySubscription>('/api/my-subscription')
    return answer.body.subscription?.complimentary === false ? answer : undefined
  })
  t.match(body, { subscription: { status: 'active', plan: { id: 'premium' } } })
  t.equal((await demo.get<BillingOverview>('/api/billing')).body.invoices.length, 1)
})

async function told(dealer: Caller) {
  return (await dealer.get<NotificationsPage>('/api/notifications')).body.items
}

const newCardSecret = async (dealer: Caller) =>
  (await dealer.post<ClientSecret>('/api/payment-method/setup')).body.clientSecret

const confirmCard = (dealer: Caller, clientSecret: string, number: string): Promise<Answer> =>
  dealer.post('/api/demo-payments/confirm', { clientSecret, paymentInfo: aCard(number) })

async function changeCard(dealer: Caller, number: string): Promise<CardChange> {
  const clientSecret = await newCardSecret(dealer)
  await confirmCard(dealer, clientSecret, number)
  return (await dealer.post<CardChange>('/api/payment-method', { clientSecret })).body
}
