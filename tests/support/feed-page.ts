import type { BrowserContext, Page } from 'playwright-core'
import type { NewPost, Post } from '#shared/schemas/posts.ts'
import { goWithin } from './browser.ts'
import type { DealerPage } from './dealer-page.ts'
import { aPost } from './factories.ts'

/** Milliseconds, longer than the feed's poll interval of 30 s. */
export const overPollMs = 31_000

export async function publishPost(context: BrowserContext, url: string, about: Partial<NewPost>): Promise<Post> {
  const answer = await context.request.post('/api/inventory', { data: aPost(about), headers: { origin: url } })
  if (!answer.ok()) throw new Error(`the post was refused: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as Post
}

export const cardOf = ({ page }: Pick<DealerPage, 'page'>, title: string) =>
  page.getByRole('feed').getByRole('article').filter({ hasText: title })

export const banner = ({ page }: Pick<DealerPage, 'page'>) =>
  page.getByText('Reconnecting… showing updates every 30 seconds')

/** Shows new posts. While the dealer uses the page, they wait behind a button. An idle page may show them before the click. */
export async function showNews(dealer: Pick<DealerPage, 'page'>, title: string) {
  const pill = dealer.page.getByRole('button', { name: /new posts?$/ })
  const card = cardOf(dealer, title)
  await pill.or(card).first().waitFor()
  await Promise.race([pill.click(), card.waitFor()])
}

/** Disables timers of 30 s or longer from the next page load, so that updates can come only over the live connection. */
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

/** Navigates away from the feed and back, so that the feed is at the top and no dialog is open. */
export async function comeHome(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await goWithin(page, '/help')
  await page.getByRole('heading', { level: 1, name: 'Help center' }).waitFor()
  await goWithin(page, '/')
  await page.getByRole('feed').getByRole('article').first().waitFor()
}
