import type { BrowserContext, Locator, Page } from 'playwright-core'
import t from 'tap'
import type { DirectoryDealer } from '#shared/schemas/dealers.ts'
import { demoPassword } from '#server/features/auth/demo-accounts.ts'
import { axeViolations } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { allowApiAccess, openDealer } from '#tests/support/dealer-page.ts'
import { showText, sticksOut } from '#tests/support/page-fit.ts'
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
  { path: '/wholesale-news/buying-canadian-units', ready: 'Buying a Canadian unit: the checks before the border' },
  { path: '/subscribe', ready: 'Choose Your Plan' },
  { path: '/plan-management', ready: 'Plan Management' },
]

const find = async (context: BrowserContext, name: string) =>
  (await (await context.request.get(`/api/dealers?name=${encodeURIComponent(name)}`)).json()) as DirectoryDealer[]

const looks = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const

for (const { width, theme } of looks)
  t.test(`keeps the network and plan screens accessible and within ${width} px in ${theme}`, async (t) => {
    const { page, context, leave } = await openDealer(browser, url, 'dana', { width, theme })
    const [marcus] = await find(context, 'Marcus Webb')
    const first = { path: `/dealers/${marcus?.id}`, ready: 'Marcus Webb' }
    await page.goto(first.path)
    for (const { path, ready } of [first, ...screens]) {
      await goWithin(page, path)
      await page.getByRole('heading', { level: 1, name: ready }).waitFor()
      t.same(await axeViolations(page), [], path)
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, path)
    }
    await page.getByRole('button', { name: 'Change card' }).click()
    await page.getByLabel('Card number').waitFor()
    t.same(await axeViolations(page), [], 'form for a new card')
    await goWithin(page, '/notifications')
    await page.getByRole('dialog', { name: 'Notifications' }).waitFor()
    t.same(await axeViolations(page), [], '/notifications')
    await leave()
  })

t.test('lays out larger browser text like a smaller window', async (t) => {
  const { page, leave } = await openDealer(browser, url, 'dana')
  const textPx = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize))
  const widthOf = async (name: string) => (await page.locator(name).first().boundingBox())?.width ?? 0
  await page.goto('/settings')
  for (const percent of [150, 200]) {
    for (const { path, ready } of [
      ...screens,
      { path: '/deals', ready: 'Deals' },
      { path: '/find', ready: 'Find vehicles' },
      { path: '/messages', ready: 'Messages' },
    ]) {
      await goWithin(page, path)
      await page.getByRole('heading', { level: 1, name: ready }).waitFor()
      t.equal(await sticksOut(page, 1440, percent), 0, `${path} at ${percent} %`)
    }
    t.equal(await textPx(), (13 * percent) / 100)
    await goWithin(page, '/')
    await page.getByRole('feed').getByRole('article').first().waitFor()
    t.ok((await widthOf('article')) > 1_300, `a post has the full width at ${percent} %`)
  }
  await sticksOut(page, 1440, 150)
  await goWithin(page, '/lane')
  await page
    .getByRole('button', { name: /^Bid \$/ })
    .first()
    .waitFor()
  await showText(page, 100)
  await leave()
})

/** Simulates safe area insets, such as those for a phone's camera or home indicator. */
async function coverEdges(page: Page, insets: { left?: number; right?: number; bottom?: number }): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 0, right: 0, bottom: 0, ...insets } })
}

t.test("keeps everything readable or clickable clear of a phone's camera and home indicator", async (t) => {
  const { page, context } = await openDealer(browser, url, 'dana', { width: 390, height: 844, hasTouch: true })
  const boxOf = async (locator: Locator) => {
    const box = await locator.filter({ visible: true }).first().boundingBox()
    return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0), bottom: (box?.y ?? 0) + (box?.height ?? 0) }
  }
  await coverEdges(page, { bottom: 34 })
  await page.goto('/')
  await page.getByRole('article').first().waitFor()
  await page.getByRole('button', { name: 'Post Inventory' }).click()
  const dialog = page.getByRole('dialog')
  t.ok((await boxOf(dialog.locator('footer button'))).bottom <= 844 - 34, 'dialog buttons')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await dialog.getByRole('combobox').waitFor()
  t.equal(await dialog.evaluate((search) => getComputedStyle(search).paddingBottom), '34px', 'search')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.setViewportSize({ width: 844, height: 390 })
  await coverEdges(page, { left: 59, right: 59, bottom: 21 })
  const seen = [
    page.getByRole('button', { name: 'Open menu' }),
    page.getByRole('button', { name: /^Account: / }),
    page.getByRole('article'),
    page.getByRole('button', { name: /^Messaging/ }),
  ]
  for (const one of seen) {
    await one.first().waitFor()
    const { left, right } = await boxOf(one)
    t.ok(left >= 59 && right <= 844 - 59, `${String(one)}: from ${left} to ${right}`)
  }
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0)
  await page.getByRole('button', { name: 'Open menu' }).click()
  t.ok((await boxOf(dialog.getByRole('heading', { name: 'Recommended Sellers' }))).left >= 59, 'menu')
  await context.close()
})

