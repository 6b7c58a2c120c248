import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { openBrowser } from './support/browser.ts'
import { openSessions, toRow } from './support/measure.ts'

export const name = 'Pages: until the largest thing on a first visit stands'

const openings = 9
const publicGoal = 'p50 <= 1200 ms'
const controlPath = '/control'
const controlPage = '<!doctype html><title>Control</title><h1>One heading and nothing else</h1>'

/** WebPageTest's 4G profile. To simulate a slow phone, this machine's CPU runs at a quarter of its speed. */
const network = { offline: false, latency: 170, downloadThroughput: 9_000_000 / 8, uploadThroughput: 9_000_000 / 8 }
const slowdown = 4

interface Visitor {
  viewport: { width: number; height: number }
  isSlow?: boolean
  cookie?: string
}

const desktop = { width: 1_440, height: 900 }
const phone = { width: 390, height: 844 }

/** The largest contentful paint (LCP). */
interface Largest {
  ms: number
  what: string
}

async function visit(browser: Browser, url: string, path: string, visitor: Visitor): Promise<Largest> {
  const context = await browser.newContext({ baseURL: url, viewport: visitor.viewport })
  try {
    if (visitor.cookie !== undefined) await signIn(context, url, visitor.cookie)
    const page = await context.newPage()
    if (visitor.isSlow) await slowDown(page)
    await page.route(`**${controlPath}`, (route) => route.fulfill({ contentType: 'text/html', body: controlPage }))
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { element?: Element })[])
          Object.assign(window, { largest: { ms: entry.startTime, what: entry.element?.localName ?? '' } })
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.waitForFunction('window.largest?.ms > 0')
    return (await page.evaluate('window.largest')) as Largest
  } finally {
    await context.close()
  }
}

async function signIn(context: BrowserContext, url: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
}

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', network)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

interface Row extends Visitor {
  figure: string
  path: string
  goal: string
}

async function measure(browser: Browser, url: string, { figure, path, goal, ...visitor }: Row): Promise<BenchRow> {
  const seen: Largest[] = []
  while (seen.length < openings) seen.push(await visit(browser, url, path, visitor))
  const note = [...new Set(seen.map(({ what }) => what))].join(', ')
  return toRow({ figure, times: seen.map(({ ms }) => ms), goal, note })
}

async function feedRows({ databaseUrl }: BenchEnv): Promise<Row[]> {
  const [session] = await openSessions(databaseUrl, 1)
  const feed = { path: '/', cookie: session?.cookie ?? '' }
  return [
    { ...feed, figure: 'the feed, signed in', viewport: desktop, goal: 'p50 <= 1500 ms' },
    { ...feed, figure: 'the feed, phone', viewport: phone, goal: 'p50 <= 1500 ms' },
    { ...feed, figure: 'the feed, phone, 4x slower, 4G', viewport: phone, isSlow: true, goal: 'p50 <= 2500 ms' },
    { path: controlPath, figure: `${controlPath}, 4x slower, 4G`, viewport: phone, isSlow: true, goal: '' },
  ]
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const [url = ''] = env.nodes
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  const all = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)
  const kindOf = (path: string) => path.replace(/(?<=.)\/.*/, '/')
  // Measure only one page of each kind.
  const listed = all.filter((path, index) => index === all.findIndex((other) => kindOf(other) === kindOf(path)))
  const rows: Row[] = [
    { figure: controlPath, path: controlPath, viewport: desktop, goal: '' },
    ...(await feedRows(env)),
    ...listed.map((path) => ({ figure: path, path, viewport: desktop, goal: publicGoal })),
  ]
  const browser = await openBrowser(env)
  try {
    const measured: BenchRow[] = []
    for (const row of rows) measured.push(await measure(browser, url, row))
    return measured
  } finally {
    await browser.close()
  }
}
