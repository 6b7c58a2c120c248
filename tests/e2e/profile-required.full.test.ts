import type { BrowserContext } from 'playwright-core'
import t from 'tap'
import { goWithin, loseSession, openBrowser } from '#tests/support/browser.ts'
import { aProfile, mailedLinkAt } from '#tests/support/newcomer.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)
const password = 'seven quiet lorries at dawn'
const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block', reducedMotion: 'reduce' })
const page = await context.newPage()

async function send(context: BrowserContext, path: string, data: object) {
  const answer = await context.request.post(url + path, { data, headers: { origin: url } })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()} ${await answer.text()}`)
}

t.test('leads everywhere but help, contact, privacy and Log Out to onboarding until there is a profile', async (t) => {
  const account = { email: 'gate@newcomer.example', password }
  await send(context, '/api/auth/signup', account)
  const isLedThere = async (path: string) => {
    await page.waitForFunction(() => location.pathname === '/onboarding')
    await page.getByRole('heading', { name: 'Your dealer profile' }).waitFor()
    t.equal(page.url(), `${url}/onboarding`, path)
  }
  const isOpen = (path: string) =>
    page.getByRole('heading', { level: 1, name: new RegExp(path.slice(1), 'i') }).waitFor()
  await page.goto('/')
  await isLedThere('/')
  for (const path of ['/', '/dealers', '/messages', '/settings', '/admin', '/deals', '/nowhere']) {
    await goWithin(page, path)
    await isLedThere(`${path}, from within`)
  }
  t.equal(await page.getByRole('banner').getByRole('searchbox').count(), 0, "the app's search bar is absent")
  const links = page.getByRole('contentinfo').getByRole('link', { name: /^(Help|Contact|Privacy)$/ })
  t.same(
    await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))),
    ['/help', '/contact', '/privacy'].map((path) => `${path}?public`),
  )
  await links.first().click()
  await isOpen('/help')
  await page.goto('/help')
  await isOpen('/help')
  await page.goto('/payment?plan=basic')
  await isLedThere('/payment?plan=basic')
  await goWithin(page, '/contact')
  await isOpen('/contact')
  await page.goto('/admin')
  await isLedThere('/admin')
  await page.getByRole('button', { name: 'Log Out' }).click()
  await page.waitForURL(`${url}/login`)
  await until(
    'the server to delete the cookie',
    async () => !(await context.cookies()).some(({ name }) => name === 'lanewire'),
  )

  await send(context, '/api/auth/login', account)
  await page.goto('/watchlist')
  await isLedThere('/watchlist')
  await goWithin(page, '/privacy')
  await isOpen('/privacy')
  await send(context, '/api/auth/complete-profile', { ...aProfile, email: account.email })
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
})

t.test('takes invited staff to the home of their role, under the name that the admin typed', async (t) => {
  const admin = await browser.newContext({ baseURL: url })
  const own = { password: 'lanewire-demo-2026' }
  await send(admin, '/api/auth/login', { email: 'admin@lanewire.example', ...own })
  for (const [role, home, heading] of [
    ['admin', '/admin', 'Admin'],
    ['ops', '/admin/queues', 'Queues'],
  ] as const) {
    const email = `${role}@staff.example`
    const person = { name: `Robin ${role}`, email, dealershipName: '', dealershipType: 'independent', role }
    await send(admin, '/api/admin/users', { ...person, proof: own })
    await loseSession(page)
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()))
    await page.goto(await mailedLinkAt(context.request, url, { to: email, subject: 'You are invited to Lanewire' }))
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Confirm new password').fill(password)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.waitForURL(url + home)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await page.getByRole('button', { name: `Account: Robin ${role}` }).click()
    await page.getByRole('menuitem', { name: 'Log Out' }).waitFor()
    t.same(
      await page.getByRole('menuitem').allTextContents(),
      [...(role === 'admin' ? ['Admin', 'Lane'] : ['Lane', 'Queues']), 'Settings', 'Help', 'Log Out'],
      'the menu has no dealership pages',
    )
    await page.keyboard.press('Escape')
    await page.goto('/')
    await page.waitForURL(url + home)
    for (const path of ['/', '/onboarding', '/payment?plan=basic']) {
      await goWithin(page, path)
      await page.waitForFunction((wanted) => location.pathname === wanted, home)
    }
    await goWithin(page, '/settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  }
  await admin.close()
})
