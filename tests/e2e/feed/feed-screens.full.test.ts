import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import type { Post } from '#shared/schemas/posts.ts'
import { axeViolations, violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { comeHome } from '#tests/support/feed-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

for (const { width, theme } of [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const)
  t.test(`keeps feed, comments, post and 404 page accessible and within ${width} px in ${theme}`, async (t) => {
    const { page, leave, errors } = await openDealer(browser, url, 'dana', { width, theme })
    await page.goto('/')
    const first = page.getByRole('article').first()
    await first.waitFor()
    t.same(await axeViolations(page), [], 'feed')
    await first.getByRole('button', { name: /Comments/ }).click()
    await first.getByLabel('Add a comment').waitFor()
    t.same(await axeViolations(page), [], 'comments')
    await first.getByRole('button', { name: 'View Dealer Profile' }).click()
    await page.getByRole('dialog').getByText('Connections').waitFor()
    t.same(await axeViolations(page), [], 'dealer popup')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    if (width < 1000) {
      t.equal(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        0,
        'nothing overflows',
      )
      for (const narrow of [390, 360, 320]) t.same(await crowdedInBar(page, narrow), [], `top bar at ${narrow} px`)
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('dialog').getByRole('heading', { name: 'Recommended Sellers' }).waitFor()
      t.same(await axeViolations(page), [], 'menu drawer')
    }
    await page.getByRole('button', { name: /Vehicles Sold/ }).click()
    await page.getByRole('dialog', { name: 'Vehicles Sold' }).getByRole('table').waitFor()
    t.same(await axeViolations(page), [], 'analytics dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Vehicles Sold' }).waitFor({ state: 'detached' })
    if (width < 1000) {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await first.getByRole('heading').getByRole('link').click()
    await page.waitForURL(/\/post\//)
    await page.getByRole('heading', { level: 1 }).waitFor()
    t.same(await axeViolations(page), [], 'post')
    await goWithin(page, '/no-such-page')
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    t.same(await axeViolations(page), [], 'not-found page')
    t.same(errors, [], 'no console error')
    await leave()
  })

/** Returns the controls of the top bar that overlap each other or extend beyond the bar. */
async function crowdedInBar(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 })
  return page.locator('header:has(nav[aria-label="Main"])').evaluate((bar) => {
    const controls = [...bar.querySelectorAll('a, button')]
      .filter((control) => control.checkVisibility())
      .map((control) => ({ name: control.outerHTML.slice(0, 60), box: control.getBoundingClientRect() }))
      .toSorted((one, other) => one.box.left - other.box.left)
    return controls
      .filter(({ box }, index) => box.left < (controls[index - 1]?.box.right ?? 0) - 1 || box.right > innerWidth)
      .map(({ name }) => name)
  })
}

const lookOf = (locator: Locator) =>
  locator.evaluate((element) => {
    const { backgroundColor, outlineStyle, outlineWidth } = getComputedStyle(element)
    return { fill: backgroundColor, outline: outlineStyle === 'none' ? '0px' : outlineWidth }
  })

t.test('marks selected, live and floating elements in a contrast theme of the system', async (t) => {
  const { page, leave } = await openDealer(browser, url, 'dana')
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await page.goto('/')
  const article = page.getByRole('article').first()
  await article.waitFor()
  const canvas = (await lookOf(page.locator('body'))).fill
  const radio = (checked: boolean) => page.getByRole('radio', { checked }).first()
  t.not((await lookOf(radio(true))).fill, (await lookOf(radio(false))).fill, 'selected segment')
  t.not((await lookOf(page.getByRole('button', { name: 'Post Inventory' }))).fill, canvas, 'primary button')
  const edged = {
    badge: article.getByText('Active', { exact: true }).first(),
    dock: page.getByRole('region', { name: 'Messaging dock' }).getByRole('button').first(),
  }
  for (const [name, part] of Object.entries(edged)) t.equal((await lookOf(part)).outline, '1px', name)
  await page.getByRole('button', { name: /^Messaging/ }).click()
  await page.getByRole('list', { name: 'Conversations' }).getByText('Marcus Webb').click()
  for (const side of ['items-start', 'items-end']) {
    const bubble = page.locator(`[data-seq].${side} [tabindex]`).first()
    t.equal((await lookOf(bubble)).outline, '1px', `bubble, ${side}`)
  }
  await goWithin(page, '/settings')
  const track = page.getByRole('switch', { checked: true }).first()
  const looks = await Promise.all([track, track.locator('span')].map(lookOf))
  t.not(looks[0]?.fill, canvas, 'switch that is on')
  t.not(looks[0]?.fill, looks[1]?.fill, 'thumb of the switch')
  await leave()
})

t.test('shows lists and every request on the Deals page when there is no right column', async (t) => {
  const { page, leave } = await openDealer(browser, url, 'dana', { width: 820 })
  await page.goto('/deals')
  for (const name of ['Connection Requests', 'Active Deals', 'Completed Deals'])
    await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('heading', { level: 2, name: 'Active Deals', exact: true }).waitFor({ state: 'hidden' })
  await page.getByRole('heading', { level: 2, name: 'Connection Requests', exact: true }).waitFor()
  // On a wide screen, the first deal that waits for this dealer is shown next to the list of deals.
  await page.getByRole('list', { name: 'Deal progress' }).waitFor()
  await page.getByRole('tab', { name: /^Waiting/ }).click()
  await page.getByRole('list', { name: 'Waiting' }).locator('a[href^="/deals/"]').first().click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  t.match(page.url(), /\/deals\/[-\da-f]{36}\?stage=waiting$/)
  t.ok(await page.getByRole('tab', { name: /^Waiting/, selected: true }).isVisible(), 'the list stays beside the deal')
  t.same(await axeViolations(page), [], 'deal beside its list')
  await page.goBack()
  await page.getByRole('heading', { level: 2, name: 'Select a deal' }).waitFor()
  await leave()
})

t.test(
  'keeps each row of a vehicle table inside its card, with photo, price and status visible, at any width',
  async (t) => {
    const { page, context, leave } = await openDealer(browser, url, 'dana')
    const posts = (await (await context.request.get('/api/inventory?limit=100')).json()) as Post[]
    const several = posts.find(({ vehicleCount }) => vehicleCount > 2)
    await page.goto(`/post/${several?.id}`)
    const table = page.getByRole('table', { name: 'Vehicles of this post' })
    await table.getByRole('row').nth(1).waitFor()
    for (const width of [1440, 1100, 820, 600, 390, 320]) {
      await page.setViewportSize({ width, height: 900 })
      const row = table.getByRole('row').nth(1)
      for (const part of [row.getByText(/^\$[\d,]+$/), row.getByText(/^(Available|Pending|Sold)$/)])
        t.ok(await part.isVisible(), `${width}: ${await part.innerText()}`)
      t.equal((await row.locator('img').boundingBox())?.width, 72, `${width}: photo`)
      const outside = await table.evaluate((element) => {
        const { left, right } = element.closest('section')?.getBoundingClientRect() ?? new DOMRect()
        return [...element.querySelectorAll('tbody *')]
          .filter((part) => part.checkVisibility())
          .map((part) => ({ box: part.getBoundingClientRect(), name: part.outerHTML.slice(0, 80) }))
          .filter(({ box }) => box.left < left || box.right > right)
          .map(({ name }) => name)
      })
      t.same(outside, [], `${width}`)
    }
    await leave()
  },
)

t.test('on one page, starting at the feed', async (t) => {
  const { page, leave } = await openDealer(browser, url, 'dana')
  t.teardown(() => leave())
  await page.goto('/')

  await t.test('sizes every dialog and drawer to its content in every browser', async (t) => {
    await comeHome(page)
    const dialog = page.getByRole('dialog')
    // Safari ignores a percentage flex-basis if the height is fit-content and collapses the panel. Chromium does not, so check the styles.
    const shares = () =>
      dialog.evaluate((panel) =>
        [...panel.children].map((part) => getComputedStyle(part).flexBasis).filter((basis) => basis !== 'auto'),
      )
    const post = page
      .getByRole('article', { name: /.*/ })
      .filter({ has: page.getByLabel('Report post') })
      .first()
    const opens = async (name: string | RegExp, opener = page.getByRole('button', { name }).first()) => {
      await opener.click()
      await dialog.getByRole('heading', { level: 2 }).first().waitFor()
      t.same(await shares(), [], String(name))
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    for (const name of ['Post Inventory', 'Open live auction', 'View Dealer Profile', /Vehicles Sold/])
      await opens(name)
    await opens('Report post', post.getByRole('button', { name: 'Report post' }))
    await goWithin(page, '/notifications')
    await dialog.waitFor()
    t.same(await shares(), [], 'notifications')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    for (const name of [/^Open menu$/, /^More\b/]) await opens(name, page.getByRole('button', { name }).last())
  })

  await t.test('searches everything with a slash, the feed with Enter, and keeps the search in the URL', async (t) => {
    await comeHome(page)
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('Transit')
    const field = page.getByRole('combobox', { name: 'Search dealers, vehicles, VINs' })
    await until('every letter to be typed', async () => (await field.inputValue()) === 'Transit')
    await page.getByRole('group', { name: 'Posts' }).waitFor()
    t.same(await violationsInBothThemes(page), [], 'search palette')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=Transit/)
    await page.getByText('“Transit”').waitFor()
    await page.reload()
    t.equal(await page.getByLabel('Search this feed').inputValue(), 'Transit')
    await goWithin(page, '/?search=no-such-vehicle-anywhere')
    await page.getByText('No matching dealers found').waitFor()
    await goWithin(page, '/?mode=post')
    await page.getByLabel('Post title').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await goWithin(page, '/')
    await page.getByRole('button', { name: 'Search everything' }).click()
    await field.fill('dealer prof')
    await page.keyboard.press('Enter')
    await page.waitForURL(/dealer-profile/)
  })
})
