import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import Stripe from 'stripe'
import { createStripe } from '#server/platform/stripe/stripe.ts'
import { startStripeStandin } from '#server/standins/stripe/stripe-standin.ts'

const webhookSecret = 'whsec_standin_test'
const day = 24 * 3600

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** Starts a webhook receiver that rejects the first `refusals` deliveries and verifies every signature with the SDK. */
async function receiver(t: Test, refusals = 0) {
  const events: Stripe.Event[] = []
  const waiting: { type: string; found: (event: Stripe.Event) => void }[] = []
  const attempts = new Map<string, number>()
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const event = Stripe.webhooks.constructEvent(body, request.headers['stripe-signature'] ?? '', webhookSecret)
      const tried = (attempts.get(event.id) ?? 0) + 1
      attempts.set(event.id, tried)
      const accepted = tried > refusals
      response.writeHead(accepted ? 200 : 500).end()
      if (!accepted) return
      events.push(event)
      for (const wait of waiting.filter(({ type }) => type === event.type)) wait.found(event)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const next = (type: string) =>
    new Promise<Stripe.Event>((found) => {
      const seen = events.find((event) => event.type === type)
      if (seen) found(seen)
      else waiting.push({ type, found })
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, next, attempts, events }
}

async function start(t: Test, refusals = 0) {
  const heard = await receiver(t, refusals)
  const dataDir = t.testdir()
  const open = () => startStripeStandin({ dataDir, webhookUrl: heard.url, webhookSecret, retryDelaysMs: [1, 1, 1] })
  const standin = await open()
  t.teardown(() => standin.close())
  const stripe = createStripe({ secretKey: 'sk_test_local', apiUrl: standin.url })
  const advance = (seconds: number) => stripe.rawRequest('POST', '/v1/test_helpers/clock/advance', { seconds })
  return { stripe, heard, standin, open, advance }
}

async function catalog(stripe: Stripe) {
  const product = await stripe.products.create({ name: 'Basic Plan' })
  const larger = await stripe.products.create({ name: 'Premium Plan' })
  const month = { currency: 'usd', recurring: { interval: 'month' as const } }
  const basic = await stripe.prices.create({ ...month, product: product.id, unit_amount: 9900, lookup_key: 'basic' })
  const premium = await stripe.prices.create({
    ...month,
    product: larger.id,
    unit_amount: 14900,
    lookup_key: 'premium',
  })
  return { basic, premium }
}

const card = (stripe: Stripe, number: string) =>
  stripe.paymentMethods.create({ type: 'card', card: { number, exp_month: 8, exp_year: 2031, cvc: '123' } })

async function subscribe(stripe: Stripe, price: Stripe.Price) {
  const customer = await stripe.customers.create({ email: 'dana@example.com' })
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: ['latest_invoice.confirmation_secret'],
  })
  const invoice = subscription.latest_invoice as Stripe.Invoice
  const secret = invoice.confirmation_secret?.client_secret ?? ''
  return { customer, subscription, secret, intentId: secret.split('_secret_')[0] ?? '' }
}

async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return call.then(
    () => {
      throw new Error('the call was not refused')
    },
    (error: unknown) => error as Stripe.errors.StripeError,
  )
}

t.test('activates an incomplete subscription with the first payment', async (t) => {
  const { stripe, heard } = await start(t)
  const { basic } = await catalog(stripe)
  const { subscription, intentId } = await subscribe(stripe, basic)
  t.equal(subscription.status, 'incomplete')
  const intent = await stripe.paymentIntents.confirm(intentId, {
    payment_method: (await card(stripe, '4242424242424242')).id,
  })
  t.equal(intent.status, 'succeeded')
  t.equal(intent.amount_received, 9900)
  const paid = await heard.next('invoice.paid')
  t.equal((paid.data.object as Stripe.Invoice).status, 'paid')
  const active = await stripe.subscriptions.retrieve(subscription.id, { expand: ['default_payment_method'] })
  t.equal(active.status, 'active')
  t.match(active.default_payment_method, { card: { brand: 'visa', last4: '4242' } })
})

