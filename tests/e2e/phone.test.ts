import t from 'tap'
import { openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)
const phone = { width: 390, height: 844, hasTouch: true, underPolicy: true }

t.test('leads to every section by touch from the bottom bar and its sheet on a phone', async (t) => {
  const { page, leave, errors } = await openDealer(browser, url, 'dana', phone)
  await page.goto('/')
  const feed = page.getByRole('article').first()
  await feed.waitFor()
  const bar = page.getByRole('navigation', { name: 'Sections' })
  const showsPage = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await bar.getByRole('link', { name: 'Network' }).tap()
  await showsPage('Dealer Network')
  await bar.getByRole('link', { name: /^Messages/ }).tap()
  await showsPage('Messages')
  const sheet = page.getByRole('dialog')
  for (const [link, heading] of [
    [/^Deals/, 'Deals'],
    ['Find', 'Find vehicles'],
    ['Settings', 'Settings'],
  ] as const) {
    await bar.getByRole('button', { name: /^More/ }).tap()
    await sheet.getByRole('link', { name: link }).tap()
    await showsPage(heading)
    await sheet.waitFor({ state: 'detached' })
  }
  await bar.getByRole('link', { name: 'Feed' }).tap()
  await feed.waitFor()
  await page.getByRole('button', { name: 'Open menu' }).tap()
  await sheet.getByRole('link', { name: 'Dealer Profile' }).tap()
  await showsPage('Dana Torres')
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, 'nothing overflows')
  t.same(errors, [])
  await leave()
})
