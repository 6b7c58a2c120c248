import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { cutWords } from '#tests/support/page-fit.ts'
import { signIn } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'

interface Screen {
  path: string
  name: string
  only?: 'wide' | 'narrow'
  prepare: (page: Page) => Promise<unknown>
  open?: (page: Page) => Promise<unknown>
}

const load = async (name: string): Promise<unknown> => import(pathToFileURL(resolve('scripts/screens', name)).href)
const { laneScreens } = (await load('lane-states.mjs')) as { laneScreens: Screen[] }
const { NOON, intercept } = (await load('states.mjs')) as {
  NOON: Date
  intercept: (
    context: BrowserContext,
    byMs: number,
  ) => Promise<Record<'settle' | 'refetch', (page: Page) => Promise<unknown>>>
}

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

/** Opens one page for all states, because loading the app is slow and the browser caches nothing while requests are intercepted. */
async function openStates(width: number) {
  const context = await signIn(browser, url, 'dana', { width })
  const net = await intercept(context, NOON.getTime() - Date.now())
  const page = await context.newPage()
  await page.clock.setFixedTime(NOON)
  await page.goto('/watchlist')
  // Close the banner that only the demo has, because it takes space from the pinned auctions.
  if (width >= 768) await page.getByRole('button', { name: 'Hide these suggestions' }).click()
  const open = async ({ path, prepare }: Screen) => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.setViewportSize({ width, height: 900 })
    await goWithin(page, '/watchlist')
    await page.getByRole('heading', { name: 'Watchlist', level: 1 }).waitFor()
    await prepare(page)
    await net.settle(page)
    await net.refetch(page)
    const told = page.waitForResponse('**/api/lane')
    await goWithin(page, path)
    await told
    await net.settle(page)
  }
  return { context, page, open }
}

for (const [width, ...narrower] of [[1440, 1280, 1024], [390]] as const)
  t.test(`keeps every Lane state accessible at ${width} px in both themes, with no figure cut off`, async (t) => {
    const { context, page, open } = await openStates(width)
    const other = width < 768 ? 'wide' : 'narrow'
    for (const screen of laneScreens.filter(({ only }) => only !== other)) {
      const { name } = screen
      const fits = async (px: number) => {
        t.same(await cutWords(page), [], `${name}: words cut off at ${px} px`)
        const isOut = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
        t.notOk(isOut, `${name}: overflows at ${px} px`)
      }
      await open(screen)
      await screen.open?.(page)
      await fits(width)
      t.same(await violationsInBothThemes(page), [], `${name}: axe violations`)
      for (const px of narrower) {
        await page.setViewportSize({ width: px, height: 900 })
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        await fits(px)
      }
    }
    await context.close()
  })

t.test(
  'shows four bids, seller and rating in up to four positions without scrolling, also in a narrow window',
  async (t) => {
    const { context, page, open } = await openStates(1440)
    for (const screen of laneScreens.filter(({ name }) => /^lane-(two|four)$/.test(name))) {
      const { name } = screen
      await open(screen)
      const positions = await page.getByRole('region', { name: /^Position \d: / }).all()
      t.equal(positions.length, name === 'lane-two' ? 2 : 4)
      for (const [width, height] of [
        [1440, 900],
        [1280, 900],
        [1024, 900],
        [1280, 1100],
      ] as const) {
        await page.setViewportSize({ width, height })
        const at = `${name} at ${width} x ${height}`
        for (const position of positions) {
          t.equal(await position.getByRole('list', { name: 'Last bids' }).getByRole('listitem').count(), 4, at)
          t.ok(await position.getByText(/^·?\s*\d\.\d \/ 5$/).isVisible(), at)
        }
        const hidden = await page.locator('[data-positions]').evaluate((grid) => grid.scrollHeight - grid.clientHeight)
        t.equal(hidden, 0, at)
      }
    }
    await context.close()
  },
)
