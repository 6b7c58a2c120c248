import type { Page } from 'playwright-core'
import t from 'tap'
import { adminEmail, demoPassword, marcusEmail } from '#server/features/auth/demo-accounts.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { getsFocus } from '#tests/support/keys.ts'
import { mailedLinkAt, pay, signUpAt } from '#tests/support/newcomer.ts'
import { startProduct } from '#tests/support/product.ts'
import { pageShowed, rememberToasts } from '#tests/support/toasts.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

async function openPage(): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await rememberToasts(page)
  return page
}

async function openDemo(email: string): Promise<Page> {
  const page = await openPage()
  const login = { headers: { origin: url }, data: { email, password: demoPassword } }
  t.ok((await page.request.post(`${url}/api/auth/login`, login)).ok(), `${email} signs in`)
  return page
}

t.test("takes a dealer through the first day, from sign-up to a deal that the admin's dealer file shows", async () => {
  const page = await openPage()
  const email = 'first-day@newcomer.example'
  await signUpAt(page, url, { email, password: 'seven quiet lorries at dawn' })
  await page.goto(await mailedLinkAt(page.request, url, { to: email, subject: 'Confirm your email for Lanewire' }))
  await page.getByRole('heading', { name: 'Your email is confirmed' }).waitFor()
  await goWithin(page, '/onboarding')
  await page.getByRole('button', { name: 'Fill Dummy Data' }).click()
  await page.getByLabel('Dealership name').fill('First Day Motors')
  await page.getByLabel('First name').fill('Frida')
  await page.getByLabel('Dealer license number').fill('TX-2026-1')
  await page.getByRole('button', { name: 'Save and choose a plan' }).click()
  await pageShowed(page, 'Profile Saved')

  const admin = await openDemo(adminEmail)
  await admin.goto(`${url}/admin/users`)
  await admin.getByRole('searchbox').fill(email)
  await admin.getByText('1 account', { exact: true }).waitFor()
  await admin.getByRole('button', { name: /^Actions for/ }).click()
  await admin.getByRole('menuitem', { name: 'Review license TX-2026-1' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Verify' }).click()
  await pageShowed(admin, 'License verified')

  await page.getByRole('radio', { name: /^Premium/ }).check()
  await pay(page, '4242424242424242', 'Complete Payment')
  await page.waitForURL(`${url}/`)
  await page.getByRole('button', { name: 'Post Inventory' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill('First day F-150')
  await form.getByLabel('VIN').fill('1FTFW1E59NKD69096')
  await form.getByLabel('Mileage').fill('48210')
  await form.getByLabel('Price').fill('31900')
  await form.getByText('Complete', { exact: true }).waitFor()
  await form.getByRole('button', { name: 'Post Inventory' }).click()
  await pageShowed(page, 'Inventory posted successfully!')
  const post = page.getByRole('link', { name: 'First day F-150' }).first()
  const path = (await post.getAttribute('href')) ?? ''

  const buyer = await openDemo(marcusEmail)
  await buyer.goto(url + path)
  await buyer.getByText('Verified').first().waitFor()
  await goWithin(page, '/deals')
  await page.getByRole('heading', { name: 'No deals yet' }).waitFor()
  await buyer.getByRole('button', { name: 'Make offer' }).first().click()
  await buyer.getByLabel('Your offer').fill('30500')
  await buyer.getByRole('button', { name: 'Send offer' }).click()
  await buyer.getByRole('link', { name: 'Your offer: $30,500' }).waitFor()
  // The other dealer's actions update rows, tab counts and the navigation badge without a reload.
  await page.getByRole('link', { name: 'Deals, 1 waiting for you' }).waitFor()
  await page.getByRole('tab', { name: 'Your turn 1' }).waitFor()
  await buyer.getByRole('link', { name: 'Your offer: $30,500' }).click()
  await buyer.getByRole('list', { name: 'Waiting' }).getByText('$30,500').waitFor()
  const waiting = Number(/\d+/.exec(await buyer.getByRole('tab', { name: /^Waiting \d/ }).innerText())?.[0])
  await page.getByRole('button', { name: 'Accept $30,500' }).click()
  await buyer.getByText("Waiting for Frida Torres's approval").waitFor()
  await page.getByRole('button', { name: 'Approve: 2022 Ford F-150' }).click()
  await page.getByRole('link', { name: 'Sign: 2022 Ford F-150' }).click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await getsFocus(page.getByPlaceholder('Frida Torres', { exact: true }).first())
  await buyer.getByRole('tab', { name: `Waiting ${waiting - 1}` }).waitFor()
  await buyer.getByRole('tab', { name: /^Your turn/ }).click()
  await buyer.getByRole('list', { name: 'Your turn' }).getByText('Frida Torres').waitFor()

  await admin.getByRole('link', { name: 'Frida Torres' }).click()
  const card = (name: string) => admin.getByRole('region', { name, exact: true })
  await card('Account').getByText('Verified').first().waitFor()
  await card('Plan').getByText('Premium Plan').waitFor()
  await card('Invoices').getByText('Paid').waitFor()
  await card('Posts').getByRole('link', { name: 'First day F-150' }).waitFor()
  await card('Deals').getByText('$30,500').waitFor()
  await card('Deals').getByRole('link', { name: 'Marcus Webb' }).waitFor()
  await card('Notes').getByLabel('New note').fill('Came with a truck on the first day')
  await card('Notes').getByRole('button', { name: 'Add note' }).click()
  await card('Notes').getByText('Came with a truck on the first day').waitFor()
  await admin.getByRole('button', { name: /^Refund invoice/ }).click()
  await admin.getByLabel('Amount').fill('49.50')
  await admin.getByLabel('Reason').fill('A welcome')
  await admin.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
  await card('Invoices').getByText('$49.50 refunded').waitFor()
})
