import t from 'tap'
import { axeViolations } from '#tests/support/axe.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

const screens = [
  { path: '/dealers', ready: 'Dealer Network' },
  { path: '/dealer-profile', ready: 'Dana Torres' },
  { path: '/profile-edit', ready: 'Profile Edit' },
  { path: '/settings', ready: 'Settings' },
  { path: '/watchlist', ready: 'Watchlist' },
  { path: '/wholesale-news', ready: 'Wholesale News' },
  { path: '/subscribe', ready: 'Choose Your Plan' },
  { path: '/plan-management', ready: 'Plan Management' },
]
const looks = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const

for (const { width, theme } of looks)
  t.test(`the network's and the plan's screens are clean and fit at ${width} px in ${theme}`, async (t) => {
    const { page, context } = await openDealer(browser, url, 'dana', { width, theme })
    for (const { path, ready } of screens) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1, name: ready }).waitFor()
      t.same(await axeViolations(page), [], path)
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, path)
    }
    await page.getByRole('button', { name: 'Change card' }).click()
    await page.getByLabel('Card number').waitFor()
    t.same(await axeViolations(page), [], 'the new card')
    await page.goto('/notifications')
    await page.getByRole('dialog', { name: 'Notifications' }).waitFor()
    t.same(await axeViolations(page), [], '/notifications')
    await context.close()
  })

t.test('connecting and disconnecting show the documented toasts and change the number of connections', async (t) => {
  const { page, context } = await openDealer(browser, url, 'dana', { width: 1440 })
  await page.goto('/discover')
  const connect = page.getByRole('button', { name: /^Connect with / }).first()
  const name = (await connect.getAttribute('aria-label'))?.replace('Connect with ', '') ?? ''
  await connect.click()
  await page.getByText('Connected!', { exact: true }).waitFor()
  await page.getByText(`Added ${name} to your network`, { exact: true }).waitFor()
  await page.goto(`/my-dealers?name=${encodeURIComponent(name)}`)
  await page
    .getByRole('button', { name: `Connected with ${name}` })
    .first()
    .click()
  await page.getByText('Disconnected', { exact: true }).waitFor()
  await page.getByText(`Removed ${name} from your network`, { exact: true }).waitFor()
  await page.goto('/dealers?name=nobody-is-called-this')
  await page.getByRole('heading', { name: 'No dealers found' }).waitFor()
  t.ok(await page.getByText('Try adjusting your search filters').isVisible())
  await context.close()
})

t.test('a setting is saved by itself, and still there after a reload', async (t) => {
  const { page, context } = await openDealer(browser, url, 'dana', { width: 1440 })
  await page.goto('/settings')
  const sharing = page.getByRole('switch', { name: 'Contact sharing' })
  t.equal(await sharing.getAttribute('aria-checked'), 'false', 'off to begin with')
  await sharing.click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.reload()
  t.equal(await sharing.getAttribute('aria-checked'), 'true')
  await context.close()
})
