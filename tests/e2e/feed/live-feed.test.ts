import type { Post } from '#shared/schemas/posts.ts'
import t from 'tap'
import { openBrowser } from '#tests/support/browser.ts'
import { type DealerPage, liveSwitch, openDealer, signIn } from '#tests/support/dealer-page.ts'
import { aPost } from '#tests/support/factories.ts'
import { startProduct } from '#tests/support/product.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { testEnvironment } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

// One product and one browser for the file; each test opens dealers of its own.
const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

/** The documented poll, and a little. */
const overPollMs = 31_000

async function publish({ context }: Pick<DealerPage, 'context'>, title: string): Promise<Post> {
  const answer = await context.request.post('/api/inventory', { data: aPost({ title }), headers: { origin: url } })
  if (!answer.ok()) throw new Error(`the post was refused: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as Post
}

const cardOf = ({ page }: DealerPage, title: string) =>
  page.getByRole('feed').getByRole('article').filter({ hasText: title })

/** Longer than a page waits for the first word of a connection. */
const withoutGreetingMs = 6_000

const banner = ({ page }: DealerPage) => page.getByText('Reconnecting… showing updates every 30 seconds')

/** Under hands the feed keeps what is new behind the pill; a page that nobody touches for a while shows it by itself. */
async function showNews(dealer: DealerPage, title: string) {
  const pill = dealer.page.getByRole('button', { name: /new posts?$/ })
  const card = cardOf(dealer, title)
  await pill.or(card).first().waitFor()
  // It may do so while the hand is on its way to the pill.
  await Promise.race([pill.click(), card.waitFor()])
}

t.test('a post and a comment of one dealer appear before the other', async (t) => {
  const [dana, marcus] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'marcus')]
  await dana.page.goto('/')
  await dana.page.getByText('Live updates').waitFor()
  await dana.page.getByRole('article').first().waitFor()
  await dana.page.keyboard.press('Shift')

  await publish(marcus, 'Tahoe just in from the lease')
  await showNews(dana, 'Tahoe just in from the lease')
  const card = cardOf(dana, 'Tahoe just in from the lease')
  await card.waitFor()
  await card.getByRole('button', { name: /Comments/ }).click()
  await card.getByText('No comments yet. Be the first to comment!').waitFor()

  await marcus.page.goto('/')
  const own = cardOf(marcus, 'Tahoe just in from the lease')
  await own.getByRole('button', { name: /Comments/ }).click()
  await own.getByLabel('Add a comment').fill('Second key on the way')
  await own.getByRole('button', { name: 'POST', exact: true }).click()
  await marcus.page.getByText('Comment added successfully', { exact: true }).first().waitFor()
  await card.getByText('Second key on the way').waitFor()
  await card.getByRole('button', { name: /Comments \(1\)/ }).waitFor()

  const box = own.getByLabel('Add a comment')
  await box.fill('Still on the l')
  await marcus.page.reload()
  await own.getByRole('button', { name: /Comments/ }).click()
  t.equal(await box.inputValue(), 'Still on the l', 'a draft outlives the page, but not signing out')
  await marcus.page.getByRole('button', { name: /^Account/ }).click()
  await marcus.page.getByRole('menuitem', { name: 'Log Out' }).click()
  await marcus.page.waitForURL(`${url}/login`)
  await marcus.page.getByLabel('Email').waitFor()
  const kept = await marcus.page.evaluate(() => Object.values({ ...localStorage }))
  t.notMatch(kept.join(), 'Still on the l', 'the draft is gone')
  t.same([...dana.errors, ...marcus.errors], [], 'no console error')
  await Promise.all([dana.leave(), marcus.leave()])
})

t.test('what happens between the first answers of a page and its connection is not missed', async (t) => {
  const [dana, marcus] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'marcus')]
  const comment = async ({ id }: Post) => {
    const answer = await marcus.context.request.post(`/api/inventory/${id}/comments`, {
      data: { content: 'Both keys?' },
      headers: { origin: url },
    })
    t.equal(answer.status(), 201)
  }
  const [theirs, own] = [await publish(marcus, 'Sienna while the line is made'), await publish(dana, 'Odyssey of mine')]
  const gone = await publish(marcus, 'Sedona sold meanwhile')
  const live = await liveSwitch(dana)
  // Sooner than the poll would tell.
  const timeout = 20_000
  const card = cardOf(dana, 'Sienna while the line is made')
  const bell = dana.page.getByRole('link', { name: /^Notifications/ })
  // A page that nobody touches for a while shows what is new by itself.
  const news = (dealer: DealerPage) =>
    dealer.page.getByRole('button', { name: '1 new post' }).or(cardOf(dealer, 'Quest while the line is made')).first()
  await marcus.page.goto('/')
  await marcus.page.getByText('Live updates').waitFor()
  await cardOf(marcus, 'Sienna while the line is made').waitFor()

  const connect = live.hold()
  await dana.page.goto('/')
  await card.waitFor()
  await dana.page.waitForLoadState('networkidle')
  await cardOf(dana, 'Sedona sold meanwhile').waitFor()
  await comment(theirs)
  await marcus.context.request.delete(`/api/inventory/${gone.id}`, { headers: { origin: url } })
  await publish(marcus, 'Quest while the line is made')
  await news(marcus).waitFor()
  connect()
  await cardOf(dana, 'Sedona sold meanwhile').waitFor({ state: 'detached', timeout })
  await news(dana).waitFor({ timeout })
  await card
    .getByRole('button', { name: /Comments/ })
    .getByText('(1)')
    .waitFor({ timeout })

  const reconnect = live.hold()
  await dana.page.reload()
  await bell.waitFor()
  await dana.page.waitForLoadState('networkidle')
  const before = await bell.getAttribute('aria-label')
  await comment(own)
  reconnect()
  await dana.page.waitForFunction(
    (then) => document.querySelector('a[aria-label^="Notifications"]')?.getAttribute('aria-label') !== then,
    before,
    { timeout },
  )
  t.same([...dana.errors, ...marcus.errors], [], 'no console error')
  await Promise.all([dana.leave(), marcus.leave()])
})

t.test('with the live connection cut, the poll brings the post within 30 seconds, and the page says so', async (t) => {
  const dana = await openDealer(browser, url, 'dana')
  const marcus = { context: await signIn(browser, url, 'marcus') }
  const live = await liveSwitch(dana)
  await dana.page.clock.install()
  await dana.page.goto('/')
  await dana.page.getByText('Live updates').waitFor()
  await dana.page.getByRole('article').first().waitFor()

  await live.cut()
  await banner(dana).waitFor()
  await dana.page.getByText('Updates every 30 s', { exact: true }).waitFor()
  await dana.page.keyboard.press('Shift')
  await publish(marcus, 'Silverado without a wire')
  await dana.page.clock.fastForward(overPollMs)
  await cardOf(dana, 'Silverado without a wire').waitFor()
  t.ok(await banner(dana).isVisible(), 'still cut')

  live.restore()
  await dana.page.clock.fastForward(overPollMs)
  await dana.page.getByText('Live updates').waitFor()
  t.equal(await banner(dana).count(), 0)
  await Promise.all([dana.context.close(), marcus.context.close()])
})

t.test('a line that breaks before its first word is soon made again, and nothing is called live before', async (t) => {
  const dana = await openDealer(browser, url, 'dana')
  const live = await liveSwitch(dana)
  await live.cut()
  await dana.page.clock.install()
  await dana.page.goto('/')
  await dana.page.getByText('Connecting…').waitFor()
  await dana.page.getByRole('article').first().waitFor()
  t.equal(await dana.page.getByText('Live updates').count(), 0)
  live.restore()
  await dana.page.clock.fastForward(withoutGreetingMs)
  // Sooner than the library by itself.
  await dana.page.getByText('Live updates').waitFor({ timeout: 8_000 })
  await dana.context.close()
})

t.test('while the server hears nothing of others the page says so and polls, though its own line stands', async (t) => {
  const redis = await proxyTo(t, testEnvironment('TEST_REDIS_URL'))
  const alone = await startProduct(t, { RATE_LIMITS: 'off', REDIS_URL: redis.url })
  const dana = await openDealer(browser, alone, 'dana')
  let polls = 0
  dana.page.on('request', (request) => {
    if (request.url().includes('/api/inventory?')) polls += 1
  })
  await dana.page.goto('/')
  await dana.page.getByText('Live updates').waitFor()
  t.equal(await banner(dana).count(), 0)
  await dana.page.waitForLoadState('networkidle')
  const before = polls
  redis.cut()
  await banner(dana).waitFor()
  await dana.page.getByText('Updates every 30 s', { exact: true }).waitFor()
  await until('the poll', () => polls > before)
  redis.heal()
  await dana.page.getByText('Live updates').waitFor()
  t.equal(await banner(dana).count(), 0)
  await dana.context.close()
})

t.test('hands off at the top, a new post shows itself', async (t) => {
  const dana = await openDealer(browser, url, 'dana')
  const marcus = { context: await signIn(browser, url, 'marcus') }
  await dana.page.clock.install()
  await dana.page.goto('/')
  await dana.page.getByText('Live updates').waitFor()
  await dana.page.getByRole('article').first().waitFor()
  await dana.page.clock.fastForward(4_000)
  await publish(marcus, 'Camry nobody clicked for')
  await cardOf(dana, 'Camry nobody clicked for').waitFor()
  t.equal(await dana.page.getByRole('button', { name: /new posts?$/ }).count(), 0)
  await Promise.all([dana.context.close(), marcus.context.close()])
})

t.test('a status that the seller changes shows at once before every reader', async (t) => {
  const [dana, marcus] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'marcus')]
  const { id } = await publish(marcus, 'Transit with shelves')
  await dana.page.goto(`/post/${id}`)
  await dana.page.getByRole('heading', { name: 'Transit with shelves', level: 1 }).waitFor()
  t.ok(await dana.page.getByText('Active', { exact: true }).first().isVisible())
  await marcus.page.goto(`/post/${id}`)
  await marcus.page.getByRole('button', { name: 'Manage post' }).click()
  await marcus.page.getByRole('menuitem', { name: 'Mark as sold' }).click()
  await dana.page.getByRole('article').getByText('Sold', { exact: true }).waitFor()
  await Promise.all([dana.leave(), marcus.leave()])
})

t.test(
  'in a browser that anchors nothing, what comes above the reader of a phone moves nothing all the same',
  async (t) => {
    const dana = await openDealer(browser, url, 'dana', { width: 390 })
    const marcus = { context: await signIn(browser, url, 'marcus') }
    const { page } = dana
    await page.addInitScript(() => {
      const supports = CSS.supports.bind(CSS) as (...words: string[]) => boolean
      CSS.supports = (...words: string[]) => words[0] !== 'overflow-anchor' && supports(...words)
      const sheet = Object.assign(document.createElement('style'), { textContent: 'html { overflow-anchor: none }' })
      addEventListener('DOMContentLoaded', () => document.head.append(sheet))
    })
    const { id } = await publish(marcus, 'Tundra above the reader')
    await page.goto('/')
    await cardOf(dana, 'Tundra above the reader').waitFor()
    await until('so many posts', async () => (await page.getByRole('article').count()) > 5)
    const read = page.getByRole('article').nth(4)
    const place = () => read.evaluate((item) => Math.round(item.getBoundingClientRect().top))
    await read.evaluate((item) => window.scrollBy(0, item.getBoundingClientRect().top - 200))
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    const [before, scrolled] = [await place(), await page.evaluate(() => scrollY)]
    await publish(marcus, 'Sienna behind the pill')
    const pill = page.getByRole('button', { name: '1 new post' })
    await pill.waitFor()
    t.equal(await place(), before, 'a new post')
    const box = await pill.boundingBox()
    t.ok(box && box.y >= 56 && box.y < 160, 'the pill is in sight, below the bar')
    const data = { description: 'One owner. '.repeat(40) }
    const edited = await marcus.context.request.patch(`/api/inventory/${id}`, { data, headers: { origin: url } })
    t.equal(edited.status(), 200)
    await cardOf(dana, 'One owner.').waitFor()
    await until('the room that it takes', () => page.evaluate((y) => scrollY > y, scrolled))
    t.equal(await place(), before, 'an edited post')
    await Promise.all([dana.context.close(), marcus.context.close()])
  },
)

t.test('earlier comments open above what is being read, which stays in its place, as does the focus', async (t) => {
  const dana = await openDealer(browser, url, 'dana', { width: 390 })
  const marcus = { context: await signIn(browser, url, 'marcus') }
  const { id } = await publish(marcus, 'Tacoma much spoken of')
  const comment = async (content: string) => {
    const answer = await marcus.context.request.post(`/api/inventory/${id}/comments`, {
      data: { content },
      headers: { origin: url },
    })
    t.equal(answer.status(), 201)
  }
  for (let number = 1; number <= 110; number += 1) await comment(`Comment ${number}`)
  const { page } = dana
  await page.goto(`/post/${id}`)
  const text = (number: number) => page.getByText(`Comment ${number}`, { exact: true })
  const top = async (number: number) => Math.round((await text(number).boundingBox())?.y ?? Number.NaN)
  await text(61).waitFor()
  t.equal(await text(60).count(), 0)
  await page.getByRole('button', { name: 'Comments (110)' }).waitFor()

  const button = page.getByRole('button', { name: 'Show earlier comments' })
  await button.focus()
  const before = await top(61)
  await page.keyboard.press('Enter')
  await text(11).waitFor()
  t.equal(await top(61), before)
  t.ok(await button.evaluate((element) => element === document.activeElement))
  await comment('Comment 111')
  await text(111).waitFor()
  await page.keyboard.press('Enter')
  await text(1).waitFor()
  t.equal(await top(61), before)
  await page.getByText('No earlier comments', { exact: true }).waitFor()
  t.match(await page.evaluate(() => document.activeElement?.textContent), /Comment 11$/)

  const shown = await page.getByText(/^Comment \d+$/).allTextContents()
  t.same(
    shown,
    Array.from({ length: 111 }, (_, index) => `Comment ${index + 1}`),
  )
  await page.getByRole('button', { name: 'Comments (111)' }).waitFor()
  t.same(dana.errors, [], 'no console error')
  await Promise.all([dana.leave(), marcus.context.close()])
})

t.test('after a deploy the page offers the new version and leaves the moment to the dealer', async (t) => {
  const dana = await openDealer(browser, url, 'dana')
  const live = await liveSwitch(dana)
  const hello = live.hello()
  await dana.page.goto('/')
  await hello
  const offer = dana.page.getByText('A new version of Lanewire is ready.')
  t.equal(await offer.count(), 0)
  live.deploy('next')
  await live.cut()
  await banner(dana).waitFor()
  live.restore()
  await offer.waitFor()
  await Promise.all([
    dana.page.waitForEvent('load'),
    dana.page.getByRole('button', { name: 'Reload', exact: true }).click(),
  ])
  await dana.page.getByText('Live updates').waitFor()
  t.equal(await offer.count(), 0, 'the reloaded page is the new version')
  await dana.context.close()
})