t.test('returns the confirmation secret only on request', async (t) => {
  const { stripe } = await start(t)
  const { basic } = await catalog(stripe)
  const { subscription } = await subscribe(stripe, basic)
  const plain = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  t.notOk((plain.latest_invoice as Stripe.Invoice).confirmation_secret)
})

t.test('keeps a subscription incomplete after a declined card and says why', async (t) => {
  const { stripe, heard } = await start(t)
  const { basic } = await catalog(stripe)
  const { subscription, intentId } = await subscribe(stripe, basic)
  const method = await card(stripe, '4000000000000002')
  const error = await refusal(stripe.paymentIntents.confirm(intentId, { payment_method: method.id }))
  t.match(error, { type: 'StripeCardError', code: 'card_declined', decline_code: 'generic_decline', statusCode: 402 })
  t.equal(error.message, 'Your card was declined.')
  await heard.next('payment_intent.payment_failed')
  t.equal((await stripe.subscriptions.retrieve(subscription.id)).status, 'incomplete')
})

t.test('charges a card that needs authentication only after approval', async (t) => {
  const { stripe } = await start(t)
  const { basic } = await catalog(stripe)
  const { subscription, intentId } = await subscribe(stripe, basic)
  const method = await card(stripe, '4000002500003155')
  const answer = (outcome: string) =>
    stripe.rawRequest('POST', `/v1/test_helpers/payment_intents/${intentId}/authenticate`, { outcome })
  t.equal((await stripe.paymentIntents.confirm(intentId, { payment_method: method.id })).status, 'requires_action')
  await answer('failed')
  const failed = await stripe.paymentIntents.retrieve(intentId)
  t.match(failed, {
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  })
  await stripe.paymentIntents.confirm(intentId, { payment_method: method.id })
  await answer('succeeded')
  t.equal((await stripe.subscriptions.retrieve(subscription.id)).status, 'active')
})

t.test('refuses and forgets numbers other than test cards', async (t) => {
  const { stripe } = await start(t)
  const error = await refusal(card(stripe, '4111111111111111'))
  t.match(error, { code: 'card_declined', decline_code: 'test_mode_live_card' })
})

t.test('repeats the first answer for an idempotency key and refuses other parameters', async (t) => {
  const { stripe } = await start(t)
  const key = { idempotencyKey: 'customer:1' }
  const first = await stripe.customers.create({ email: 'a@example.com' }, key)
  const again = await stripe.customers.create({ email: 'a@example.com' }, key)
  t.equal(again.id, first.id)
  const error = await refusal(stripe.customers.create({ email: 'b@example.com' }, key))
  t.equal(error.type, 'StripeIdempotencyError')
})

