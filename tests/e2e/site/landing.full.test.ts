import t from 'tap'
import { openBrowser } from '#tests/support/browser.ts'
import { startProvider } from '#tests/support/payment-provider.ts'

const { url } = await startProvider(t)
const browser = await openBrowser(t)

const headline = 'The wholesale lane, open on your desk all day.'

const openVisitor = async () => (await browser.newContext({ baseURL: url })).newPage()

t.test('shows a visitor the landing page at any other path and keeps the path for sign-in', async (t) => {
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

t.test('says that an opened page is offline without a network and never answers calls from a cache', async (t) => {
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
