import type { Page } from 'playwright-core'
import { until } from './wait.ts'

declare global {
  interface Window {
    toastsSaid?: Set<string>
  }
}

const remembering = new WeakSet<Page>()

/**
 * Remembers what every toast of the page says: one that another replaces at once is not missed. Before the page opens; it goes on in whatever is
 * opened in it later.
 */
export async function rememberToasts(page: Page): Promise<void> {
  if (remembering.has(page)) return
  remembering.add(page)
  await page.addInitScript(() => {
    const said = new Set<string>()
    window.toastsSaid = said
    const heard = new WeakSet<Element>()
    new MutationObserver(() => {
      for (const part of document.querySelectorAll('li[data-swipe-direction] div')) {
        if (!heard.has(part)) said.add(part.textContent)
        heard.add(part)
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

/** What was said until now counts no more: the next test begins. */
export const forgetToasts = (page: Page): Promise<void> => page.evaluate(() => window.toastsSaid?.clear())

/** While the page goes elsewhere it cannot be asked. */
const taken = (page: Page, text: string) =>
  page.evaluate((wanted) => window.toastsSaid?.delete(wanted) ?? false, text).catch(() => false)

async function untilSaid(page: Page, text: string, isSaid: () => Promise<boolean>): Promise<void> {
  try {
    await until(`"${text}"`, isSaid)
  } catch (cause) {
    const said = await page.evaluate(() => [...(window.toastsSaid ?? [])])
    throw new Error(`"${text}" was not said, but ${JSON.stringify(said)}`, { cause })
  }
}

/** Resolves once a toast has said exactly this, be it gone again or not; the same text counts anew afterwards. */
export const toastSaid = (page: Page, text: string): Promise<void> => untilSaid(page, text, () => taken(page, text))

/** The same, or once it stands on the page. */
export const pageSaid = (page: Page, text: string): Promise<void> =>
  untilSaid(
    page,
    text,
    async () => (await taken(page, text)) || page.getByText(text, { exact: true }).first().isVisible(),
  )
