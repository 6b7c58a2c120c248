import t from 'tap'
import { openBrowser } from '#tests/support/browser.ts'
import { signIn } from '#tests/support/dealer-page.ts'
import { publishPost } from '#tests/support/feed-page.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

/** Returns the CPU seconds that the browser has used so far for pages and drawing. */
async function cpuSeconds(): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.filter(({ type }) => type !== 'browser').reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

/** Records the intervals that run in the page, in milliseconds. */
function watchIntervals(): void {
  const running = new Map<unknown, number>()
  const begin = window.setInterval.bind(window)
  const end = window.clearInterval.bind(window)
  Object.assign(window, {
    intervals: () => [...running.values()],
    setInterval: (run: () => void, ms = 0) => {
      const timer = begin(run, ms)
      running.set(timer, ms)
      return timer
    },
    clearInterval: (timer: number) => {
      running.delete(timer)
      end(timer)
    },
  })
}

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true })
  Object.defineProperty(document, 'visibilityState', {
    get: () => (hidden ? 'hidden' : 'visible'),
    configurable: true,
  })
  document.dispatchEvent(new Event('visibilitychange'))
}

const idleSeconds = 20

t.test('runs no interval in a hidden tab, and reports the CPU that an idle one uses', async (t) => {
  const context = await signIn(browser, url, 'dana')
  const page = await context.newPage()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.addInitScript(watchIntervals)
  const terms = { startAmount: 10_000, reserveAmount: null }
  for (const title of ['Live auction one', 'Live auction two'])
    await publishPost(context, url, { title, auction: terms })
  await page.goto('/')
  await page.getByRole('feed').getByRole('article').getByText('LIVE', { exact: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
  const intervals = () => page.evaluate(() => (window as unknown as { intervals: () => number[] }).intervals())
  const rest = (seconds: number) =>
    page.evaluate((ms) => new Promise((rested) => setTimeout(rested, ms)), seconds * 1_000)
  await rest(idleSeconds / 2)
  const [before, beganAt] = [await cpuSeconds(), Date.now()]
  await rest(idleSeconds)
  const percent = ((await cpuSeconds()) - before) / ((Date.now() - beganAt) / 100_000)
  // Only report the figure, because other programs on this machine affect it.
  t.comment(`an idle tab uses ${percent.toFixed(2)} % of a core`)
  const visible = await intervals()
  t.not(visible.length, 0, 'the clocks of a visible tab run')
  await page.evaluate(setHidden, true)
  t.same(await intervals(), [], 'nothing repeats in a hidden tab')
  await page.evaluate(setHidden, false)
  t.same((await intervals()).toSorted(), visible.toSorted(), 'the clocks run again')
  await context.close()
})
