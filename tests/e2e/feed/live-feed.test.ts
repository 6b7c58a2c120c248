import type { Locator } from 'playwright-core'
import t from 'tap'
import type { Post } from '#shared/schemas/posts.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { type DealerPage, liveSwitch, openDealer, signIn, unexplained } from '#tests/support/dealer-page.ts'
import { banner, cardOf, overPollMs, publishPost, showNews, stopPolls } from '#tests/support/feed-page.ts'
import { openPostDialog, photo, vin } from '#tests/support/post-dialog.ts'
import { startProduct } from '#tests/support/product.ts'
import { rememberToasts, toastSaid } from '#tests/support/toasts.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

const isDrawn = (picture: Locator) =>
  picture.evaluate((image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0)

t.test('a post with photos appears in the open feed of another dealer, with its pictures', async (t) => {
  const [dana, marcus] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'marcus')]
  await Promise.all([dana.page.goto('/'), marcus.page.goto('/')])
  await marcus.page.getByText('Live updates').waitFor()
  const title = 'F-150 with photos of both sides'
  const dialog = await openPostDialog(dana.page)
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('VIN').fill(vin)
  await until('the model', async () => (await dialog.getByLabel('Model').inputValue()) === 'F-150')
  await dialog.getByLabel('Mileage').fill('48210')
  await dialog.getByLabel('Price').fill('31900')
  const files = [await photo('front.jpg'), await photo('side.jpg')]
  await dialog.getByRole('button', { name: 'Add photos', exact: true }).setInputFiles(files)
  await dialog.getByText('2 photos uploaded').waitFor()
  await dialog.getByRole('button', { name: 'Post Inventory' }).click()
  await dialog.waitFor({ state: 'detached' })
  await showNews(marcus, title)
  for (const dealer of [dana, marcus]) {
    const pictures = cardOf(dealer, title).locator('img[src*="/api/objects/"][alt*="photo"]')
    await pictures.nth(1).waitFor()
    for (const picture of await pictures.all()) await until('the picture', () => isDrawn(picture))
  }
  t.same([...dana.errors, ...marcus.errors], [], 'no console error')
  await Promise.all([dana.leave(), marcus.leave()])
})

t.test('a comment appears live before the other dealer, and its draft lasts until its author logs out', async (t) => {
  const [dana, marcus] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'marcus')]
  await dana.page.goto('/')
  await dana.page.getByText('Live updates').waitFor()
  await dana.page.getByRole('article').first().waitFor()
  await dana.page.keyboard.press('Shift')

  await publishPost(marcus.context, url, { title: 'Tahoe just in from the lease' })
  await showNews(dana, 'Tahoe just in from the lease')
  const card = cardOf(dana, 'Tahoe just in from the lease')
  await card.waitFor()
  await card.getByRole('button', { name: /Comments/ }).click()
  await card.getByText('No comments yet. Be the first to comment!').waitFor()

  await rememberToasts(marcus.page)
  await marcus.page.goto('/')
  const own = cardOf(marcus, 'Tahoe just in from the lease')
  await own.getByRole('button', { name: /Comments/ }).click()
  await own.getByLabel('Add a comment').fill('Second key on the way')
  await own.getByRole('button', { name: 'POST', exact: true }).click()
  await toastSaid(marcus.page, 'Comment added successfully')
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
  const [theirs, own] = [
    await publishPost(marcus.context, url, { title: 'Sienna while the line is made' }),
    await publishPost(dana.context, url, { title: 'Odyssey of mine' }),
  ]
  const gone = await publishPost(marcus.context, url, { title: 'Sedona sold meanwhile' })
  const live = await liveSwitch(dana)
  await stopPolls(dana)
  const card = cardOf(dana, 'Sienna while the line is made')
  const bell = dana.page.getByRole('link', { name: /^Notifications/ })
  // An idle page shows new posts by itself.
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
  // Either page may request the post just as it is deleted.
  const deleted = new RegExp(`404 .*/api/inventory/${gone.id}`)
  t.same([...unexplained(dana, deleted), ...unexplained(marcus, deleted)], [], 'no other console error')
  await Promise.all([dana.context.close(), marcus.leave()])
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
  await publishPost(marcus.context, url, { title: 'Silverado without a wire' })
  await dana.page.clock.fastForward(overPollMs)
  await cardOf(dana, 'Silverado without a wire').waitFor()
  t.ok(await banner(dana).isVisible(), 'still cut')

  live.restore()
  await dana.page.clock.fastForward(overPollMs)
  await dana.page.getByText('Live updates').waitFor()
  t.equal(await banner(dana).count(), 0)
  await Promise.all([dana.context.close(), marcus.context.close()])
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
