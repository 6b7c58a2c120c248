import t from 'tap'
import { openBrowser } from '#tests/support/browser.ts'
import { startProvider } from '#tests/support/payment-provider.ts'

const { url, serveTo } = await startProvider(t)
const browser = await openBrowser(t)

const profile = {
  firstName: 'Dana',
  lastName: 'Torres',
  email: 'element@newcomer.example',
  phone: '(214) 555-0148',
  address: '4100 Harry Hines Blvd',
  city: 'Dallas',
  state: 'TX',
  zipCode: '75219',
  country: 'US',
  dealershipName: 'Torres Auto Group',
  dealershipType: 'independent',
  auctionAccessNumber: '5123456',
  dealership5MilNumber: '5012345',
  profileType: 'seller',
  buysCanadianVehicles: false,
}

t.test('with a publishable key the provider’s own form takes the payment and the new card', async (t) => {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block' })
  const headers = { origin: url }
  const credentials = { email: profile.email, password: 'seven quiet lorries at dawn' }
  await context.request.post('/api/auth/signup', { data: credentials, headers })
  await context.request.post('/api/auth/complete-profile', { data: profile, headers })
  const page = await context.newPage()
  await page.route('https://js.stripe.com/**', (route) => route.abort())
  const policy = (await page.goto('/onboarding'))?.headers()['content-security-policy']
  t.match(policy, 'frame-src https://js.stripe.com')
  await page.getByRole('radio', { name: /^Basic/ }).click()
  await page.getByText('The payment form could not be loaded').waitFor()
  await page.unroute('https://js.stripe.com/**')
  await serveTo(page)
  await page.reload()
  await page.getByText('The provider’s form').waitFor()
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await page.getByText('Your card was declined.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await page.waitForURL(`${url}/`)
  await page.goto('/plan-management')
  await page.getByText('Visa ending in 4242').waitFor()
  await page.getByRole('button', { name: 'Change card' }).click()
  await page.getByRole('button', { name: 'Save card' }).click()
  await page.getByText('Mastercard ending in 4444', { exact: true }).waitFor()
  await context.close()
})