t.test('marks a declined renewal as past due and reactivates it with a new card', async (t) => {
  const { stripe, heard, advance } = await start(t)
  const { basic } = await catalog(stripe)
  const { customer, subscription, intentId } = await subscribe(stripe, basic)
  await stripe.paymentIntents.confirm(intentId, { payment_method: (await card(stripe, '4242424242424242')).id })
  const bad = await card(stripe, '4000000000000341')
  await stripe.paymentMethods.attach(bad.id, { customer: customer.id })
  await stripe.subscriptions.update(subscription.id, { default_payment_method: bad.id })
  await advance(32 * day)
  await heard.next('invoice.payment_failed')
  const due = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice.confirmation_secret'] })
  t.equal(due.status, 'past_due')
  const secret = (due.latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret ?? ''
  await stripe.paymentIntents.confirm(secret.split('_secret_')[0] ?? '', {
    payment_method: (await card(stripe, '5555555555554444')).id,
  })
  t.equal((await stripe.subscriptions.retrieve(subscription.id)).status, 'active')
  t.equal((await stripe.invoices.list({ customer: customer.id })).data.length, 2)
})

t.test('ends a cancelled subscription at the end of its period', async (t) => {
  const { stripe, heard, advance } = await start(t)
  const { basic } = await catalog(stripe)
  const { subscription, intentId } = await subscribe(stripe, basic)
  await stripe.paymentIntents.confirm(intentId, { payment_method: (await card(stripe, '4242424242424242')).id })
  const planned = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  t.match(planned, { status: 'active', cancel_at_period_end: true })
  const resumed = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
  t.match(resumed, { status: 'active', cancel_at_period_end: false, cancel_at: null })
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await advance(32 * day)
  await heard.next('customer.subscription.deleted')
  t.equal((await stripe.subscriptions.retrieve(subscription.id)).status, 'canceled')
})

t.test('previews a plan change and charges the rest of the period', async (t) => {
  const { stripe, advance } = await start(t)
  const { basic, premium } = await catalog(stripe)
  const { customer, subscription, intentId } = await subscribe(stripe, basic)
  await stripe.paymentIntents.confirm(intentId, { payment_method: (await card(stripe, '4242424242424242')).id })
  await advance(15 * day)
  const item = subscription.items.data[0]
  const items = [{ id: item?.id ?? '', price: premium.id }]
  const at = (item?.current_period_start ?? 0) + 15 * day
  const preview = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items, proration_behavior: 'always_invoice', proration_date: at },
  })
  t.ok(preview.total > 2_000 && preview.total < 3_000, 'about half of the difference of $50')
  const changed = await stripe.subscriptions.update(subscription.id, {
    items,
    proration_behavior: 'always_invoice',
    proration_date: at,
    payment_behavior: 'error_if_incomplete',
  })
  t.equal(changed.items.data[0]?.price.id, premium.id)
  const [latest] = (await stripe.invoices.list({ customer: customer.id })).data
  t.match(latest, { billing_reason: 'subscription_update', status: 'paid', amount_paid: preview.total })
})

t.test('refuses a proration date outside the period, in previews and changes', async (t) => {
  const { stripe } = await start(t)
  const { basic, premium } = await catalog(stripe)
  const { subscription, intentId } = await subscribe(stripe, basic)
  await stripe.paymentIntents.confirm(intentId, { payment_method: (await card(stripe, '4242424242424242')).id })
  const [item] = subscription.items.data
  const items = [{ id: item?.id ?? '', price: premium.id }]
  for (const date of [(item?.current_period_start ?? 0) - 1, (item?.current_period_end ?? 0) + 1]) {
    const change = { items, proration_behavior: 'always_invoice', proration_date: date } as const
    const asked = { subscription: subscription.id, subscription_details: change }
    for (const refused of [
      refusal(stripe.invoices.createPreview(asked)),
      refusal(stripe.subscriptions.update(subscription.id, change)),
    ])
      t.match(await refused, { type: 'StripeInvalidRequestError', param: 'proration_date', statusCode: 400 })
  }
  t.equal((await stripe.subscriptions.retrieve(subscription.id)).items.data[0]?.price.id, basic.id)
})

t.test('retries refused deliveries', async (t) => {
  const { stripe, heard } = await start(t, 2)
  const { basic } = await catalog(stripe)
  await subscribe(stripe, basic)
  const event = await heard.next('customer.subscription.created')
  t.equal(heard.attempts.get(event.id), 3)
})

t.test('keeps its state over a restart', async (t) => {
  const { stripe, standin, open } = await start(t)
  const customer = await stripe.customers.create({ email: 'kept@example.com' })
  await standin.close()
  const again = await open()
  t.teardown(() => again.close())
  const found = await createStripe({ secretKey: 'sk_test_local', apiUrl: again.url }).customers.retrieve(customer.id)
  t.match(found, { email: 'kept@example.com' })
})

t.test('refuses unknown objects and missing keys like the provider', async (t) => {
  const { stripe, standin } = await start(t)
  const error = await refusal(stripe.customers.retrieve('cus_none'))
  t.match(error, { type: 'StripeInvalidRequestError', code: 'resource_missing', statusCode: 404 })
  const response = await fetch(`${standin.url}/v1/customers/cus_none`)
  t.equal(response.status, 401)
})
