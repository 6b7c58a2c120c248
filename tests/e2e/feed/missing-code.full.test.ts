import t from 'tap'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

t.test('loads code again at the press of Retry, without a page reload', async (t) => {
  const { page, leave } = await openDealer(browser, url, 'dana', { width: 1440, theme: 'light' })
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  const scripts = '**/assets/*.js'
  let refused = 0
  await page.route(scripts, (route) => {
    refused += 1
    return route.abort()
  })
  await goWithin(page, '/profile-edit')
  // Search only the main part, because the dock also shows Retry if its code failed to load.
  const retry = page.locator('#main').getByRole('button', { name: 'Retry' })
  await retry.waitFor()
  const before = refused
  t.ok(before > 0)
  await retry.click()
  await until('another attempt', async () => refused > before)
  await retry.waitFor()
  await page.unroute(scripts)
  await retry.click()
  await page.getByRole('heading', { name: 'Profile Edit', level: 1 }).waitFor()
  t.equal(await page.evaluate('window.isSamePage'), true)
  await leave()
})
