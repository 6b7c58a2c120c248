import { chromium, type Browser } from 'playwright-core'
import type { Test } from 'tap'
import { testEnvironment } from './services.ts'

/** A browser for one test, closed at its end. Contexts opened from it are separate people. */
export async function openBrowser(t: Test): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: testEnvironment('CHROMIUM_PATH'),
    env: { ...process.env, ...(JSON.parse(testEnvironment('CHROMIUM_ENV')) as Record<string, string>) },
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
  })
  t.teardown(() => browser.close())
  return browser
}
