import t from 'tap'
import type { Post } from '#shared/schemas/posts.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { type DealerPage, liveSwitch, openDealer, unexplained } from '#tests/support/dealer-page.ts'
import { banner, cardOf, publishPost, stopPolls } from '#tests/support/feed-page.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

t.test('does not miss events between the first responses of a page and its connection', async (t) => {
  const [dana, marcus] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'marcus')]
  const comment = async ({ id }: Post) => {
    const answer = await marcus.context.request.post(`/api/inventory/${id}/comments`, {
      data: { content: 'Both keys?' },
      headers: { origin: url },
    })
    t.equal(answer.status(), 201)
  }
  const [theirs, own] = [
    await publishPost(marcus.context, url, { title: 'Sienna while the line is made' }),
    await publishPost(dana.context, url, { title: 'Odyssey of mine' }),
  ]
  const gone = await publishPost(marcus.context, url, { title: 'Sedona sold meanwhile' })
  const live = await liveSwitch(dana)
  await stopPolls(dana)
  const card = cardOf(dana, 'Sienna while the line is made')
  const bell = dana.page.getByRole('link', { name: /^Notifications/ })
  // Accept either the button or the post itself, because an idle page shows new posts automatically.
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
  await publishPost(marcus.context, url, { title: 'Quest while the line is made' })
  await news(marcus).waitFor()
  connect()
  await cardOf(dana, 'Sedona sold meanwhile').waitFor({ state: 'detached' })
  await news(dana).waitFor()
  await card
    .getByRole('button', { name: /Comments/ })
    .getByText('(1)')
    .waitFor()

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
  )
  // Either page may request the post at the moment it is deleted.
  const deleted = new RegExp(`404 .*/api/inventory/${gone.id}`)
  t.same([...unexplained(dana, deleted), ...unexplained(marcus, deleted)], [], 'no other console error')
  await Promise.all([dana.context.close(), marcus.leave()])
})

t.test('offers the new version after a deploy and lets the dealer choose when to load it', async (t) => {
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
