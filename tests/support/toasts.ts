import type { Page } from 'playwright-core'
import { until } from './wait.ts'

declare global {
  interface Window {
    shownToasts?: Set<string>
  }
}

const remembering = new WeakSet<Page>()

/** Records the text of every toast, so that a quickly replaced toast is not missed. Call it before the page opens. */
export async function rememberToasts(page: Page): Promise<void> {
  if (remembering.has(page)) return
  remembering.add(page)
  await page.addInitScript(() => {
    const shown = new Set<string>()
    window.shownToasts = shown
    const seen = new WeakSet<Element>()
    new MutationObserver(() => {
      for (const part of document.querySelectorAll('li[data-swipe-direction] div')) {
        if (!seen.has(part)) shown.add(part.textContent)
        seen.add(part)
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

export const forgetToasts = (page: Page): Promise<void> => page.evaluate(() => window.shownToasts?.clear())

/** True if the toast has appeared since the last call. False while the page navigates. */
const taken = (page: Page, text: string) =>
  page.evaluate((wanted) => window.shownToasts?.delete(wanted) ?? false, text).catch(() => false)

async function untilSaid(page: Page, text: string, isShown: () => Promise<boolean>): Promise<void> {
  try {
    await until(`"${text}"`, isShown)
  } catch (cause) {
    const shown = await page.evaluate(() => [...(window.shownToasts ?? [])])
    throw new Error(`"${text}" was not shown, but ${JSON.stringify(shown)}`, { cause })
  }
}

/** Waits for a toast with exactly this text. A toast that has already disappeared counts too, but each toast counts once. */
export const toastSaid = (page: Page, text: string): Promise<void> => untilSaid(page, text, () => taken(page, text))

export const pageShowed = (page: Page, text: string): Promise<void> =>
  untilSaid(
    page,
    text,
    async () => (await taken(page, text)) || page.getByText(text, { exact: true }).first().isVisible(),
  )
