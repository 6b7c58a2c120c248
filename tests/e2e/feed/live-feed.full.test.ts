import t from 'tap'
import { openBrowser } from '#tests/support/browser.ts'
import { liveSwitch, openDealer, signIn } from '#tests/support/dealer-page.ts'
import { banner, cardOf, publishPost } from '#tests/support/feed-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { testEnvironment } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

/** Milliseconds, more than a page waits for `hello` before it reconnects. */
const withoutGreetingMs = 6_000

t.test('reconnects if the connection breaks before the first message, and says Live only then', async (t) => {
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
  await dana.page.getByText('Live updates').waitFor()
  await dana.context.close()
})

t.test('says so and polls while the server cannot reach Redis, even if its own connection works', async (t) => {
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
  await until('a poll', () => polls > before)
  redis.heal()
  await dana.page.getByText('Live updates').waitFor()
  t.equal(await banner(dana).count(), 0)
  await dana.context.close()
})

t.test('shows a new post by itself to a dealer idle at the top of the feed', async (t) => {
  const dana = await openDealer(browser, url, 'dana')
  const marcus = { context: await signIn(browser, url, 'marcus') }
  await dana.page.clock.install()
  await dana.page.goto('/')
  await dana.page.getByText('Live updates').waitFor()
  await dana.page.getByRole('article').first().waitFor()
  await dana.page.clock.fastForward(4_000)
  await publishPost(marcus.context, url, { title: 'Camry nobody clicked for' })
  await cardOf(dana, 'Camry nobody clicked for').waitFor()
  t.equal(await dana.page.getByRole('button', { name: /new posts?$/ }).count(), 0)
  await Promise.all([dana.context.close(), marcus.context.close()])
})

t.test('shows every reader at once when the seller changes the status', async (t) => {
  const [dana, marcus] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'marcus')]
  const { id } = await publishPost(marcus.context, url, { title: 'Transit with shelves' })
  await dana.page.goto(`/post/${id}`)
  await dana.page.getByRole('heading', { name: 'Transit with shelves', level: 1 }).waitFor()
  t.ok(await dana.page.getByText('Active', { exact: true }).first().isVisible())
  await marcus.page.goto(`/post/${id}`)
  await marcus.page.getByRole('button', { name: 'Manage post' }).click()
  await marcus.page.getByRole('menuitem', { name: 'Mark as sold' }).click()
  await dana.page.getByRole('article').getByText('Sold', { exact: true }).waitFor()
  await Promise.all([dana.leave(), marcus.leave()])
})
