import t from 'tap'
import type Stripe from 'stripe'
import type { MySubscription } from '#shared/schemas/billing.ts'
import { aCard, startBillingApp, subscribe, untilStatus, webhookSecret } from '#tests/support/billing.ts'

const { signIn, server, url } = await startBillingApp(t)
const { stripe, db } = server.ctx

/** Delivers an event. Signs it like the payment provider, unless a signature is given. */
async function deliver(event: object, signature?: string): Promise<number> {
  const payload = JSON.stringify(event)
  const header = signature ?? stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
  const response = await fetch(`${url}/api/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': header },
    body: payload,
  })
  return response.status
}

const anEvent = (id: string, type: string, customer: string, extra: object = {}) => ({
  id,
  object: 'event',
  api_version: '2026-10-28.endive',
  created: Math.floor(Date.now() / 1000),
  data: { object: { object: 'subscription', customer, ...extra } },
  livemode: false,
  pending_webhooks: 1,
  request: null,
  type,
})

const customerOf = async (dealerId: string): Promise<string> =>
  (
    await db
      .selectFrom('billingCustomers')
      .select('stripeId')
      .where('dealerId', '=', dealerId)
      .executeTakeFirstOrThrow()
  ).stripeId

const stateOf = (dealerId: string) =>
  db.selectFrom('subscriptions').selectAll().where('dealerId', '=', dealerId).orderBy('createdAt').execute()

const countEvents = async (id: string): Promise<number> =>
  (await db.selectFrom('stripeEvents').select('id').where('id', '=', id).execute()).length

t.test('refuses an event modified in transit', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer)
  const customer = await customerOf(dealer.id)
  const before = await stateOf(dealer.id)
  const honest = JSON.stringify(anEvent('evt_tampered', 'customer.subscription.deleted', 'cus_somebody'))
  const signature = stripe.webhooks.generateTestHeaderString({ payload: honest, secret: webhookSecret })
  t.equal(await deliver(anEvent('evt_tampered', 'customer.subscription.deleted', customer), signature), 400)
  t.equal(await deliver(anEvent('evt_unsigned', 'customer.subscription.deleted', customer), ''), 400)
  t.equal(await countEvents('evt_tampered'), 0)
  t.same(await stateOf(dealer.id), before)
})

t.test('refuses an event with a wrong or old signature', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer)
  const event = anEvent('evt_foreign', 'customer.subscription.updated', await customerOf(dealer.id))
  const payload = JSON.stringify(event)
  const sign = (options: { secret?: string; timestamp?: number }) =>
    stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret, ...options })
  t.equal(await deliver(event, sign({ secret: 'whsec_of_somebody_else' })), 400)
  t.equal(
    await deliver(event, sign({ timestamp: Math.floor(Date.now() / 1000) - 3_600 })),
    400,
    'replayed after an hour',
  )
  t.equal(await countEvents('evt_foreign'), 0)
})

t.test('stores and applies a repeated event once', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer)
  const event = anEvent('evt_repeated', 'customer.subscription.updated', await customerOf(dealer.id))
  const before = await stateOf(dealer.id)
  const answers = await Promise.all([deliver(event), deliver(event), deliver(event)])
  t.same(answers, [204, 204, 204])
  t.equal(await deliver(event), 204)
  t.equal(await countEvents('evt_repeated'), 1)
  t.same(await stateOf(dealer.id), before)
})

t.test("reaches the provider's state from events in any order", async (t) => {
  const dealer = await signIn()
  const { body } = await dealer.post<{ clientSecret: string }>('/api/get-or-create-subscription', { planId: 'premium' })
  const customer = await customerOf(dealer.id)
  await dealer.post('/api/demo-payments/confirm', { clientSecret: body.clientSecret, paymentInfo: aCard() })
  await dealer.post('/api/cancel-subscription', {})
  const stale: Stripe.Subscription.Status[] = ['incomplete', 'canceled', 'past_due', 'active']
  const events = stale.map((status, index) =>
    anEvent(`evt_order_${index}`, 'customer.subscription.updated', customer, { status }),
  )
  for (const event of events.toReversed()) t.equal(await deliver(event), 204)
  await Promise.all(events.map((event) => deliver({ ...event, id: `${event.id}_again` })))
  const { body: mine } = await dealer.get<MySubscription>('/api/my-subscription')
  t.match(mine, { subscription: { status: 'active', cancelAtPeriodEnd: true, plan: { id: 'premium' } } })
})

t.test('applies a change made at the provider from its event alone', async () => {
  const dealer = await signIn()
  await subscribe(dealer, 'basic')
  const [row] = await stateOf(dealer.id)
  await stripe.subscriptions.cancel(row?.stripeId ?? '')
  await untilStatus(dealer, 'none')
})

t.test('accepts and ignores events of unknown customers and kinds', async (t) => {
  t.equal(await deliver(anEvent('evt_stranger', 'customer.subscription.updated', 'cus_of_somebody')), 204)
  t.equal(await deliver({ ...anEvent('evt_kind', 'radar.early_fraud_warning.created', ''), data: { object: {} } }), 204)
  t.equal(await countEvents('evt_stranger'), 0)
})
