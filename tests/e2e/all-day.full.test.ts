import t, { type Test } from 'tap'
import { feedPageSize } from '#shared/limits.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { chatsOf } from '#tests/support/chat-page.ts'
import { changeOf, copiesOf, createMessages, injectEvents, newAuctions } from '#tests/support/day-of-events.ts'
import { signIn } from '#tests/support/dealer-page.ts'
import { cardOf, publishPost } from '#tests/support/feed-page.ts'
import { type Memory, readMemory } from '#tests/support/page-memory.ts'
import { startProduct } from '#tests/support/product.ts'
import { aPhoto } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

/** The events that a busy tab receives in eight hours. */
const day = { messages: 50_000, posts: 5_000, auctions: 2_000 }
const rounds = 9
/** Rounds at the start, during which caches fill up to their limits. */
const warmUp = 3
const spanRounds = 3
const growthMaxMb = 10
/**
 * Detached nodes that the page may hold. Chromium keeps the cards of one earlier page of the feed, because their lazy images never loaded.
 * A leak of each page of a day would be a hundred times as large.
 */
const heldMax = 5_000
const headSize = 20
const batchSize = 50

t.test('keeps heap and DOM flat in a tab that is open all day', async (t) => {
  const context = await signIn(browser, url, 'dana')
  const live = await injectEvents(context)
  const page = await context.newPage()
  const [chats, feed] = [await chatsOf(page), await context.request.get('/api/inventory?limit=20')]
  const model = ((await feed.json()) as Post[]).find(({ photoUrls }) => photoUrls.length > 0) as Post
  const nextMessages = createMessages(chats.slice(0, 12))
  let head: Post[] = []
  await page.route(/\/api\/inventory\?/, (route) =>
    head.length === 0 ? route.continue() : route.fulfill({ json: head, headers: { 'x-total-count': '5000' } }),
  )
  // Reads of posts that exist only in this test.
  await page.route(/\/api\/inventory\/impressions/, (route) => route.fulfill({ status: 204 }))
  const photo = await aPhoto(320, 200)
  await page.route(/\/objects\//, (route) => route.fulfill({ body: photo, contentType: 'image/jpeg' }))
  await page.clock.install()
  await page.goto('/')
  const cards = page.getByRole('feed').getByRole('article')
  await cards.first().waitFor()
  await page.getByRole('button', { name: /^Messaging/ }).click()
  await page.getByRole('list', { name: 'Conversations' }).getByRole('button').first().click()
  await until('the connection', () => live.hellos() > 0)

  const showNewest = async (title: string) => {
    const card = cardOf({ page }, title)
    const pill = page.getByRole('button', { name: /new posts?$/ })
    await pill.or(card).first().waitFor()
    // A feed whose reader is idle shows new posts by itself, perhaps before the click.
    if (!(await card.isVisible())) await pill.click().catch(() => undefined)
    await card.waitFor()
  }
  const receivePosts = async (count: number) => {
    for (let left = count; left > 0; left -= headSize) {
      head = copiesOf(model, headSize)
      const [newest] = head
      live.emit('feed.head', { newestId: newest?.id, newPosts: headSize, jitterMs: 0 })
      await showNewest(newest?.title ?? '')
      live.emitBatch(head.map((post) => ['post.changed', changeOf(post)] as const))
    }
  }
  const receiveAuctions = async (count: number) => {
    await goWithin(page, '/lane')
    await page.getByRole('region', { name: 'Run list' }).waitFor()
    for (let left = count; left > 0; left -= batchSize) {
      const rows = newAuctions(Math.min(left, batchSize))
      const serverNow = new Date().toISOString()
      live.emit('lane.rows', { rows, gone: [], more: false, serverNow })
      live.emit('lane.rows', { rows: [], gone: rows.map(({ postId }) => postId), more: false, serverNow })
    }
    await goWithin(page, '/')
    await cards.first().waitFor()
  }
  const measured: Memory[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (let left = day.messages / rounds; left > 0; left -= batchSize)
      live.emitBatch(nextMessages(batchSize).map((event) => ['chat.message', event] as const))
    await receivePosts(day.posts / rounds)
    await receiveAuctions(day.auctions / rounds)
    const before = live.hellos()
    // Unused queries are dropped after five minutes. The tab takes the jump for sleep, and reconnects.
    await page.clock.fastForward('06:00')
    await until('the tab to reconnect', () => live.hellos() > before)
    await until('the first page of the feed', async () => (await cards.count()) === feedPageSize)
    measured.push(await readMemory(page))
    t.comment(JSON.stringify(measured.at(-1)))
  }
  assertFlat(t, measured)
  await context.close()
})

/** Compares the smallest of three rounds, because a round may be measured while something is still being drawn. */
function assertFlat(t: Test, measured: readonly Memory[]): void {
  const least = (name: keyof Memory, ...span: [number, number?]) =>
    Math.min(...measured.slice(...span).map((memory) => memory[name]))
  const grown = (name: keyof Memory) => least(name, -spanRounds) - least(name, warmUp, warmUp + spanRounds)
  const dayMb = (grown('heapMb') * rounds) / (rounds - warmUp - spanRounds)
  t.ok(dayMb <= growthMaxMb, `the heap grows by ${dayMb.toFixed(1)} MB in a day`)
  t.ok(grown('elements') <= 0, `elements: ${measured.map(({ elements }) => elements).join(', ')}`)
  t.ok(grown('nodes') <= heldMax, `DOM nodes: ${measured.map(({ nodes }) => nodes).join(', ')}`)
}

/** Returns the CPU seconds that the browser has used so far for pages and drawing. */
async function cpuSeconds(): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.filter(({ type }) => type !== 'browser').reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

/** Tracks the delay, in milliseconds, of every active `setInterval` timer on the page. */
function watchIntervals(): void {
  const running = new Map<unknown, number>()
  const begin = window.setInterval.bind(window)
  const end = window.clearInterval.bind(window)
  Object.assign(window, {
    intervals: () => [...running.values()],
    setInterval: (run: () => void, ms = 0) => {
      const timer = begin(run, ms)
      running.set(timer, ms)
      return timer
    },
    clearInterval: (timer: number) => {
      running.delete(timer)
      end(timer)
    },
  })
}

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true })
  Object.defineProperty(document, 'visibilityState', {
    get: () => (hidden ? 'hidden' : 'visible'),
    configurable: true,
  })
  document.dispatchEvent(new Event('visibilitychange'))
}

