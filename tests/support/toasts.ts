import type { Page } from 'playwright-core'
import { until } from './wait.ts'

declare global {
  interface Window {
    toastsSaid?: Set<string>
  }
}

const slowestMs = 30_000

/** Remembers what every toast of the page says: one that another replaces at once is not missed. Before the page opens. */
export async function rememberToasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const said = new Set<string>()
    window.toastsSaid = said
    new MutationObserver(() => {
      for (const part of document.querySelectorAll('li[data-swipe-direction] div')) said.add(part.textContent)
    }).observe(document, { childList: true, subtree: true })
  })
}

/** Resolves once a toast has said exactly this, be it gone again or not; the same text counts anew afterwards. */
export async function toastSaid(page: Page, text: string): Promise<void> {
  const taken = () => page.evaluate((wanted) => window.toastsSaid?.delete(wanted) ?? false, text)
  const said = () => page.evaluate(() => [...(window.toastsSaid ?? [])])
  try {
    await until(`the toast "${text}"`, taken, slowestMs)
  } catch (cause) {
    throw new Error(`no toast "${text}", but ${JSON.stringify(await said())}`, { cause })
  }
}
