import t from 'tap'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { signUpAt } from '#tests/support/newcomer.ts'
import { startProvider } from '#tests/support/payment-provider.ts'
import { pageShowed, rememberToasts } from '#tests/support/toasts.ts'

const { url, serveTo } = await startProvider(t)
const browser = await openBrowser(t)

t.test("lets a newcomer sign up, fill in the profile, pay in the provider's form and see the feed", async (t) => {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await rememberToasts(page)
  await page.route('https://js.stripe.com/**', (route) => route.abort())
  await signUpAt(page, url, { email: 'newcomer@newcomer.example', password: 'seven quiet lorries at dawn' }, 'premium')
  await page.getByRole('button', { name: 'Save and choose a plan' }).click()
  await pageShowed(page, 'Missing Information')
  await pageShowed(page, 'Please fill in first name')
  await page.getByRole('button', { name: 'Fill Dummy Data' }).click()
  await page.getByRole('button', { name: 'Save and choose a plan' }).click()
  await pageShowed(page, 'Profile Saved')
  await page.getByRole('radio', { name: /^Premium/, checked: true }).waitFor()
  await page.getByText('The payment form could not be loaded').waitFor()
  await page.unroute('https://js.stripe.com/**')
  await serveTo(page, ['4242424242424242', '5555555555554444'])
  await page.reload()
  await page.getByText('The provider’s form').waitFor()
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await pageShowed(page, 'Your card was declined.')
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await pageShowed(page, 'Welcome to Lanewire!')
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
