import { type APIRequestContext, chromium, type Browser, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { afterLastFile } from './last-file.ts'
import { patienceMs } from './patience.ts'
import { testEnvironment } from './services.ts'

let started: Promise<Browser> | undefined

/**
 * Repeats a request once or twice if its connection was reset. The server closes a connection that was idle for 72 seconds, and on a busy
 * machine the next request can be on its way before the client notices (RFC 9112, 9.3.1).
 */
function retryAfterReset(request: APIRequestContext): void {
  const fetch = request.fetch.bind(request)
  // get(), post() and the other methods call fetch().
  request.fetch = (url, options) => fetch(url, { maxRetries: 2, ...options })
}

async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: testEnvironment('CHROMIUM_PATH'),
    env: { ...process.env, ...(JSON.parse(testEnvironment('CHROMIUM_ENV')) as Record<string, string>) },
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
  })
  browser.on('context', (context) => {
    context.setDefaultTimeout(patienceMs)
    retryAfterReset(context.request)
    // esbuild inserts calls to `__name` into test files that run uncompiled, including functions that run in the page. Define it there.
    if (process.env['TEST_BUILD'] === undefined) void context.addInitScript('globalThis.__name = (named) => named')
  })
  afterLastFile(() => browser.close())
  return browser
}

const shownMax = 600

/** Returns the page's URL and text, for error reports. */
export async function shownBy(page: Page): Promise<string> {
  const text = page.evaluate(() => document.body.innerText)
  const patience = new Promise<string>((resolve) => setTimeout(resolve, 2_000, '(no answer)').unref())
  const shown = await Promise.race([text, patience]).catch(String)
  return `${page.url()} shows: ${shown.replaceAll(/\s+/g, ' ').slice(0, shownMax)}`
}

/** Returns the browser that this process shares. If a subtest fails, prints the text of the open pages. */
export async function openBrowser(t: Test): Promise<Browser> {
  started ??= startBrowser()
  let browser = await started
  // The browser may have crashed in an earlier test file.
  if (!browser.isConnected()) browser = await (started = startBrowser())
  t.afterEach(async (part) => {
    if (part.passing()) return
    const pages = browser.contexts().flatMap((context) => context.pages())
    t.comment([`Where "${part.name}" failed`, ...(await Promise.all(pages.map(shownBy)))].join('\n'))
  })
  t.teardown(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

/** Navigates within the app, which is five times faster than a reload. Resolves before the new page renders. */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), path)

/** Deletes the session cookie. Opens a plain file first, because the app would react to the missing cookie. */
export async function loseSession(page: Page): Promise<void> {
  await page.goto('/robots.txt')
  await page.context().clearCookies()
}

/** Disables the cache and accepts only gzip, as an old proxy would. Applies from the next page load. */
export async function takeGzipOnly(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  // Playwright's types lack this newer command.
  const send = session.send.bind(session) as (command: string, about: object) => Promise<unknown>
  await send('Network.setAcceptedEncodings', { encodings: ['gzip'] })
}

export async function weighScripts(page: Page): Promise<{ kib: number; files: Record<string, number> }> {
  const files = await page.evaluate(() => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scripts = all.filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    return Object.fromEntries(scripts.map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize]))
  })
  return { kib: Object.values(files).reduce((sum, bytes) => sum + bytes, 0) / 1_024, files }
}
