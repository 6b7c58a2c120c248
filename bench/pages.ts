import type { Browser } from 'playwright-core'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { openBrowser } from './support/browser.ts'
import { toRow } from './support/measure.ts'

export const name = 'Public pages: until the largest thing on a first visit stands'

const openings = 9
const goal = 'p50 <= 1200 ms'
const controlPath = '/control'
const controlPage = '<!doctype html><title>Control</title><h1>One heading and nothing else</h1>'

/** Milliseconds until the largest thing stood, as a visitor sees it who has never been here. */
async function visit(browser: Browser, url: string, path: string): Promise<number> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.route(`**${controlPath}`, (route) => route.fulfill({ contentType: 'text/html', body: controlPage }))
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntries()) Object.assign(window, { largestMs: startTime })
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.waitForFunction('window.largestMs > 0')
    return Number(await page.evaluate('window.largestMs'))
  } finally {
    await context.close()
  }
}

/** What search engines are shown, beside a page of one heading that costs no server anything. */
export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const [url = ''] = env.nodes
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  const all = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)
  const kindOf = (path: string) => path.replace(/(?<=.)\/.*/, '/')
  // One article of a kind stands for its others.
  const listed = all.filter((path, index) => index === all.findIndex((other) => kindOf(other) === kindOf(path)))
  const browser = await openBrowser(env)
  try {
    const rows: BenchRow[] = []
    for (const path of [controlPath, ...listed]) {
      const times: number[] = []
      while (times.length < openings) times.push(await visit(browser, url, path))
      rows.push(toRow({ figure: path, times, goal: path === controlPath ? '' : goal }))
    }
    return rows
  } finally {
    await browser.close()
  }
}
