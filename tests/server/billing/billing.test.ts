import type Stripe from 'stripe'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type {
  ClientSecret,
  BillingOverview,
  MySubscription,
  PaymentOutcome,
  SubscriptionPlan,
} from '#shared/schemas/billing.ts'
import { getOrCreateSubscription } from '#server/features/billing/billing-checkout.service.ts'
import { aCard, startBillingApp, subscribe, untilStatus } from '#tests/support/billing.ts'
import { says } from '#tests/support/spelled.ts'

const { server, signIn, visitor } = await startBillingApp(t)

t.test('shows plans and prices to everybody', async (t) => {
  const { status, body } = await visitor.get<SubscriptionPlan[]>('/api/subscription-plans')
  t.equal(status, 200)
  t.same(
    body.map(({ id, name, price, connectionLimit }) => [id, name, price, connectionLimit]),
    [
      ['basic', 'Basic Plan', 99, 50],
      ['premium', 'Premium Plan', 149, null],
      ['enterprise', 'Enterprise Plan', 199, null],
    ],
  )
  t.ok(body.every(({ features }) => features.length > 0))
})

t.test('refuses visitors access to subscriptions', async (t) => {
  for (const path of ['/api/my-subscription', '/api/billing', '/api/add-ons', '/api/onboarding'])
    t.equal((await visitor.get(path)).status, 401, path)
  const calls: [string, unknown][] = [
    ['/api/get-or-create-subscription', { planId: 'basic' }],
    ['/api/cancel-subscription', {}],
    ['/api/resume-subscription', {}],
    ['/api/confirm-subscription', {}],
    ['/api/change-subscription/preview', { planId: 'basic' }],
    ['/api/change-subscription', { planId: 'basic', quote: 'any' }],
    ['/api/auth/complete-subscription', { plan: 'basic', paymentInfo: aCard() }],
    ['/api/demo-payments/confirm', { clientSecret: 'pi_1_secret_1', paymentInfo: aCard() }],
    ['/api/demo-payments/authenticate', { clientSecret: 'pi_1_secret_1', approve: true }],
  ]
  for (const [path, body] of calls) t.equal((await visitor.post(path, body)).status, 401, path)
})

t.test('subscribes a dealer and shows invoice and card, but never the card number', async (t) => {
  const dealer = await signIn()
  t.same((await dealer.get<MySubscription>('/api/my-subscription')).body, {
    hasSubscription: false,
    subscription: null,
    entitlements: ['posting', 'bidding', 'messaging'],
  })
  await subscribe(dealer, 'premium')
  const { body } = await dealer.get<MySubscription>('/api/my-subscription')
  t.match(body, {
    hasSubscription: true,
    subscription: {
      status: 'active',
      price: 149,
      cancelAtPeriodEnd: false,
      complimentary: false,
      plan: { id: 'premium', name: 'Premium Plan' },
    },
  })
  t.ok(Date.parse(body.subscription?.currentPeriodEnd ?? '') > Date.now() + 27 * 24 * 3600_000)
  const overview = (await dealer.get<BillingOverview>('/api/billing')).body
  t.match(overview.paymentMethod, { brand: 'visa', last4: '4242', expMonth: 8, expYear: 2031 })
  t.match(overview.invoices, [{ amount: 149, status: 'paid' }])
})

t.test('creates one subscription and one charge for two simultaneous clicks', async (t) => {
  const dealer = await signIn()
  const pay = () => dealer.post('/api/auth/complete-subscription', { plan: 'basic', paymentInfo: aCard() })
  await Promise.all([pay(), pay(), pay()])
  await untilStatus(dealer, 'active')
  const { body } = await dealer.get<BillingOverview>('/api/billing')
  t.equal(body.invoices.filter(({ status }) => status === 'paid').length, 1)
  const { cardMark } = await server.ctx.db
    .selectFrom('billingCustomers')
    .select('cardMark')
    .where('dealerId', '=', dealer.id)
    .executeTakeFirstOrThrow()
  t.match(cardMark, /^[\w-]{16}$/, "the provider's id of the card")
})

