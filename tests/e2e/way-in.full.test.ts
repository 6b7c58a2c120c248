import t from 'tap'
import type { Joining } from '#shared/schemas/auth.ts'
import { adminEmail, demoPassword } from '#server/features/auth/demo-accounts.ts'
import { axeViolations, showTheme } from '#tests/support/axe.ts'
import { goWithin, loseSession, openBrowser } from '#tests/support/browser.ts'
import { aProfile, openNewcomer } from '#tests/support/newcomer.ts'
import { startProvider } from '#tests/support/payment-provider.ts'

const { url, serveTo } = await startProvider(t)
const browser = await openBrowser(t)

t.test('allows pages to frame only the provider, and gives worker scripts their own policy', async (t) => {
  const policyOf = async (path: string) => (await fetch(url + path)).headers.get('content-security-policy')
  t.match(await policyOf('/login'), 'frame-src https://js.stripe.com')
  t.match(await policyOf('/sw.js'), "default-src 'self'")
  t.equal(await policyOf('/theme.js'), "base-uri 'none'; frame-ancestors 'none'", "page scripts have the page's policy")
})

t.test('keeps a dealer who logs out during a payment lookup, and the text typed, at sign-in', async (t) => {
  const { context, completeProfile } = await openNewcomer(browser, url, 'leaves@newcomer.example')
  await completeProfile()
  const page = await context.newPage()
  await serveTo(page, ['4242424242424242'])
  await page.goto('/onboarding')
  await page.getByRole('radio', { name: /^Basic/ }).click()
  await page.getByText('The provider’s form').waitFor()
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await page.getByText('Your card was declined.', { exact: true }).waitFor()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let take = () => {}
  const taken = new Promise<void>((resolve) => (take = resolve))
  await page.route('**/api/confirm-subscription', async (route) => {
    const response = await route.fetch()
    take()
    await held
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await taken
  await page.getByRole('button', { name: 'Log Out' }).click()
  await page.waitForURL(`${url}/login`)
  await page.getByLabel('Email').fill('half@newcomer.exa')
  release()
  await page.getByText('Your Basic Plan is active.', { exact: true }).waitFor()
  t.equal(page.url(), `${url}/login`)
  t.equal(await page.getByLabel('Email').inputValue(), 'half@newcomer.exa')
  await context.close()
})

t.test("shows the bank's decision after the return from its page, and cleans the address", async (t) => {
  const { context, completeProfile } = await openNewcomer(browser, url, 'bank@newcomer.example')
  await completeProfile()
  const page = await context.newPage()
  const asks = '4000002500003155'
  await serveTo(page, [asks, asks, asks, asks])
  await page.goto('/payment?plan=premium')
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await page.getByText('Your card was declined.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await page.getByRole('link', { name: 'failed' }).click()
  await page.getByText('Your bank did not confirm this card', { exact: false }).first().waitFor()
  await page.getByText('Complete Your Subscription').waitFor()
  t.equal(page.url(), `${url}/subscribe`, 'the same plan is offered again')
  await page.getByRole('button', { name: 'Subscribe Now' }).click()
  await page.getByRole('link', { name: 'succeeded' }).click()
  await page.getByRole('button', { name: 'Current Plan: Premium Plan' }).waitFor()
  await page.getByText('Welcome to the Premium Plan!', { exact: true }).waitFor()
  t.equal(page.url(), `${url}/subscribe`)
  t.notOk(await page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('selectedPlan'))))

  const changeCard = async (answer: 'succeeded' | 'failed') => {
    await goWithin(page, '/plan-management')
    await page.getByRole('button', { name: 'Change card' }).click()
    await page.getByRole('button', { name: 'Save card' }).click()
    await page.getByRole('link', { name: answer }).click()
    await page.getByText(answer === 'failed' ? 'Card Not Changed' : 'Card Changed', { exact: true }).waitFor()
    t.equal(page.url(), `${url}/plan-management`)
  }
  await changeCard('failed')
  await changeCard('succeeded')
  await context.close()
})

const ownForm = { json: { form: 'card-form', publishableKey: null } }

const staff = await browser.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } })
t.ok((await staff.request.post('/api/auth/login', { data: { email: adminEmail, password: demoPassword } })).ok())

const letIn = async (joining: Joining) =>
  t.ok((await staff.request.patch('/api/admin/network', { data: { joining } })).ok(), joining)

t.test('keeps the sign-up screens accessible at 1440 px in light and 390 px in dark, without overflow', async (t) => {
  const looks = [
    { width: 1440, theme: 'light' },
    { width: 390, theme: 'dark' },
  ] as const
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    bypassCSP: true,
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const isClean = async (what: string) => {
    for (const { width, theme } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await showTheme(page, theme)
      t.same(await axeViolations(page), [], `${what} at ${width} px in ${theme}`)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      t.equal(overflow, 0, `${what} at ${width} px`)
    }
  }
  await page.goto('/login')
  await page.getByLabel('Email').waitFor()
  await page.getByText('On the wire now').waitFor()
  t.notMatch(await page.getByRole('complementary').textContent(), /\d dealers|\d\+ dealers/, 'shows no made-up count')
  await isClean('/login')
  // This network already has an admin, so simulate a network without an admin.
  await page.route('**/api/auth/joining', (route) => route.fulfill({ json: { joining: 'open', needsSetup: true } }))
  await goWithin(page, '/setup')
  await page.getByLabel('Token').waitFor()
  await isClean('/setup')
  await page.unroute('**/api/auth/joining')

  const send = async (path: string, data: object) =>
    t.ok((await context.request.post(path, { data, headers: { origin: url } })).ok(), path)
  const signUp = (email: string) => send('/api/auth/signup', { email, password: 'seven quiet lorries at dawn' })
  const completeProfile = (email: string) => send('/api/auth/complete-profile', { ...aProfile, email })

  await signUp('looks@newcomer.example')
  await page.goto('/onboarding')
  await page.getByLabel('First name').waitFor()
  await isClean('the profile step')
  await completeProfile('looks@newcomer.example')
  await page.route('**/api/payment-config', (route) => route.fulfill(ownForm))
  await page.reload()
  await page.getByRole('radio', { name: /^Basic/ }).click()
  await page.getByLabel('Card number').waitFor()
  await isClean('the plan step')
  await goWithin(page, '/payment?plan=basic')
  await page.getByLabel('Name on card').waitFor()
  await isClean('/payment')
  await page.unroute('**/api/payment-config')

  await loseSession(page)
  await letIn('approval')
  await signUp('waits@newcomer.example')
  await letIn('open')
  await completeProfile('waits@newcomer.example')
  await page.goto('/')
  await page.getByRole('heading', { name: 'Your dealership is being reviewed' }).waitFor()
  await isClean('the review')
})
