import type { Page } from 'playwright-core'

/** Suspends a tab, as closing a laptop lid does. Returns a function that wakes it. */
export async function putToSleep(page: Page): Promise<() => Promise<void>> {
  const life = await page.context().newCDPSession(page)
  await life.send('Debugger.enable')
  const asleep = new Promise<void>((resolve) => void life.once('Debugger.paused', () => resolve()))
  await life.send('Debugger.pause')
  // The debugger pauses at the next statement, so run one.
  const woken = page.evaluate(() => undefined).catch(() => undefined)
  await asleep
  return async () => {
    await life.send('Debugger.resume')
    await woken
    await life.detach()
  }
}
