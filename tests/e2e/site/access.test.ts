import t from 'tap'
import { axeViolations } from '#tests/support/axe.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { startProduct } from '#tests/support/product.ts'

// One product and one browser for the file; each test is a visitor of its own.
const url = await startProduct(t)
const browser = await openBrowser(t)

const headline = 'The wholesale lane, open on your desk all day.'

/** A new demo dealer in a browser of its own. */
async function dealerPage() {
  const context = await browser.newContext({ baseURL: url, bypassCSP: true })
  const answer = await context.request.post('/api/auth/create-dummy', { data: {} })
  if (!answer.ok()) throw new Error(`no demo account: ${answer.status()}`)
  return context.newPage()
}

t.test('a visitor gets the landing page on any other path, and the path is kept for sign-in', async (t) => {
  const page = await (await browser.newContext()).newPage()
  for (const path of ['/', '/nowhere', '/dealers', '/admin/users']) {
    const response = await page.goto(url + path)
    t.equal(response?.status(), 200, path)
    t.ok(await page.getByRole('heading', { name: headline }).isVisible(), path)
  }
  t.equal(await page.evaluate(() => sessionStorage.getItem('lanewire.wanted')), '/admin/users')
  await page.getByRole('link', { name: 'Login' }).click()
  await page.waitForURL(/\/login/)
  await page.getByLabel('Email').waitFor()
})

t.test('a dealer gets the app on the same address, without a glimpse of the landing page', async (t) => {
  const page = await dealerPage()
  const response = await page.goto('/')
  t.notMatch(await response?.text(), headline)
  t.equal(response?.headers()['vary'], 'Cookie, Accept-Encoding')
})

t.test('a dealer finds no page at a public address, and a way to open it all the same', async () => {
  const page = await dealerPage()
  await page.goto('/blog')
  await page.getByText('404 Page Not Found').first().waitFor()
  await page.getByRole('link', { name: 'Open the public page' }).click()
  await page.getByRole('heading', { name: 'Blog', exact: true }).waitFor()
  await page
    .getByRole('link', { name: /Read More/ })
    .first()
    .click()
  await page.waitForURL(/\/blog\/.+\?public/)
})

t.test('help, contact, privacy and status are read inside the app, and their links stay in it', async (t) => {
  const page = await dealerPage()
  const headings = { help: 'Help center', contact: 'Contact us', privacy: 'Privacy', status: 'Status' }
  for (const [path, name] of Object.entries(headings)) {
    await page.goto(`/${path}`)
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByRole('button', { name: /^Account: / }).waitFor()
    t.same(await axeViolations(page), [], path)
  }
  await page.goto('/help')
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await page.getByRole('searchbox', { name: 'Search help articles' }).fill('photos')
  await page.getByRole('link', { name: /^Add photos/ }).click()
  await page.getByRole('heading', { name: 'Add photos and fix uploads that fail' }).waitFor()
  t.equal(new URL(page.url()).pathname, '/help/add-photos')
  await page.getByRole('link', { name: 'All help articles' }).click()
  await page.getByRole('link', { name: 'Contact support' }).click()
  await page.getByLabel('Message', { exact: true }).fill('Where do I find my invoices?')
  await page.getByLabel('Name', { exact: true }).fill('Dana Torres')
  await page.getByLabel('Email', { exact: true }).fill('dana@torresauto.example')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await page.getByText('Message Sent', { exact: true }).waitFor()
  t.equal(await page.getByText('Message Sent', { exact: true }).count(), 1, 'one toast')
  t.ok(await page.evaluate(() => 'sameDocument' in window), 'without leaving the app')
})

t.test('without a network an opened page says so, and calls are never answered from a cache', async (t) => {
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  await page.goto('/')
  await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated')
  await page.goto('/status', { waitUntil: 'networkidle' })
  const kept = await page.evaluate(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map((request) => new URL(request.url).pathname)
  })
  t.ok(kept.includes('/offline'))
  t.notOk(kept.some((path) => path.startsWith('/api')))
  await context.setOffline(true)
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
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Pricing' }).waitFor()
})
