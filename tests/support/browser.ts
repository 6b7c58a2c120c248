import { chromium, type Browser, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { afterLastFile } from './last-file.ts'
import { patienceMs } from './patience.ts'
import { testEnvironment } from './services.ts'

let started: Promise<Browser> | undefined

async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: testEnvironment('CHROMIUM_PATH'),
    env: { ...process.env, ...(JSON.parse(testEnvironment('CHROMIUM_ENV')) as Record<string, string>) },
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
  })
  browser.on('context', (context) => {
    context.setDefaultTimeout(patienceMs)
    // A file that compiles as it goes names functions by a helper, also those that it hands to a page.
    if (process.env['TEST_BUILD'] === undefined) void context.addInitScript('globalThis.__name = (named) => named')
  })
  afterLastFile(() => browser.close())
  return browser
}

const shownMax = 600

/** What a page shows, for whoever reads why a test failed; one that does not answer is not waited for. */
export async function shownBy(page: Page): Promise<string> {
  const text = page.evaluate(() => document.body.innerText)
  const patience = new Promise<string>((resolve) => setTimeout(resolve, 2_000, '(no answer)').unref())
  const shown = await Promise.race([text, patience]).catch(String)
  return `${page.url()} shows: ${shown.replaceAll(/\s+/g, ' ').slice(0, shownMax)}`
}

/**
 * The browser of this process. Contexts opened from it are separate people, and leave it at the end of this test at the latest. Of a part of this
 * test that fails the output says what was on its screens.
 */
export async function openBrowser(t: Test): Promise<Browser> {
  started ??= startBrowser()
  let browser = await started
  // It died with a file before this one.
  if (!browser.isConnected()) browser = await (started = startBrowser())
  t.afterEach(async (part) => {
    if (part.passing()) return
    const pages = browser.contexts().flatMap((context) => context.pages())
    t.comment([`Where "${part.name}" failed`, ...(await Promise.all(pages.map(shownBy)))].join('\n'))
  })
  t.teardown(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

/** Goes to another page of the app as its links do: loading the app anew costs five times as much. The new page comes a little later. */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), path)

/**
 * The session goes from a browser without a word to the app, which is left first: it would find out by itself, and go elsewhere at a time of its
 * own. A file of the same address takes its place: in an empty page, too, the browser would begin a process anew.
 */
export async function loseSession(page: Page): Promise<void> {
  await page.goto('/robots.txt')
  await page.context().clearCookies()
}

/** From the next page on: nothing is cached, and what is sent is compressed by gzip at most, as through a proxy that knows no better. */
export async function takeGzipOnly(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  // Newer than the list of commands that the driver's types have.
  const send = session.send.bind(session) as (command: string, about: object) => Promise<unknown>
  await send('Network.setAcceptedEncodings', { encodings: ['gzip'] })
}

/** The scripts that this page has loaded, in KiB as they were sent. */
export async function weighScripts(page: Page): Promise<{ kib: number; files: Record<string, number> }> {
  const files = await page.evaluate(() => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scripts = all.filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    return Object.fromEntries(scripts.map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize]))
  })
  return { kib: Object.values(files).reduce((sum, bytes) => sum + bytes, 0) / 1_024, files }
}
