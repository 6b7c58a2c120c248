import t from 'tap'
import { goWithin, openBrowser, takeGzipOnly, weighScripts } from '#tests/support/browser.ts'
import { signUpAt } from '#tests/support/newcomer.ts'
import { startProvider } from '#tests/support/payment-provider.ts'
import { visit, watchPaint } from '#tests/support/site.ts'
import { pageSaid, rememberToasts } from '#tests/support/toasts.ts'

const { url, serveTo } = await startProvider(t)
const browser = await openBrowser(t)

const headline = 'The wholesale lane, open on your desk all day.'

t.test('a newcomer signs up, fills in the profile, pays in the provider’s form and sees the feed', async (t) => {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await rememberToasts(page)
  await page.route('https://js.stripe.com/**', (route) => route.abort())
  await signUpAt(page, url, { email: 'newcomer@newcomer.example', password: 'seven quiet lorries at dawn' }, 'premium')
  await page.getByRole('button', { name: 'Save and choose a plan' }).click()
  await pageSaid(page, 'Missing Information')
  await pageSaid(page, 'Please fill in first name')
  await page.getByRole('button', { name: 'Fill Dummy Data' }).click()
  await page.getByRole('button', { name: 'Save and choose a plan' }).click()
  await pageSaid(page, 'Profile Saved')
  await page.getByRole('radio', { name: /^Premium/, checked: true }).waitFor()
  await page.getByText('The payment form could not be loaded').waitFor()
  await page.unroute('https://js.stripe.com/**')
  await serveTo(page, ['4242424242424242', '5555555555554444'])
  await page.reload()
  await page.getByText('The provider’s form').waitFor()
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await pageSaid(page, 'Your card was declined.')
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await pageSaid(page, 'Welcome to Lanewire!')
  await page.waitForURL(`${url}/`)
  await page.getByText('All posts').first().waitFor()
  await goWithin(page, '/plan-management')
  await page.getByText('Visa ending in 4242').waitFor()
  await page.getByRole('button', { name: 'Change card' }).click()
  await page.getByRole('button', { name: 'Save card' }).click()
  await page.getByText('Mastercard ending in 4444', { exact: true }).waitFor()
  t.notOk(await page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('selectedPlan'))))
  await context.close()
})

t.test(
  'the landing page loads at most 86 KiB of script in eleven files, and nothing moves once it stands',
  async (t) => {
    const { page, errors } = await visit(t, browser, url)
    await takeGzipOnly(page)
    await page.addInitScript(watchPaint)
    await page.goto('/', { waitUntil: 'networkidle' })
    // The browser reports the paint slightly later.
    await page.waitForFunction('seen.largest')
    const { kib, files } = await weighScripts(page)
    const count = Object.keys(files).length
    t.ok(kib > 0 && kib <= 86 && count <= 11, `${kib.toFixed(1)} KiB in ${count} files`, { files })
    const shift = Number(await page.evaluate('seen.shift'))
    t.ok(shift <= 0.05, `it moves by ${shift.toFixed(3)}`)
    t.same(errors, [], 'no console error')
  },
)

/** A visitor under the real policy and with the service worker. */
const openVisitor = async () => (await browser.newContext({ baseURL: url })).newPage()

t.test('a visitor gets the landing page on any other path, and the path is kept for sign-in', async (t) => {
  const page = await openVisitor()
  for (const path of ['/', '/nowhere', '/dealers', '/admin/users']) {
    const response = await page.goto(path)
    t.equal(response?.status(), 200, path)
    t.ok(await page.getByRole('heading', { name: headline }).isVisible(), path)
  }
  t.equal(await page.evaluate(() => sessionStorage.getItem('lanewire.wanted')), '/admin/users')
  await page.getByRole('link', { name: 'Login' }).click()
  await page.waitForURL(/\/login/)
  await page.getByLabel('Email').waitFor()
  await page.context().close()
})

t.test('without a network an opened page says so, and calls are never answered from a cache', async (t) => {
  const page = await openVisitor()
  await page.goto('/')
  await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated')
  await page.goto('/status', { waitUntil: 'networkidle' })
  const kept = await page.evaluate(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map((request) => new URL(request.url).pathname)
  })
  t.ok(kept.includes('/offline'))
  t.notOk(kept.some((path) => path.startsWith('/api')))
  await page.context().setOffline(true)
  await page.goto('/pricing')
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  t.equal(
    await page.evaluate(() =>
      fetch('/api/status').then(
        () => 'answered',
        () => 'refused',
      ),
    ),
    'refused',
  )
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Pricing' }).waitFor()
  await page.context().close()
})