t.test("declines a card with the provider's message and accepts another one", async (t) => {
  const dealer = await signIn()
  const refused = await dealer.post<ErrorBody>('/api/auth/complete-subscription', {
    plan: 'basic',
    paymentInfo: aCard('4000000000000002'),
  })
  t.equal(refused.status, 402)
  t.match(refused.body, { error: { code: 'payment_required', message: 'Your card was declined.' } })
  t.equal((await dealer.get<MySubscription>('/api/my-subscription')).body.hasSubscription, false)
  await subscribe(dealer, 'basic')
})

t.test("waits for the bank's confirmation before anything is paid", async (t) => {
  const dealer = await signIn()
  const card = aCard('4000002500003155')
  const asked = await dealer.post<PaymentOutcome>('/api/auth/complete-subscription', {
    plan: 'premium',
    paymentInfo: card,
  })
  t.equal(asked.body.status, 'requires_action')
  t.equal((await dealer.get<MySubscription>('/api/my-subscription')).body.hasSubscription, false)
  const { clientSecret } = asked.body
  const back = () => dealer.post<MySubscription & ErrorBody>('/api/confirm-subscription', { clientSecret })
  t.match(
    await back(),
    { status: 402, body: { error: { message: /^Your bank has not confirmed/ } } },
    'without an answer',
  )
  const no = await dealer.post('/api/demo-payments/authenticate', { clientSecret, approve: false })
  t.equal(no.status, 402)
  t.match(await back(), { status: 402, body: { error: { message: /^Your bank did not confirm/ } } }, 'refused')
  await dealer.post('/api/demo-payments/confirm', { clientSecret, paymentInfo: card })
  const yes = await dealer.post<PaymentOutcome>('/api/demo-payments/authenticate', { clientSecret, approve: true })
  t.equal(yes.body.status, 'succeeded')
  t.match(await back(), { status: 200, body: { subscription: { status: 'active' } } }, 'approved')
  const other = await signIn()
  t.equal((await other.post('/api/confirm-subscription', { clientSecret })).status, 404, 'not another dealer’s')
})