const idleSeconds = 20

t.test('runs no interval in a hidden tab, and reports the CPU that an idle one uses', async (t) => {
  const context = await signIn(browser, url, 'dana')
  const page = await context.newPage()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.addInitScript(watchIntervals)
  const terms = { startAmount: 10_000, reserveAmount: null }
  for (const title of ['Live auction one', 'Live auction two'])
    await publishPost(context, url, { title, auction: terms })
  await page.goto('/')
  await page.getByRole('feed').getByRole('article').getByText('LIVE', { exact: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
  const intervals = () => page.evaluate(() => (window as unknown as { intervals: () => number[] }).intervals())
  const rest = (seconds: number) =>
    page.evaluate((ms) => new Promise((rested) => setTimeout(rested, ms)), seconds * 1_000)
  await rest(idleSeconds / 2)
  const [before, beganAt] = [await cpuSeconds(), Date.now()]
  await rest(idleSeconds)
  const percent = ((await cpuSeconds()) - before) / ((Date.now() - beganAt) / 100_000)
  // Only report the figure, because other programs on this machine affect it.
  t.comment(`an idle tab uses ${percent.toFixed(2)} % of a core`)
  const visible = await intervals()
  t.not(visible.length, 0, 'the clocks of a visible tab run')
  await page.evaluate(setHidden, true)
  t.same(await intervals(), [], 'nothing repeats in a hidden tab')
  await page.evaluate(setHidden, false)
  t.same((await intervals()).toSorted(), visible.toSorted(), 'the clocks run again')
  await context.close()
})
