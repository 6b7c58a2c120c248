import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { createStripe } from '#server/platform/stripe.ts'
import { startStripeStandin } from '#server/standins/stripe/stripe-standin.ts'
import { startProduct } from './product.ts'
import { testEnvironment } from './services.ts'

/**
 * The script that the provider would send to a browser, as far as the product calls it: an element that mounts, and
 * two confirmations. The first confirmation is declined; the others are the test's to carry out.
 */
const script = `
window.Stripe = () => {
  let secret = '', declined = false
  const element = () => {
    const heard = {}
    const made = {
      on: (name, listener) => ((heard[name] = listener), made), off: () => made, once: () => made,
      mount: (at) => {
        at.textContent = 'The provider’s form'
        setTimeout(() => heard.ready?.(), 0)
      },
      unmount() {}, destroy() {}, update() {},
    }
    return made
  }
  const elements = (options) => {
    secret = options.clientSecret
    return { create: element, getElement: () => null, update() {}, on() {}, submit: async () => ({}) }
  }
  const confirm = async () => {
    if (!declined && secret.startsWith('pi_')) {
      declined = true
      return { error: { message: 'Your card was declined.' } }
    }
    await window.confirmAtProvider(secret)
    return {}
  }
  return {
    elements, confirmPayment: confirm, confirmSetup: confirm,
    createToken: confirm, createPaymentMethod: confirm, confirmCardPayment: confirm,
    registerAppInfo() {}, _registerWrapper() {},
  }
}`

/** The product with keys of a payment provider, which is the stand-in behind its own address. */
export async function startProvider(t: Test) {
  const webhookSecret = 'whsec_of_the_browser_test'
  let url = ''
  const standin = await startStripeStandin({
    dataDir: join(testEnvironment('TEST_DATA_DIR'), `stripe-${randomBytes(6).toString('hex')}`),
    webhookUrl: () => `${url}/api/webhooks/stripe`,
    webhookSecret,
  })
  t.teardown(() => standin.close())
  const stripe = createStripe({ secretKey: 'sk_test_browser', apiUrl: standin.url })
  url = await startProduct(t, {
    RATE_LIMITS: 'off',
    STRIPE_SECRET_KEY: 'sk_test_browser',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_browser',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: standin.url,
  })
  const confirm = async (clientSecret: string) => {
    const id = clientSecret.split('_secret_')[0] ?? ''
    const number = id.startsWith('seti_') ? '5555555555554444' : '4242424242424242'
    const card = { number, exp_month: 8, exp_year: 2031, cvc: '123' }
    const method = { payment_method: (await stripe.paymentMethods.create({ type: 'card', card })).id }
    if (id.startsWith('seti_')) await stripe.setupIntents.confirm(id, method)
    else await stripe.paymentIntents.confirm(id, method)
  }
  return {
    url,
    /** Sends the script to that page instead of asking the provider for it. */
    async serveTo(page: Page) {
      await page.exposeFunction('confirmAtProvider', confirm)
      await page.route('https://js.stripe.com/**', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: script }),
      )
    },
  }
}
