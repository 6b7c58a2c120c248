import { chromium, type Browser, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { afterLastFile } from './last-file.ts'
import { testEnvironment } from './services.ts'

let started: Promise<Browser> | undefined

async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: testEnvironment('CHROMIUM_PATH'),
    env: { ...process.env, ...(JSON.parse(testEnvironment('CHROMIUM_ENV')) as Record<string, string>) },
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
  })
  // A file that compiles as it goes names functions by a helper, also those that it hands to a page.
  if (process.env['TEST_BUILD'] === undefined)
    browser.on('context', (context) => void context.addInitScript('globalThis.__name = (named) => named'))
  afterLastFile(() => browser.close())
  return browser
}

/** The browser of this process. Contexts opened from it are separate people, and leave it at the end of this test at the latest. */
export async function openBrowser(t: Test): Promise<Browser> {
  started ??= startBrowser()
  let browser = await started
  // It died with a file before this one.
  if (!browser.isConnected()) browser = await (started = startBrowser())
  t.teardown(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

/** Goes to another page of the app as its links do: loading the app anew costs five times as much. The new page comes a little later. */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), path)

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
