import type { Page } from 'playwright-core'
import t from 'tap'
import { demoPassword, opsEmail } from '#server/features/auth/demo-accounts.ts'
import { goWithin, loseSession, openBrowser, shownBy } from '#tests/support/browser.ts'
import {
  allowApiAccess,
  askForPlans,
  type DealerPage,
  loggedOut,
  logOut,
  openVisitor,
  pressMs,
  pressUntil,
} from '#tests/support/dealer-page.ts'
import { startGoogleProvider } from '#tests/support/google-provider.ts'
import { mailedLinkAt, openNewcomer, pay, signUpAt } from '#tests/support/newcomer.ts'
import { startProduct } from '#tests/support/product.ts'
import { forgetToasts, pageShowed, rememberToasts } from '#tests/support/toasts.ts'

// The tests share one server and one page per device. Each test uses a new account.
const gwen = { sub: 'google-42', email: 'gwen@gmail.example', email_verified: true, name: 'Gwen Moss' }
const { env } = await startGoogleProvider(t, gwen)
const url = await startProduct(t, { RATE_LIMITS: 'off', ...env })
const browser = await openBrowser(t)
const devices = { desktop: { width: 1440 }, phone: { width: 390, height: 844, hasTouch: true } }
type Device = keyof typeof devices
const taken: Partial<Record<Device, DealerPage>> = {}
const door = `${url}/login`
const password = 'seven quiet lorries at dawn'

async function takeDevice(device: Device): Promise<Page> {
  await taken[device]?.leave()
  const { page } = (taken[device] = await openVisitor(browser, url, { ...devices[device], underPolicy: true }))
  await rememberToasts(page)
  return page
}

/** Returns whether the sign-in form is visible. If not, logs the page, because the form once disappeared for an unknown reason. */
async function showsDoor(page: Page): Promise<boolean> {
  const isThere = await page
    .getByRole('radio', { name: 'Sign Up' })
    .waitFor({ timeout: 5_000 })
    .then(
      () => true,
      () => false,
    )
  if (!isThere) process.stderr.write(`The sign-in form is missing: ${await shownBy(page)}\n`)
  return isThere
}

/** Returns a page at the sign-in form. Reuses the page of the previous test if that test ended there. */
async function atDoor(device: Device): Promise<Page> {
  const page = taken[device]?.page
  if (page?.url() === door && (await showsDoor(page))) {
    await forgetToasts(page)
    return page
  }
  const empty = await takeDevice(device)
  await empty.goto(door)
  return empty
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const signUp = (page: Page, email: string, plan = '') => signUpAt(page, url, { email, password }, plan)

async function shownLink(page: Page, subject: string): Promise<string> {
  await goWithin(page, '/demo-mail')
  const mail = page.getByRole('region', { name: subject }).first()
  while ((await mail.count()) === 0) {
    const again = page.waitForResponse((response) => response.url().endsWith('/api/demo/mail'))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await again
  }
  return url + ((await mail.getByRole('link').getAttribute('href')) ?? '')
}

async function refusalOf(page: Page, label: string): Promise<string | null> {
  const field = page.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid="true"]'))
  return page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).textContent()
}

async function saveProfile(page: Page) {
  await page.getByRole('button', { name: 'Fill Dummy Data' }).click()
  await page.getByRole('button', { name: 'Save and choose a plan' }).click()
  await pageShowed(page, 'Profile Saved')
}

t.test('offers a retry instead of a blank page while the status check fails', async () => {
  const page = await takeDevice('desktop')
  await page.route('**/api/auth/status', (route) => route.abort())
  await page.goto(door)
  await pageShowed(page, 'Lanewire could not be reached')
  await page.unroute('**/api/auth/status')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
})

t.test('opens the feed after logging in as the pre-filled demo account or by quick login', async () => {
  const page = await atDoor('desktop')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await pageShowed(page, 'Login Successful')
  await page.getByText('All posts').first().waitFor()
  await logOut(page)
  const other = await atDoor('phone')
  await other.getByRole('button', { name: 'Quick Login as Demo User' }).click()
  await pageShowed(other, 'Demo Account Created')
  await other.getByText('All posts').first().waitFor()
  await logOut(other)
})

