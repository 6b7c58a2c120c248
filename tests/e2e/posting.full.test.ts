import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Post } from '#shared/schemas/posts.ts'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { filled, openPostDialog, outboxLoaded, photo, vin } from '#tests/support/post-dialog.ts'
import { startProduct } from '#tests/support/product.ts'
import { forgetToasts, rememberToasts, toastSaid } from '#tests/support/toasts.ts'

const desktop = { width: 1440 }
const phone = { width: 390, height: 844, hasTouch: true, underPolicy: true }

async function openFeed(page: Page): Promise<void> {
  await rememberToasts(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Post Inventory' }).waitFor()
}

async function goToWatchlist(page: Page): Promise<void> {
  await goWithin(page, '/watchlist')
  await page.getByRole('heading', { level: 1, name: 'Watchlist' }).waitFor()
  await forgetToasts(page)
}

async function goToFeed(page: Page): Promise<void> {
  await goWithin(page, '/')
  await page.getByRole('feed').waitFor()
  await forgetToasts(page)
}

/** Runs axe on the three tabs and the auction terms in both themes. Ends on the first tab with the original title. */
async function axeOfTabs(t: Test, page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const title = await dialog.getByLabel('Title').inputValue()
  await dialog.getByLabel('Title').fill('Live auction')
  for (const tab of ['SPREADSHEET', 'MULTIPLE VEHICLES', 'SINGLE VEHICLE']) {
    await dialog.getByRole('tab', { name: tab }).click()
    t.same(await violationsInBothThemes(page), [], tab)
  }
  await dialog.getByLabel('Title').fill(title)
}

t.test('posts inventory from the dialog and from the composer', async (t) => {
  const url = await startProduct(t, { RATE_LIMITS: 'off' })
  const browser = await openBrowser(t)
  const dana = await openDealer(browser, url, 'dana', desktop)
  const danasPhone = await openDealer(browser, url, 'dana', phone)
  // Remove `randomUUID`, which browsers do not offer over plain HTTP.
  const onPlainHttp = await danasPhone.page.addInitScript(
    () => void Reflect.deleteProperty(Crypto.prototype, 'randomUUID'),
  )
  await Promise.all([dana, danasPhone].map(({ page }) => openFeed(page)))

  for (const [{ page }, viewport] of [
    [dana, desktop],
    [danasPhone, phone],
  ] as const) {
    await t.test(`posts a single vehicle with photos, one of them broken, at ${viewport.width} px`, async (t) => {
      const title = `Single at ${viewport.width}`
      const dialog = await openPostDialog(page)
      await dialog.getByRole('button', { name: 'Post Inventory' }).click()
      await toastSaid(page, 'Title required')
      await dialog.getByLabel('Title').fill(title)
      await dialog.getByRole('button', { name: 'Post Inventory' }).click()
      await toastSaid(page, 'Vehicle information required')
      await dialog.getByLabel('VIN').fill(vin.slice(0, 14))
      await dialog.getByText('VIN must be exactly 17 characters (3 more needed)').waitFor()
      await dialog.getByLabel('VIN').fill(vin.toLowerCase())
      await toastSaid(page, 'VIN Decoded!')
      await toastSaid(page, 'Auto-filled: 2022, Ford, F-150')
      if (viewport === phone) await dialog.getByText('2022 Ford F-150').waitFor()
      else await filled(dialog, 'Make', 'Ford')
      await dialog.getByLabel('Mileage').fill('48,210 mi')
      t.equal(await dialog.getByLabel('Mileage').inputValue(), '48210')
      await dialog.getByLabel('Price').fill('31900.50')
      await dialog.getByText('Complete', { exact: true }).waitFor()
      const files = dialog.getByRole('button', { name: 'Add photos', exact: true })
      await files.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
      await toastSaid(page, 'Please select only image files')
      const broken = { name: 'bed-liner.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture') }
      await files.setInputFiles([await photo('front.jpg'), broken, await photo('side.jpg')])
      await toastSaid(page, 'Photo upload failed')
      await toastSaid(page, 'Failed to upload bed-liner.jpg')
      await dialog.getByText('2 photos uploaded, 1 failed').waitFor()
      await dialog.getByText('Failed to upload bed-liner.jpg: Please select only image files').waitFor()
      t.ok(await dialog.getByRole('button', { name: 'Retry bed-liner.jpg' }).isVisible())
      if (viewport === desktop) await axeOfTabs(t, page)
      await dialog.getByRole('button', { name: 'Remove bed-liner.jpg' }).click()
      await dialog.getByRole('button', { name: 'Move photo 2 earlier' }).click({ force: true })
      await dialog.getByAltText('1: side.jpg').waitFor()
      await dialog.getByRole('button', { name: 'Post Inventory' }).click()
      await toastSaid(page, 'Inventory posted successfully!')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: title }).first().waitFor()
    })
  }

  await t.test('restores a draft with its photos after the dialog was closed or the page reloaded', async (t) => {
    const { page } = dana
    await goToWatchlist(page)
    let dialog = await openPostDialog(page)
    await dialog.getByRole('tab', { name: 'MULTIPLE VEHICLES' }).click()
    await dialog.getByLabel('Title').fill('Two trades')
    await dialog.getByLabel('VIN').fill(vin)
    await dialog.getByRole('button', { name: 'Add photos', exact: true }).setInputFiles(await photo('front.jpg'))
    await dialog.getByText('1 photo uploaded').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByText('Close without posting?').waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.reload()
    dialog = await openPostDialog(page)
    t.equal(await dialog.getByLabel('Title').inputValue(), 'Two trades')
    t.equal(await dialog.getByLabel('VIN').inputValue(), vin)
    await dialog.getByAltText('1: front.jpg').waitFor()
    await dialog.getByRole('button', { name: 'Draft restored. Start over' }).click()
    t.equal(await dialog.getByLabel('Title').inputValue(), '')
  })

  await t.test('requires the link of a spreadsheet and tells the seller if it fails', async () => {
    const { page } = dana
    await goToFeed(page)
    const dialog = await openPostDialog(page)
    await dialog.getByRole('tab', { name: 'SPREADSHEET' }).click()
    await dialog.getByLabel('Title').fill('Weekly run list')
    await dialog.getByRole('button', { name: 'Post Inventory' }).click()
    await toastSaid(page, 'Please enter a spreadsheet URL')
    await dialog.getByLabel('Spreadsheet URL').fill('http://127.0.0.1:9/list.csv')
    await dialog.getByRole('button', { name: 'Post Inventory' }).click()
    await page.getByText('The spreadsheet could not be read').first().waitFor()
  })

  await t.test(
    'tells a dealer who closes the dialog while it posts that the post was published, and leaves no draft',
    async (t) => {
      const { page } = dana
      await goToWatchlist(page)
      let answer = () => {}
      const closed = new Promise<void>((resolve) => (answer = resolve))
      await page.route('**/api/inventory', (route) => closed.then(() => route.continue()))
      let dialog = await openPostDialog(page)
      await dialog.getByRole('tab', { name: 'SPREADSHEET' }).click()
      await dialog.getByLabel('Title').fill('Posted behind a closed door')
      await dialog.getByLabel('Spreadsheet URL').fill('http://127.0.0.1:9/list.csv')
      await dialog.getByRole('button', { name: 'Post Inventory' }).click()
      await dialog.getByRole('button', { name: 'Posting...' }).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      answer()
      await toastSaid(page, 'Inventory posted successfully!')
      await page.unroute('**/api/inventory')
      dialog = await openPostDialog(page)
      t.equal(await dialog.getByLabel('Title').inputValue(), '')
    },
  )

  await t.test('creates a post once when the response is lost and the browser sends it again', async (t) => {
    const { page } = dana
    await goToFeed(page)
    await page.route(
      '**/api/inventory',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await outboxLoaded(page)
    const dialog = await openPostDialog(page)
    await dialog.getByRole('tab', { name: 'SPREADSHEET' }).click()
    await dialog.getByLabel('Title').fill('Sent twice, sold once')
    await dialog.getByLabel('Spreadsheet URL').fill('http://127.0.0.1:9/list.csv')
    await dialog.getByRole('button', { name: 'Post Inventory' }).click()
    await toastSaid(page, 'Waiting for a connection')
    await toastSaid(page, 'Inventory posted successfully!')
    await page.getByText(/^Waiting for a connection:/).waitFor({ state: 'detached' })
    const found = await page.context().request.get(`${url}/api/inventory?search=${encodeURIComponent('Sent twice')}`)
    t.equal(((await found.json()) as Post[]).length, 1)
  })

  for (const [{ page }, viewport] of [
    [dana, desktop],
    [danasPhone, phone],
  ] as const) {
    await t.test(`attaches a decoded vehicle and photos in the composer at ${viewport.width} px`, async (t) => {
      await goToFeed(page)
      await page.getByRole('radio', { name: 'Post' }).click()
      const form = page.getByRole('form', { name: 'New post' })
      const title = page.getByLabel('Post title').locator('visible=true')
      await title.fill(`Composed at ${viewport.width}`)
      await form.getByRole('button', { name: 'Add Vehicle' }).click()
      t.ok(await form.getByRole('button', { name: 'Add', exact: true }).isDisabled())
      if (viewport === desktop) t.same(await violationsInBothThemes(page), [], 'composer')
      await form.getByLabel('VIN').fill(vin)
      await toastSaid(page, 'VIN Decoded!')
      if (viewport === phone) await form.getByText('2022 Ford F-150').waitFor()
      else await filled(form, 'Make', 'Ford')
      await form.getByLabel(/^Notes/).fill('Second key on the way')
      await form.getByRole('button', { name: 'Add', exact: true }).click()
      await form.getByText('2022 Ford F-150').waitFor()
      await form.locator('input[aria-label="Photos"]').setInputFiles([await photo('a.jpg'), await photo('b.jpg')])
      await form.getByText('Add Photos (2/30)').waitFor()
      await form.getByRole('button', { name: 'Post', exact: true }).click()
      await toastSaid(page, 'Inventory posted successfully!')
      await page
        .getByRole('link', { name: `Composed at ${viewport.width}` })
        .first()
        .waitFor()
    })
  }

  await t.test('clears everything decoded from the previous VIN when the VIN changes', async () => {
    const { page } = dana
    await goToWatchlist(page)
    const dialog = await openPostDialog(page)
    await dialog.getByLabel('VIN').fill(vin)
    await filled(dialog, 'Model', 'F-150')
    await dialog.getByLabel('Year').fill('2021')
    await dialog.getByLabel('VIN').fill('0'.repeat(17))
    await toastSaid(page, 'VIN Not Recognized')
    for (const label of ['Make', 'Model']) await filled(dialog, label, '')
    await filled(dialog, 'Year', '2021')
    await goWithin(page, '/?mode=post')
    await page.getByRole('button', { name: 'Add Vehicle' }).click()
    const card = page.getByRole('region', { name: 'Add vehicle details' })
    await card.getByLabel('VIN').fill(vin)
    await filled(card, 'Model', 'F-150')
    await card.getByLabel('Year').fill('2021')
    await card.getByLabel('VIN').fill('5YJ3E1EA7KF317000')
    await filled(card, 'Make', 'Tesla')
    await filled(card, 'Model', 'Model 3')
    await filled(card, 'Year', '2021')
  })

  await t.test("shows the seller's changes to a post on another dealer's screen", async () => {
    const seller = dana.page
    await onPlainHttp.dispose()
    await danasPhone.leave()
    const { page: reader, leave } = await openDealer(browser, url, 'marcus', { ...phone, ...desktop })
    const search = await seller.request.get(`${url}/api/inventory?search=${encodeURIComponent('Single at 1440')}`)
    const [post] = (await search.json()) as Post[]
    await reader.goto(`/post/${post?.id}`)
    // Open the post from the feed, because deleting the post must lead back to the feed.
    await goWithin(seller, `/post/${post?.id}`)
    await reader.getByRole('heading', { name: 'Single at 1440' }).waitFor()
    await seller.getByRole('button', { name: 'Manage post' }).click()
    await seller.getByRole('menuitem', { name: 'Edit post' }).click()
    await seller.getByRole('dialog').getByLabel('Title').fill('Edited while you look')
    await seller.getByRole('button', { name: 'Save changes' }).click()
    await reader.getByRole('heading', { name: 'Edited while you look' }).waitFor()
    await seller.getByRole('button', { name: 'Manage post' }).click()
    await seller.getByRole('menuitem', { name: 'Mark as sold' }).click()
    await reader.getByText('Sold', { exact: true }).first().waitFor()
    // Delay the response, so that the event arrives first and the page has already changed.
    await seller.route(`**/api/inventory/${post?.id}`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback()
      const response = await route.fetch()
      await seller.getByText('Post not found').waitFor()
      return route.fulfill({ response })
    })
    await seller.getByRole('button', { name: 'Manage post' }).click()
    await seller.getByRole('menuitem', { name: 'Delete post' }).click()
    await seller.getByRole('alertdialog').getByRole('button', { name: 'Delete post' }).click()
    await seller.waitForURL(`${url}/`)
    await reader.getByText('Post not found').waitFor()
    await leave()
  })
})
