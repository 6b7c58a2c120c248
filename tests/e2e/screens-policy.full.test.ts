import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import type { DirectoryDealer } from '#shared/schemas/dealers.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

interface Screen {
  path: string
  ready: (page: Page) => Locator
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name, exact: true })
const article = (page: Page) => page.getByRole('article').first()

const mostUsed = (postId: string, dealerId: string): Screen[] => [
  { path: '/', ready: article },
  { path: `/post/${postId}`, ready: article },
  { path: '/find', ready: article },
  { path: '/lane', ready: (page) => page.getByRole('button', { name: /^Bid \$/ }).first() },
  { path: '/messages', ready: (page) => page.getByText(/active conversations$/) },
  { path: '/deals', ready: (page) => page.getByRole('tab', { name: /^Your turn/ }) },
  { path: '/wanted', ready: heading('Wanted') },
  { path: '/dealers', ready: (page) => page.getByRole('button', { name: /^Connect(ed)? with / }).first() },
  { path: `/dealers/${dealerId}`, ready: (page) => page.getByRole('heading', { level: 1, name: 'Marcus Webb' }) },
  { path: '/settings', ready: (page) => page.getByRole('switch', { name: 'Auto-refresh' }) },
]

const others: Screen[] = [
  { path: '/dealer-profile', ready: heading('Dana Torres') },
  { path: '/profile-edit', ready: heading('Profile Edit') },
  { path: '/watchlist', ready: heading('Watchlist') },
  { path: '/wholesale-news', ready: heading('Wholesale News') },
  { path: '/subscribe', ready: heading('Choose Your Plan') },
  { path: '/plan-management', ready: heading('Plan Management') },
  { path: '/help', ready: heading('Help center') },
  { path: '/contact', ready: heading('Contact us') },
  { path: '/status', ready: heading('Status') },
]

async function openScreen(page: Page, { path, ready }: Screen): Promise<void> {
  await goWithin(page, path)
  await ready(page).waitFor()
  await until(`${path} to load`, async () => (await page.getByText(/^Loading /).count()) === 0)
}

async function idsFor({ request }: Page): Promise<[postId: string, dealerId: string]> {
  const [post] = (await (await request.get('/api/inventory?limit=1')).json()) as Post[]
  const [dealer] = (await (await request.get('/api/dealers?name=Marcus%20Webb')).json()) as DirectoryDealer[]
  return [post?.id ?? '', dealer?.id ?? '']
}

t.test(
  'loads the scripts of every dealer screen under the content security policy, without any console message',
  async (t) => {
    const { page, leave, errors } = await openDealer(browser, url, 'dana', { underPolicy: true })
    const policy = (await page.goto('/'))?.headers()['content-security-policy']
    t.match(policy, "script-src 'self'")
    t.notMatch(policy, 'unsafe-eval')
    for (const screen of [...mostUsed(...(await idsFor(page))), ...others]) {
      await openScreen(page, screen)
      t.same(errors.splice(0), [], screen.path)
    }
    await leave()
  },
)
