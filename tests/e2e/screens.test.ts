import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import type { DirectoryDealer } from '#shared/schemas/dealers.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { axeViolations } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer, openVisitor } from '#tests/support/dealer-page.ts'
import { openPostDialog } from '#tests/support/post-dialog.ts'
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

async function openScreen(page: Page, { path, ready }: Screen): Promise<void> {
  await goWithin(page, path)
  await ready(page).waitFor()
  await until(`${path} to load`, async () => (await page.getByText(/^Loading /).count()) === 0)
}

const isClean = async (page: Page) => [
  ...(await axeViolations(page)),
  ...((await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)) ? ['sticks out'] : []),
]

async function idsFor({ request }: Page): Promise<[postId: string, dealerId: string]> {
  const [post] = (await (await request.get('/api/inventory?limit=1')).json()) as Post[]
  const [dealer] = (await (await request.get('/api/dealers?name=Marcus%20Webb')).json()) as DirectoryDealer[]
  return [post?.id ?? '', dealer?.id ?? '']
}

t.test('has no axe violations on the twelve screens that dealers use most, and nothing overflows', async (t) => {
  const visitor = await openVisitor(browser, url)
  await visitor.page.goto('/login')
  await visitor.page.getByLabel('Email').waitFor()
  t.same(await isClean(visitor.page), [], '/login')
  await visitor.leave()
  const { page, leave } = await openDealer(browser, url, 'dana')
  await page.goto('/watchlist')
  await heading('Watchlist')(page).waitFor()
  for (const screen of mostUsed(...(await idsFor(page)))) {
    await openScreen(page, screen)
    t.same(await isClean(page), [], screen.path)
  }
  await openPostDialog(page)
  t.same(await isClean(page), [], 'post dialog')
  await leave()
})
