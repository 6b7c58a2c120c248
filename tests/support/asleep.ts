import type { Page } from 'playwright-core'

/**
 * Puts a tab to sleep, as a closed lid does: nothing of it runs, and whatever comes meanwhile waits. Answers how to wake it.
 */
export async function putToSleep(page: Page): Promise<() => Promise<void>> {
  const life = await page.context().newCDPSession(page)
  await life.send('Debugger.enable')
  const asleep = new Promise<void>((resolve) => void life.once('Debugger.paused', () => resolve()))
  await life.send('Debugger.pause')
  // It stops at the next line that runs, and a page that waits runs none.
  const woken = page.evaluate(() => undefined).catch(() => undefined)
  await asleep
  return async () => {
    await life.send('Debugger.resume')
    await woken
    await life.detach()
  }
}