t.test('never sends numbers other than published test cards', async (t) => {
  const dealer = await signIn()
  const { status, body } = await dealer.post<ErrorBody>('/api/auth/complete-subscription', {
    plan: 'basic',
    paymentInfo: aCard('4111 1111 1111 1111'),
  })
  t.equal(status, 400)
  t.match(body.error.message, /accepts only the payment provider's test cards/)
  t.notOk(says(JSON.stringify(body), '4111'))
})

t.test('names blank card fields in their order', async (t) => {
  const dealer = await signIn()
  const cases: [object, string][] = [
    [{ ...aCard(), cardNumber: ' ', cvv: '' }, 'Please fill in card number'],
    [{ ...aCard(), expiryDate: '' }, 'Please fill in expiry date'],
    [{ ...aCard(), cvv: '' }, 'Please fill in cvv'],
    [{ ...aCard(), cardholderName: '' }, 'Please fill in name on card'],
    [{ ...aCard(), expiryDate: '01 / 20' }, "Your card's expiration year is invalid."],
  ]
  for (const [paymentInfo, message] of cases) {
    const { body } = await dealer.post<ErrorBody>('/api/auth/complete-subscription', { plan: 'basic', paymentInfo })
    t.equal(body.error.message, message)
  }
  const unknown = await dealer.post('/api/auth/complete-subscription', { plan: 'gold', paymentInfo: aCard() })
  t.equal(unknown.status, 404)
})

t.test('removes our card form if a real provider is configured', async (t) => {
  const { signIn } = await startBillingApp(t, {
    STRIPE_SECRET_KEY: 'sk_test_somebody',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_somebody',
  })
  const dealer = await signIn()
  t.same((await dealer.get('/api/payment-config')).body, { form: 'element', publishableKey: 'pk_test_somebody' })
  const { status } = await dealer.post('/api/auth/complete-subscription', { plan: 'basic', paymentInfo: aCard() })
  t.equal(status, 404)
})

t.test("hides other dealers' payments", async (t) => {
  const [dealer, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const { body } = await dealer.post<ClientSecret>('/api/get-or-create-subscription', { planId: 'premium' })
  await other.post('/api/get-or-create-subscription', { planId: 'premium' })
  const theft = { clientSecret: body.clientSecret, paymentInfo: aCard() }
  t.equal((await other.post('/api/demo-payments/confirm', theft)).status, 404)
  t.equal(
    (await other.post('/api/demo-payments/authenticate', { clientSecret: body.clientSecret, approve: true })).status,
    404,
  )
  t.equal(
    (await dealer.post('/api/demo-payments/confirm', { ...theft, clientSecret: `${body.clientSecret}x` })).status,
    404,
  )
})

t.test('changes an unpaid choice and accepts payment of the last one only', async (t) => {
  const dealer = await signIn()
  const choose = async (planId: string): Promise<string> =>
    (await dealer.post<ClientSecret>('/api/get-or-create-subscription', { planId })).body.clientSecret
  const basic = await choose('basic')
  t.equal(await choose('basic'), basic, 'the same choice is the same payment')
  const premium = await choose('premium')
  t.equal((await dealer.post('/api/demo-payments/confirm', { clientSecret: basic, paymentInfo: aCard() })).status, 409)
  t.not(await choose('basic'), basic, 'a cancelled payment does not come back')
  t.equal(
    (await dealer.post('/api/demo-payments/confirm', { clientSecret: premium, paymentInfo: aCard() })).status,
    409,
  )
})

t.test('leaves one of two simultaneously chosen plans to pay', async (t) => {
  const dealer = await signIn()
  const { stripe } = server.ctx
  const choose = (planId: string) => getOrCreateSubscription(server.ctx, dealer.id, planId)
  const list = stripe.subscriptions.list.bind(stripe.subscriptions)
  let basic = ''
  // Another tab chooses a plan between this tab's read and its write.
  stripe.subscriptions.list = (async (params: Stripe.SubscriptionListParams) => {
    stripe.subscriptions.list = list
    const found = await list(params)
    basic = await choose('basic')
    return found
  }) as typeof list
  const premium = await choose('premium')
  const pay = (clientSecret: string) =>
    dealer.post('/api/demo-payments/confirm', { clientSecret, paymentInfo: aCard() })
  t.equal((await pay(basic)).status, 409)
  t.equal((await pay(premium)).status, 200)
  t.match((await dealer.get<MySubscription>('/api/my-subscription')).body, {
    subscription: { plan: { id: 'premium' } },
  })
})

t.test("requires a billing address with checkout's card fields", async (t) => {
  const dealer = await signIn()
  const { cardholderName: _, ...card } = aCard()
  const billingAddress = {
    address: '4100 Harry Hines Blvd',
    city: 'Dallas',
    state: 'TX',
    zipCode: '75219',
    country: 'US',
  }
  const pay = (about: object) =>
    dealer.post<ErrorBody>('/api/auth/complete-subscription', {
      plan: 'basic',
      paymentInfo: { ...card, nameOnCard: 'Dana Torres', ...about },
    })
  const refusals = [
    await pay({}),
    await pay({ billingAddress: { ...billingAddress, city: ' ' } }),
    await pay({ billingAddress: { ...billingAddress, zipCode: '' } }),
    await pay({ billingAddress: { ...billingAddress, address: '\u200B' } }),
    await pay({ nameOnCard: '\u200B', billingAddress }),
  ]
  t.same(
    refusals.map(({ status, body }) => [status, body.error.message]),
    [
      [400, 'Please fill in billing address'],
      [400, 'Please fill in billing city'],
      [400, 'Please fill in billing zip code'],
      [400, 'Please fill in billing address'],
      [400, 'Please fill in name on card'],
    ],
  )
  t.equal((await pay({ billingAddress })).status, 200)
})