t.test('shows the documented toasts for connecting and disconnecting, and updates the connection count', async (t) => {
  const { page, leave } = await openDealer(browser, url, 'dana', { width: 1440 })
  await page.goto('/discover')
  await page.getByText('Dealers you are not connected with yet', { exact: true }).waitFor()
  const connect = page.getByRole('button', { name: /^Connect with / }).first()
  const name = (await connect.getAttribute('aria-label'))?.replace('Connect with ', '') ?? ''
  // The toast appears before the response. Reloading before the response would show the old network.
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/connect'))
  await connect.click()
  await page.getByText('Connected!', { exact: true }).waitFor()
  await page.getByText(`Added ${name} to your network`, { exact: true }).waitFor()
  await saved
  await page.goto(`/my-dealers?name=${encodeURIComponent(name)}`)
  await page
    .getByRole('button', { name: `Connected with ${name}` })
    .first()
    .click()
  await page.getByText('Disconnected', { exact: true }).waitFor()
  await page.getByText(`Removed ${name} from your network`, { exact: true }).waitFor()
  const views = page.getByRole('navigation', { name: 'Filter by connection' })
  t.equal(await views.locator('[aria-current=page]').textContent(), 'Connected')
  t.ok(await page.getByText('The dealers you are connected with', { exact: true }).isVisible())
  await views.getByRole('link', { name: 'Remove filter: Connected' }).click()
  await page.getByText('Every dealer in the network', { exact: true }).waitFor()
  t.equal(page.url(), `${url}/dealers?name=${encodeURIComponent(name)}`, 'the other filters stay')
  await goWithin(page, '/dealers?name=nobody-is-called-this')
  await page.getByRole('heading', { name: 'No dealers found' }).waitFor()
  t.ok(await page.getByText('Try adjusting your search filters').isVisible())
  await leave()
})

t.test('shows both dealers at once when one requests, withdraws, accepts, disconnects or declines', async (t) => {
  const [dana, elena] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
  const [her] = await find(dana.context, 'Elena Park')
  const [other] = await find(elena.context, 'Dana Torres')
  const headers = { origin: url }
  await dana.context.request.delete(`/api/dealers/${her?.id}/connect`, { headers })
  await elena.context.request.delete(`/api/dealers/${other?.id}/connect`, { headers })
  await dana.page.goto('/')
  await dana.page.getByText('Live updates').waitFor()
  await elena.page.goto(`/dealers/${other?.id}`)
  const asks = dana.page.getByRole('region', { name: 'Connection Requests' }).getByText('Elena Park')
  const connect = elena.page.getByRole('button', { name: 'Connect', exact: true })
  const connected = elena.page.getByRole('button', { name: 'Connected', exact: true })
  await asks.waitFor({ state: 'detached' })

  await connect.click()
  await asks.waitFor()
  await connected.click()
  await asks.waitFor({ state: 'detached' })

  await connect.click()
  await dana.page.getByRole('button', { name: 'Accept Elena Park' }).click()
  await dana.page.getByText('Added Elena Park to your network', { exact: true }).waitFor()
  await elena.page.getByRole('heading', { level: 1, name: 'Dana Torres 1st' }).waitFor()
  await asks.waitFor({ state: 'detached' })

  await goWithin(dana.page, `/dealers/${her?.id}`)
  await dana.page.getByRole('heading', { level: 1, name: 'Elena Park 1st' }).waitFor()
  await dana.page.getByRole('button', { name: 'Connected', exact: true }).click()
  await elena.page.getByRole('heading', { level: 1, name: 'Dana Torres', exact: true }).waitFor()

  await connect.click()
  await dana.page.getByRole('button', { name: 'Accept', exact: true }).waitFor()
  await dana.page.getByRole('button', { name: 'Decline', exact: true }).click()
  await dana.page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
  t.ok(await connected.isVisible(), 'the requester keeps the other dealer in their own network')
  t.same([...dana.errors, ...elena.errors], [], 'no console error')
  await Promise.all([dana.leave(), elena.leave()])
})

t.test(
  'shows an API key once to a dealer whom an admin allowed to have one, shows its last use, and refuses it once revoked',
  async (t) => {
    const { page, leave } = await openDealer(browser, url, 'dana')
    await page.goto('/settings#api-keys')
    await page.getByRole('link', { name: 'Request API Access' }).waitFor()
    await allowApiAccess(browser, url, 'dana@torresauto.example')
    await page.reload()
    await page.getByRole('button', { name: 'New key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('Enter a name, such as the program that uses the key').waitFor()
    await dialog.getByLabel('Name').fill('Office import')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const proof = page.getByRole('dialog', { name: "Confirm it's you" })
    await proof.getByLabel('Your password').fill(demoPassword)
    t.same(await axeViolations(page), [], 'password prompt')
    await proof.getByRole('button', { name: 'Confirm' }).click()
    const secret = await dialog.getByText(/^lw_live_/).innerText()
    t.same(await axeViolations(page), [], 'new key')
    await dialog.getByRole('button', { name: 'Done' }).click()
    const callIt = () => fetch(`${url}/api/deals`, { headers: { authorization: `Bearer ${secret}` } })
    t.equal((await callIt()).status, 200)

    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'Office import' })
    await row.getByText('last used').waitFor()
    t.notOk((await page.content()).includes(secret), 'the key is not shown again')
    await row.getByRole('button', { name: 'Revoke Office import' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Revoke' }).click()
    await question.waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
    t.equal((await callIt()).status, 401)
    await leave()
  },
)