t.test('opens the queues after ops staff sign in, or the page they opened first', async () => {
  const page = await atDoor('desktop')
  const signIn = async () => {
    await page.getByLabel('Email').fill(opsEmail)
    await page.getByLabel('Password').fill(demoPassword)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
  }
  await signIn()
  await page.waitForURL(`${url}/admin/queues`)
  await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor()
  await loseSession(page)
  await page.goto(`${url}/wholesale-news`)
  await page.goto(door)
  await signIn()
  await page.waitForURL(`${url}/wholesale-news`)
  await logOut(page)
})

t.test('reports wrong credentials, blank fields and unequal passwords in the documented words', async (t) => {
  const page = await atDoor('desktop')
  await page.getByLabel('Password').fill('not this one at all')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await pageShowed(page, 'Login Failed')
  await pageShowed(page, 'Invalid email or password')
  await page.getByLabel('Email').fill('')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await pageShowed(page, 'Missing Information')
  await page.getByRole('radio', { name: 'Sign Up' }).click()
  await page.getByLabel('Email').fill('unequal@newcomer.example')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill('something else entirely')
  await page.getByRole('button', { name: 'Sign Up' }).last().click()
  await pageShowed(page, 'Password Mismatch')
  await pageShowed(page, 'Passwords do not match')
  await page.getByLabel('Password', { exact: true }).fill('too short')
  await page.getByLabel('Confirm password').fill('too short')
  await page.getByRole('button', { name: 'Sign Up' }).last().click()
  await pageShowed(page, 'Signup Failed')
  t.equal(await refusalOf(page, 'Password'), 'Password needs at least 12 characters')
  await page.getByLabel('Email').fill('dana@torresauto.example')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).last().click()
  await page.getByText('An account with this email already exists').first().waitFor()
  t.equal(await refusalOf(page, 'Email'), 'An account with this email already exists')
})

t.test('lets a newcomer on a phone sign up, fill in the profile, pay with our own form and see the feed', async (t) => {
  const page = await atDoor('phone')
  await signUp(page, 'phone@newcomer.example', 'premium')
  t.equal(await overflow(page), 0)
  await page.getByRole('button', { name: 'Save and choose a plan' }).click()
  await pageShowed(page, 'Missing Information')
  await pageShowed(page, 'Please fill in first name')
  await saveProfile(page)
  await page.getByRole('radio', { name: /^Premium/, checked: true }).waitFor()
  t.equal(await overflow(page), 0)
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await pageShowed(page, 'Please fill in all payment fields')
  await pay(page, '4242424242424242', 'Complete Payment')
  await pageShowed(page, 'Welcome to Lanewire!')
  await page.waitForURL(`${url}/`)
  await page.getByText('All posts').first().waitFor()
  await goWithin(page, '/plan-management')
  await page.getByText('Visa ending in 4242').waitFor()
  t.equal(await overflow(page), 0)
  t.notOk(await page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('selectedPlan'))))
  await logOut(page)
})

t.test('keeps everything typed in onboarding after a reload, and BACK signs out', async (t) => {
  const page = await atDoor('desktop')
  await signUp(page, 'reload@newcomer.example')
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByLabel('Dealership name').fill('Half Typed Motors')
  await saved
  await page.reload()
  t.equal(await page.getByLabel('Dealership name').inputValue(), 'Half Typed Motors')
  await page.route('**/api/auth/logout', (route) => route.abort())
  const login = page.getByRole('button', { name: 'Login', exact: true })
  await pressUntil(login, () => page.getByRole('button', { name: 'BACK' }).click(pressMs))
  t.equal(page.url(), door)
  await page.unroute('**/api/auth/logout')
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await loggedOut(page)
})

t.test('lets a newcomer correct a mistyped email during onboarding', async (t) => {
  const page = await atDoor('phone')
  await signUp(page, 'slpi@newcomer.example')
  const email = page.getByLabel('Email', { exact: true })
  t.equal(await email.inputValue(), 'slpi@newcomer.example')
  const mailed = (to: string) => mailedLinkAt(page.request, url, { to, subject: 'Confirm your email for Lanewire' })
  const old = await mailed('slpi@newcomer.example')
  await page.getByLabel('Dealership name').fill('Slip Motors')
  await email.fill('slip@newcomer.example')
  await page.getByRole('button', { name: 'Save email' }).click()
  await pageShowed(page, 'Email changed')
  const tab = await page.context().newPage()
  await tab.goto(old)
  await pageShowed(tab, 'This link does not work')
  await tab.goto(await mailed('slip@newcomer.example'))
  await pageShowed(tab, 'Your email is confirmed')
  t.equal(await overflow(tab), 0)
  t.equal(await page.getByLabel('Dealership name').inputValue(), 'Slip Motors', 'keeps everything typed')
  await page.reload()
  await page.getByRole('button', { name: 'Change the address you sign in with' }).waitFor()
  t.equal(await email.isEditable(), false, 'a confirmed address changes by its own way')
  await saveProfile(page)
})

