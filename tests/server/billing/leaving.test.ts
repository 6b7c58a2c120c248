import type Stripe from 'stripe'
import t from 'tap'
import type { ClientSecret } from '#shared/schemas/billing.ts'
import type { ErrorBody } from '#shared/errors.ts'
import type { Caller } from '#tests/support/app.ts'
import { bid, publishAuction } from '#tests/support/bidding.ts'
import { customerOf, putFailingCard, startBillingApp, subscribe, untilStatus } from '#tests/support/billing.ts'

const app = await startBillingApp(t)
const { signIn, server, advanceDays } = app
const { stripe, db } = server.ctx

const leave = async (dealer: Caller) => {
  const { email } = (await dealer.get<{ email: string }>('/api/auth/me')).body
  return dealer.delete<ErrorBody>('/api/account', { email })
}

const subscriptionsOf = async (customer: string) => (await stripe.subscriptions.list({ customer, status: 'all' })).data
const paidOf = async (customer: string) =>
  (await stripe.invoices.list({ customer })).data.filter(({ status }) => status === 'paid').length

async function aWorkingCard(): Promise<string> {
  const card = { number: '4242424242424242', exp_month: 8, exp_year: 2031, cvc: '123' }
  return (await stripe.paymentMethods.create({ type: 'card', card })).id
}

t.test('does not retry a failed renewal after the account was deleted', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer)
  const customer = await customerOf(app, dealer.id)
  await putFailingCard(app, dealer.id)
  await advanceDays(32)
  await untilStatus(dealer, 'past_due')
  const working = await aWorkingCard()
  await stripe.paymentMethods.attach(working, { customer })
  const [owed] = await subscriptionsOf(customer)
  await stripe.subscriptions.update(owed?.id ?? '', { default_payment_method: working })
  t.equal((await leave(dealer)).status, 204)
  t.match(await subscriptionsOf(customer), [{ status: 'canceled' }])
  await advanceDays(5)
  t.equal(await paidOf(customer), 1, 'only the first month')
})

t.test('refuses a pending payment after the account was deleted', async (t) => {
  const dealer = await signIn()
  const { clientSecret } = (await dealer.post<ClientSecret>('/api/get-or-create-subscription', { planId: 'premium' }))
    .body
  const customer = await customerOf(app, dealer.id)
  t.equal((await leave(dealer)).status, 204)
  const [intent = ''] = clientSecret.split('_secret_')
  await t.rejects(stripe.paymentIntents.confirm(intent, { payment_method: await aWorkingCard() }))
  t.equal(await paidOf(customer), 0)
})

t.test("does not renew a deleted account's plan, even if its payment was not known yet", async (t) => {
  for (const heard of [true, false]) {
    const dealer = await signIn()
    await subscribe(dealer)
    if (!heard) await db.deleteFrom('subscriptions').where('dealerId', '=', dealer.id).execute()
    t.equal((await leave(dealer)).status, 204)
    t.match(await subscriptionsOf(await customerOf(app, dealer.id)), [{ status: 'active', cancel_at_period_end: true }])
  }
})

t.test('refuses to delete an account that takes the lead in an auction meanwhile', async (t) => {
  const dealer = await signIn()
  await subscribe(dealer)
  const post = await publishAuction(await signIn('Seller Motors', { plan: 'basic' }))
  const list = stripe.subscriptions.list.bind(stripe.subscriptions)
  stripe.subscriptions.list = (async (params: Stripe.SubscriptionListParams) => {
    stripe.subscriptions.list = list
    t.equal((await bid(dealer, post, 10_000)).status, 201)
    return list(params)
  }) as typeof list
  t.match(await leave(dealer), { status: 409, body: { error: { message: /You have the leading bid/ } } })
  t.equal((await dealer.get('/api/auth/me')).status, 200)
})
