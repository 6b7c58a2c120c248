import type { Page } from 'playwright-core'
import t from 'tap'
import type { Post } from '#shared/schemas/posts.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

/** Largest layout shift that a dealer does not notice, as a share of the screen. */
const shiftMax = 0.02

/** A slow mobile connection, on which delayed parts of a page arrive one by one. */
const slow = { offline: false, latency: 150, downloadThroughput: 200 * 1024, uploadThroughput: 90 * 1024 }

interface Shift {
  value: number
  moved: string[]
}

/** Runs in the page. Records every layout shift that user input did not cause, and the elements that moved. */
function collectShifts(): void {
  const shifts: Shift[] = []
  Object.assign(window, { layoutShifts: shifts })
  const nameOf = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement
    return `${element?.tagName ?? '?'} “${element?.textContent.slice(0, 40) ?? ''}”`
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      }
      if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => nameOf(node)) })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

const shiftsOf = (page: Page) => page.evaluate(() => (window as unknown as { layoutShifts: Shift[] }).layoutShifts)

const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Waits until no request is pending and no placeholder is left. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await until('placeholders to be gone', async () => (await page.locator('main [aria-busy=true]').count()) === 0)
  await drawn(page)
}

async function firstPost({ request }: Page): Promise<string> {
  const posts = (await (await request.get('/api/inventory?limit=20')).json()) as Post[]
  return posts.find(({ vehicleCount, hasAuction }) => vehicleCount === 1 && !hasAuction)?.id ?? ''
}

interface Screen {
  name: string
  path: (page: Page) => string | Promise<string>
  open?: (page: Page) => Promise<void>
}

const screens: Screen[] = [
  { name: 'home', path: () => '/' },
  { name: 'post', path: async (page) => `/post/${await firstPost(page)}` },
  { name: 'Find', path: () => '/find' },
  { name: 'Lane', path: () => '/lane' },
]

/** The dock exists only on wide screens. Phones have a page for messages instead. */
const dock: Screen = {
  name: 'dock',
  path: () => '/watchlist',
  async open(page) {
    await page.getByRole('button', { name: /^Messaging/ }).click()
    await page.getByRole('list', { name: 'Conversations' }).getByRole('button').first().click()
    await page.getByRole('textbox', { name: /^Message/ }).waitFor()
    await drawn(page)
    // Clicking moves the page to make room, which a slow browser reports as a shift without user input.
    await page.evaluate(() => (window as unknown as { layoutShifts: Shift[] }).layoutShifts.splice(0))
  },
}

for (const { width, height, hasTouch, shown } of [
  { width: 1440, height: 900, hasTouch: false, shown: [...screens, dock] },
  { width: 390, height: 844, hasTouch: true, shown: screens },
])
  t.test(`moves nothing that is on screen while a page loads at ${width} px`, async (t) => {
    for (const { name, path, open } of shown) {
      const { context, page } = await openDealer(browser, url, 'dana', { width, height, hasTouch })
      await context.addInitScript(collectShifts)
      const session = await context.newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', slow)
      await page.goto(await path(page))
      await settled(page)
      await open?.(page)
      await settled(page)
      const shifts = await shiftsOf(page)
      const sum = shifts.reduce((total, { value }) => total + value, 0)
      t.comment(`${name} at ${width} px: ${sum.toFixed(4)}`)
      t.ok(sum < shiftMax, `${name} shifts by ${sum.toFixed(4)}`, { shifts })
      await context.close()
    }
  })
