import type { Locator } from 'playwright-core'
import t from 'tap'
import { openBrowser } from '#tests/support/browser.ts'
import { liveSwitch, openDealer, signIn } from '#tests/support/dealer-page.ts'
import { banner, cardOf, overPollMs, publishPost, showNews } from '#tests/support/feed-page.ts'
import { openPostDialog, photo, vin } from '#tests/support/post-dialog.ts'
import { startProduct } from '#tests/support/product.ts'
import { rememberToasts, toastSaid } from '#tests/support/toasts.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

const isDrawn = (picture: Locator) =>
  picture.evaluate((image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0)

t.test('shows a post with photos in the open feed of another dealer', async (t) => {
  const [dana, marcus] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'marcus')]
  await Promise.all([dana.page.goto('/'), marcus.page.goto('/')])
  await marcus.page.getByText('Live updates').waitFor()
  const title = 'F-150 with photos of both sides'
  const dialog = await openPostDialog(dana.page)
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('VIN').fill(vin)
  await until('the decoded model', async () => (await dialog.getByLabel('Model').inputValue()) === 'F-150')
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
    for (const picture of await pictures.all()) await until('the picture to load', () => isDrawn(picture))
  }
  t.same([...dana.errors, ...marcus.errors], [], 'no console error')
  await Promise.all([dana.leave(), marcus.leave()])
})

t.test("shows another dealer's comment live, and keeps a comment draft until its author logs out", async (t) => {
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
  t.equal(await box.inputValue(), 'Still on the l', 'a draft survives a reload')
  await marcus.page.getByRole('button', { name: /^Account/ }).click()
  await marcus.page.getByRole('menuitem', { name: 'Log Out' }).click()
  await marcus.page.waitForURL(`${url}/login`)
  await marcus.page.getByLabel('Email').waitFor()
  const kept = await marcus.page.evaluate(() => Object.values({ ...localStorage }))
  t.notMatch(kept.join(), 'Still on the l', 'signing out deletes the draft')
  t.same([...dana.errors, ...marcus.errors], [], 'no console error')
  await Promise.all([dana.leave(), marcus.leave()])
})

t.test('shows a new post within 30 seconds by polling when the live connection is cut, and says so', async (t) => {
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
  t.ok(await banner(dana).isVisible(), 'the connection is still cut')

  live.restore()
  await dana.page.clock.fastForward(overPollMs)
  await dana.page.getByText('Live updates').waitFor()
  t.equal(await banner(dana).count(), 0)
  await Promise.all([dana.context.close(), marcus.context.close()])
})
