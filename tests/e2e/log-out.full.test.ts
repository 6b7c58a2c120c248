import type { Page } from 'playwright-core'
import t from 'tap'
import { danaEmail, demoPassword } from '#server/features/auth/demo-accounts.ts'
import { loseSession, openBrowser } from '#tests/support/browser.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block', reducedMotion: 'reduce' })
const page = await context.newPage()

const showsSettings = () => page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()

t.beforeEach(async () => {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  // End the session first. Signing in while a session exists would end it, and the app would react immediately.
  await loseSession(page)
  const data = { email: danaEmail, password: demoPassword }
  await context.request.post('/api/auth/login', { data, headers: { origin: url } })
  await page.goto('/settings')
  await showsSettings()
})

async function logOut(page: Page) {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
}

const asksToSignIn = async (page: Page) => {
  await page.waitForURL(`${url}/login`)
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
}
const isOut = (page: Page) => page.waitForFunction(() => localStorage.getItem('lanewire.signed-out') === null)

t.test('keeps a dealer signed in who signs in again before the server received the sign-out', async (t) => {
  await context.route('**/api/auth/logout', () => undefined)
  await logOut(page)
  await asksToSignIn(page)
  await page.getByLabel('Email').fill(danaEmail)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByText('All posts').first().waitFor()
  await context.unroute('**/api/auth/logout')
  await isOut(page)
  await page.reload()
  await page.getByText('All posts').first().waitFor()
  t.equal((await context.request.get('/api/auth/me')).status(), 200)
})

t.test('signs out in the browser without a connection and tells the server later', async (t) => {
  await page.getByRole('button', { name: /^Account/ }).click()
  await context.route('**/api/auth/logout', (route) => route.abort('internetdisconnected'))
  const tried = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/auth/logout'))
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await asksToSignIn(page)
  await tried
  await context.unroute('**/api/auth/logout')
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await isOut(page)
  t.equal((await context.request.get('/api/auth/me')).status(), 401)
})

t.test('keeps text typed in the sign-in form when the server confirms the sign-out', async (t) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await context.route('**/api/auth/logout', async (route) => {
    await held
    await route.continue()
  })
  await logOut(page)
  await asksToSignIn(page)
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('half a pass')
  const heard = page.waitForResponse('**/api/auth/status')
  release()
  await heard
  await isOut(page)
  t.equal(await password.inputValue(), 'half a pass')
})

t.test('keeps another tab at the sign-in form when the server confirms the sign-out', async (t) => {
  const other = await context.newPage()
  await other.goto('/watchlist')
  await other.getByRole('heading', { level: 1 }).waitFor()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await context.route('**/api/auth/logout', async (route) => {
    // Never answer the other tab's request, which may still be pending when the server confirms the sign-out.
    if (route.request().frame().page() === other) return
    await held
    await route.continue()
  })
  await logOut(page)
  await asksToSignIn(page)
  await asksToSignIn(other)
  const password = other.getByLabel('Password', { exact: true })
  await password.fill('half a pass')
  const heard = other.waitForResponse('**/api/auth/status')
  release()
  await isOut(page)
  await heard
  t.equal(other.url(), `${url}/login`)
  t.equal(await password.inputValue(), 'half a pass')
  await other.close()
})
