import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { createStripe } from '#server/platform/stripe/stripe.ts'
import { startStripeStandin } from '#server/standins/stripe/stripe-standin.ts'
import { startProduct } from './product.ts'
import { testEnvironment } from './services.ts'

/** Fakes the payment provider's browser script. The first payment in a tab is declined. The test decides the outcome of later ones. */
const script = `
window.Stripe = () => {
  let secret = ''
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
  const confirm = async ({ confirmParams }) => {
    if (!sessionStorage.declined && secret.startsWith('pi_')) {
      sessionStorage.declined = 'once'
      return { error: { message: 'Your card was declined.' } }
    }
    const bank = await window.confirmAtProvider(secret, confirmParams.return_url)
    if (bank === null) return {}
    window.location.assign(bank)
    return new Promise(() => undefined)
  }
  return {
    elements, confirmPayment: confirm, confirmSetup: confirm,
    createToken: confirm, createPaymentMethod: confirm, confirmCardPayment: confirm,
    registerAppInfo() {}, _registerWrapper() {},
  }
}`

const bank = 'https://bank.example/'

const bankPage = (asked: URLSearchParams) =>
  ['succeeded', 'failed'].map((outcome) => `<a href="?${asked}&outcome=${outcome}">${outcome}</a>`).join(' ')

const idOf = (clientSecret: string) => clientSecret.split('_secret_')[0] ?? ''
const intentsOf = (id: string) => (id.startsWith('seti_') ? 'setupIntents' : 'paymentIntents')

/** Starts the app with a Stripe stand-in. `serveTo` serves a fake Stripe.js and bank page to a browser page. */
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
  const confirm = async (cards: string[], clientSecret: string, returnUrl: string) => {
    const id = idOf(clientSecret)
    const number = cards.shift()
    if (number === undefined) throw new Error('one payment more than there are cards')
    const card = { number, exp_month: 8, exp_year: 2031, cvc: '123' }
    const method = { payment_method: (await stripe.paymentMethods.create({ type: 'card', card })).id }
    const { status } = await stripe[intentsOf(id)].confirm(id, method)
    return status === 'requires_action' ? `${bank}?${new URLSearchParams({ clientSecret, returnUrl })}` : null
  }
  const answer = async (asked: URLSearchParams, outcome: string) => {
    const clientSecret = asked.get('clientSecret') ?? ''
    const id = idOf(clientSecret)
    const intents = id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'
    await stripe.rawRequest('POST', `/v1/test_helpers/${intents}/${id}/authenticate`, { outcome })
    const back = new URL(asked.get('returnUrl') ?? '')
    const named = intents.slice(0, -1)
    back.searchParams.set(named, id)
    back.searchParams.set(`${named}_client_secret`, clientSecret)
    back.searchParams.set('redirect_status', outcome)
    return `<script>location.replace(${JSON.stringify(back)})</script>`
  }
  return {
    url,
    /** `cards` has the card number for each confirmation that is not declined. */
    async serveTo(page: Page, cards: string[]) {
      await page.exposeFunction('confirmAtProvider', (secret: string, back: string) => confirm(cards, secret, back))
      await page.route(`${bank}**`, async (route) => {
        const asked = new URL(route.request().url()).searchParams
        const outcome = asked.get('outcome')
        const body = outcome === null ? bankPage(asked) : await answer(asked, outcome)
        return route.fulfill({ contentType: 'text/html', body })
      })
      await page.route('https://js.stripe.com/**', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: script }),
      )
    },
  }
}