t.test("explains a declined card and starts the plan only after the bank's question is answered", async (t) => {
  const page = await atDoor('desktop')
  await signUp(page, 'declined@newcomer.example')
  await saveProfile(page)
  await page.getByRole('radio', { name: /^Basic/ }).click()
  await pay(page, '4000000000000002', 'Complete Payment')
  await pageShowed(page, 'Payment Failed')
  await pageShowed(page, 'Your card was declined.')
  t.equal(await refusalOf(page, 'Card number'), 'Your card was declined.', 'the message stays next to the card field')
  await pay(page, '4000002500003155', 'Complete Payment')
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await pageShowed(page, 'Payment Failed')
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await page.getByRole('button', { name: 'Approve payment' }).click()
  await pageShowed(page, 'Welcome to Lanewire!')
  await page.waitForURL(`${url}/`)
  await logOut(page)
})

t.test('sends checkout without a plan to onboarding; with a plan it requires card and address', async (t) => {
  const page = await atDoor('desktop')
  await signUp(page, 'checkout@newcomer.example')
  await saveProfile(page)
  await goWithin(page, '/payment?plan=gold')
  await page.waitForURL(`${url}/onboarding`)
  await goWithin(page, '/payment?plan=basic')
  await page.getByRole('heading', { name: 'Complete your payment' }).waitFor()
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await pageShowed(page, 'Please fill in card number')
  await page.getByRole('button', { name: 'Fill Dummy Payment' }).click()
  await page.getByLabel('City').fill('')
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await pageShowed(page, 'Missing Billing Information')
  await pageShowed(page, 'Please fill in billing city')
  await page.getByLabel('City').fill('Calgary')
  await page.getByLabel('Country').click()
  await page.getByRole('option', { name: 'Canada' }).click()
  await page.getByRole('button', { name: 'Complete Payment' }).click()
  await pageShowed(page, 'Please fill in billing province')
  await page.reload()
  t.equal(await page.getByLabel('Address').inputValue(), '4100 Harry Hines Blvd', 'the address survives a reload')
  t.equal(await page.getByLabel('Card number').inputValue(), '', 'does not keep the card')
  await pay(page, '5555555555554444', 'Complete Payment')
  await pageShowed(page, 'Payment Successful')
  await page.waitForURL(`${url}/`)
  await logOut(page)
})

