import type { BrowserContext, Page } from 'playwright-core'
import type { NewPost, Post } from '#shared/schemas/posts.ts'
import { goWithin } from './browser.ts'
import type { DealerPage } from './dealer-page.ts'
import { aPost } from './factories.ts'

/** Milliseconds: the feed's poll of 30 seconds, and one more second. */
export const overPollMs = 31_000

/** Publishes a post by its call. */
export async function publishPost(context: BrowserContext, url: string, about: Partial<NewPost>): Promise<Post> {
  const answer = await context.request.post('/api/inventory', { data: aPost(about), headers: { origin: url } })
  if (!answer.ok()) throw new Error(`the post was refused: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as Post
}

export const cardOf = ({ page }: Pick<DealerPage, 'page'>, title: string) =>
  page.getByRole('feed').getByRole('article').filter({ hasText: title })

export const banner = ({ page }: Pick<DealerPage, 'page'>) =>
  page.getByText('Reconnecting… showing updates every 30 seconds')

/**
 * Waits for a new post and shows it. While the dealer uses the page, the feed keeps new posts behind the pill. After some idle seconds it
 * shows them by itself, which may happen while the pointer is on its way to the pill.
 */
export async function showNews(dealer: Pick<DealerPage, 'page'>, title: string) {
  const pill = dealer.page.getByRole('button', { name: /new posts?$/ })
  const card = cardOf(dealer, title)
  await pill.or(card).first().waitFor()
  await Promise.race([pill.click(), card.waitFor()])
}

/** From the next page on, polls of 30 seconds and longer never run: only the live connection brings news. */
export const stopPolls = ({ page }: Pick<DealerPage, 'page'>) =>
  page.addInitScript(() => {
    const pollMs = 30_000
    const [repeat, later] = [window.setInterval.bind(window), window.setTimeout.bind(window)]
    const never = (ms: unknown) => typeof ms === 'number' && ms >= pollMs
    Object.assign(window, {
      setInterval: (act: () => void, ms?: number, ...rest: unknown[]) => (never(ms) ? 0 : repeat(act, ms, ...rest)),
      setTimeout: (act: () => void, ms?: number, ...rest: unknown[]) => (never(ms) ? 0 : later(act, ms, ...rest)),
    })
  })

/** Leaves the feed and comes back to it: it stands at its top with nothing open. */
export async function comeHome(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await goWithin(page, '/help')
  await page.getByRole('heading', { level: 1, name: 'Help center' }).waitFor()
  await goWithin(page, '/')
  await page.getByRole('feed').getByRole('article').first().waitFor()
}
