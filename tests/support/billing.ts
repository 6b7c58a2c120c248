import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startStripeStandin } from '#server/standins/stripe/stripe-standin.ts'
import type { MySubscription, PaymentInfo } from '#shared/schemas/billing.ts'
import { startApp, type Caller, type TestApp } from './app.ts'
import { testEnvironment } from './services.ts'
import { until } from './wait.ts'

export const webhookSecret = 'whsec_for_tests_of_billing'

export interface BillingApp extends TestApp {
  standinDir: string
  /** Advances the payment provider's clock and runs everything that becomes due. */
  advanceDays(days: number): Promise<void>
  /** Restarts the payment provider at the same address without any data. */
  wipeProvider(): Promise<void>
}

/** Starts the server with the simulated payment provider, like a demo without API keys. */
export async function startBillingApp(t: Test, env: Record<string, string> = {}): Promise<BillingApp> {
  const standinDir = join(testEnvironment('TEST_DATA_DIR'), `stripe-${randomBytes(6).toString('hex')}`)
  let port = 0
  const startStandin = (dataDir: string, at = 0) =>
    startStripeStandin({
      dataDir,
      port: at,
      webhookUrl: () => `http://127.0.0.1:${port}/api/webhooks/stripe`,
      webhookSecret,
      retryDelaysMs: [20, 20, 20, 20, 20, 20, 20, 20],
    })
  let standin = await startStandin(standinDir)
  const app = await startApp(t, { STRIPE_API_URL: standin.url, STRIPE_WEBHOOK_SECRET: webhookSecret, ...env })
  port = app.server.port
  t.teardown(() => standin.close())
  const { stripe } = app.server.ctx
  return {
    ...app,
    standinDir,
    signIn: (dealershipName, about) => app.signIn(dealershipName, { plan: null, ...about }),
    async wipeProvider() {
      await standin.close()
      standin = await startStandin(`${standinDir}-wiped`, Number(new URL(standin.url).port))
    },
    async advanceDays(days) {
      await stripe.rawRequest('POST', '/v1/test_helpers/clock/advance', { seconds: days * 24 * 3600 })
    },
  }
}

/** Enables "Require a plan to post and bid" until the test ends. */
export async function askForPlans(t: Test, { server }: Pick<TestApp, 'server'>): Promise<void> {
  const change = (planRequired: boolean) => server.ctx.db.updateTable('networkSettings').set({ planRequired }).execute()
  await change(true)
  t.teardown(() => change(false))
}

export const aCard = (cardNumber = '4242 4242 4242 4242'): PaymentInfo => ({
  cardNumber,
  expiryDate: '08 / 31',
  cvv: '737',
  cardholderName: 'Dana Torres',
})

export async function subscribe(dealer: Caller, plan = 'premium', card = aCard()): Promise<void> {
  const { status, body } = await dealer.post('/api/auth/complete-subscription', { plan, paymentInfo: card })
  if (status !== 200) throw new Error(`the payment was refused: ${status} ${JSON.stringify(body)}`)
  await untilStatus(dealer, 'active')
}

export async function untilStatus(dealer: Caller, status: string): Promise<void> {
  await until(`a subscription that is ${status}`, async () => {
    const { body } = await dealer.get<MySubscription>('/api/my-subscription')
    return (body.subscription?.status ?? 'none') === status
  })
}

export async function putFailingCard(app: TestApp, dealerId: string): Promise<void> {
  const { stripe } = app.server.ctx
  const customer = await customerOf(app, dealerId)
  const card = { number: '4000000000000341', exp_month: 8, exp_year: 2031, cvc: '123' }
  const method = await stripe.paymentMethods.create({ type: 'card', card })
  await stripe.paymentMethods.attach(method.id, { customer })
  const [subscription] = (await stripe.subscriptions.list({ customer })).data
  await stripe.subscriptions.update(subscription?.id ?? '', { default_payment_method: method.id })
}

export async function customerOf({ server }: TestApp, dealerId: string): Promise<string> {
  const { stripeId } = await server.ctx.db
    .selectFrom('billingCustomers')
    .select('stripeId')
    .where('dealerId', '=', dealerId)
    .executeTakeFirstOrThrow()
  return stripeId
}