t.test('asks a dealer without a plan to choose one, subscribes, cancels and resumes', async (t) => {
  await askForPlans(browser, url, true)
  t.teardown(() => askForPlans(browser, url, false))
  const page = await atDoor('phone')
  await signUp(page, 'subscribe@newcomer.example')
  await saveProfile(page)
  await goWithin(page, '/')
  await page.getByRole('link', { name: 'choose a plan', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Post Inventory' }).first().click()
  const draft = page.getByRole('dialog', { name: 'Post Inventory' })
  await draft.getByRole('tab', { name: 'SPREADSHEET' }).click()
  await draft.getByLabel('Title').fill('A sheet that waits for a plan')
  await draft.getByLabel('Spreadsheet URL').fill('https://sheets.example/stock.csv')
  await draft.getByRole('button', { name: 'Post Inventory' }).click()
  const refusal = page.getByRole('dialog', { name: 'This needs a plan' })
  await refusal.getByText('Subscribe to the Basic Plan or higher to post inventory.', { exact: true }).waitFor()
  await refusal.getByRole('link', { name: 'Choose a plan' }).click()
  await page.getByRole('button', { name: 'Get Started: Premium Plan' }).click()
  await pay(page, '4242424242424242', 'Subscribe Now')
  await pageShowed(page, 'Payment Successful')
  await page.getByRole('button', { name: 'Current Plan: Premium Plan' }).waitFor()
  t.ok(await page.getByRole('button', { name: 'Unavailable: Basic Plan' }).isDisabled())
  await page.getByRole('button', { name: 'Cancel Subscription' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Subscription' }).click()
  await pageShowed(page, 'Subscription Cancelled')
  await pageShowed(page, 'Your subscription has been cancelled successfully.')
  await goWithin(page, '/plan-management')
  await page.getByRole('button', { name: 'Change to Basic Plan' }).click()
  await page.getByText('Your subscription still ends on').waitFor()
  t.equal(await page.getByText('From the next billing date').count(), 0, 'announces no charge after the end date')
  await page.getByRole('button', { name: 'Keep my plan' }).click()
  await page.getByRole('button', { name: 'Resume Subscription' }).click()
  await pageShowed(page, 'Subscription Resumed')
  await page.goto(`${url}/subscribe?success=true`)
  await pageShowed(page, 'Payment Successful')
  t.equal(page.url(), `${url}/subscribe`, 'shows the message only once, even after a reload')
  await page.getByRole('button', { name: 'Post Inventory' }).first().click()
  t.equal(await draft.getByLabel('Title').inputValue(), 'A sheet that waits for a plan', 'the draft is still there')
  await goWithin(page, '/plan-management')
  await page.getByRole('button', { name: 'Change card' }).click()
  await pay(page, '4000000000000002', 'Save card')
  await pageShowed(page, 'Card Not Changed')
  await pay(page, '4000002500003155', 'Save card')
  await page.getByRole('button', { name: 'Approve card' }).click()
  await page.getByText('Visa ending in 3155', { exact: true }).waitFor()
  await logOut(page)
})

t.test('opens the page that a newcomer first asked for once profile and plan exist', async () => {
  const page = await atDoor('desktop')
  await page.goto(`${url}/wholesale-news`)
  await signUp(page, 'wanted@newcomer.example')
  await saveProfile(page)
  await page.getByRole('radio', { name: /^Basic/ }).click()
  await pay(page, '4242424242424242', 'Complete Payment')
  await page.waitForURL(`${url}/wholesale-news`)
  await logOut(page)
})

t.test('sets a forgotten password with the mailed link and offers to revoke API keys there', async (t) => {
  const email = 'forgetful@newcomer.example'
  const { context, completeProfile } = await openNewcomer(browser, url, email)
  await completeProfile()
  await allowApiAccess(browser, url, email)
  const confirm = await mailedLinkAt(context.request, url, { to: email, subject: 'Confirm your email for Lanewire' })
  const token = new URLSearchParams(new URL(confirm).hash.slice(1)).get('token')
  await context.request.post('/api/auth/email/verify', { data: { token }, headers: { origin: url } })
  const data = { name: 'Left behind', scope: 'full', proof: { password } }
  const made = await context.request.post('/api/api-keys', { data, headers: { origin: url } })
  const { secret } = (await made.json()) as { secret: string }
  const visitor = await atDoor('phone')
  await visitor.getByRole('link', { name: 'Forgot your password?' }).click()
  await visitor.getByLabel('Email').fill(email)
  await visitor.getByRole('button', { name: 'Email me a link' }).click()
  await pageShowed(visitor, 'Check your email')
  await visitor.goto(await shownLink(visitor, 'Set a new Lanewire password'))
  await visitor.getByLabel('New password', { exact: true }).fill('another seven quiet lorries')
  await visitor.getByLabel('Confirm new password').fill('another seven quiet lorries')
  await visitor.getByRole('button', { name: 'Set password' }).click()
  await pageShowed(visitor, 'Password Changed')
  await visitor.getByRole('listitem').getByText('Left behind').waitFor()
  t.equal(await overflow(visitor), 0)
  const callIt = () => fetch(`${url}/api/deals`, { headers: { authorization: `Bearer ${secret}` } })
  t.equal((await callIt()).status, 200)
  await visitor.getByRole('button', { name: 'Revoke all' }).click()
  await visitor.getByRole('alertdialog').getByRole('button', { name: 'Revoke all' }).click()
  await visitor.getByText('All API keys are revoked').waitFor()
  t.equal((await callIt()).status, 401)
  await visitor.getByRole('link', { name: 'Sign in' }).click()
  await visitor.getByLabel('Email').fill(email)
  await visitor.getByLabel('Password').fill('another seven quiet lorries')
  await visitor.getByRole('button', { name: 'Login', exact: true }).click()
  await visitor.waitForURL(`${url}/`)
  await context.close()
})

t.test('opens an account with Continue with Google and asks for its profile', async (t) => {
  const page = await atDoor('desktop')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.waitForURL(`${url}/onboarding`)
  t.equal(await page.getByLabel('Email').inputValue(), 'gwen@gmail.example')
})
