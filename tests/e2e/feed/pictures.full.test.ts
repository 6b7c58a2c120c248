import type { Locator } from 'playwright-core'
import t from 'tap'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { type DealerPage, liveSwitch, openDealer, signIn } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { aGif, aPhoto } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const title = 'Yukon with its pictures on the way'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

async function setPictures(verb: 'pause' | 'resume'): Promise<void> {
  const context = await signIn(browser, url, 'ops')
  const answer = await context.request.post(`/api/ops/queues/media/${verb}`, { data: {}, headers: { origin: url } })
  if (!answer.ok()) throw new Error(`${verb}: ${answer.status()} ${await answer.text()}`)
  await context.close()
}

const photo = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await aPhoto(640, 400) })
const cardOf = ({ page }: DealerPage) => page.getByRole('article').filter({ hasText: title })
const tileOf = (dealer: DealerPage) => cardOf(dealer).getByRole('img', { name: /processing$/ })

const isShown = (image: Locator) =>
  image.evaluate((element) => element instanceof HTMLImageElement && element.complete && element.naturalWidth > 0)

const dana = await openDealer(browser, url, 'dana')
const marcus = await openDealer(browser, url, 'marcus', { width: 390, theme: 'dark' })

t.test('says that photos are being processed, also after a reload and without a socket', async (t) => {
  await setPictures('pause')
  await (await liveSwitch(marcus)).cut()
  await dana.page.goto('/')
  await dana.page.getByRole('button', { name: 'Post Inventory' }).first().click()
  const dialog = dana.page.getByRole('dialog')
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('VIN').fill('1FTFW1E59NKD69096')
  await until('the decoded model', async () => (await dialog.getByLabel('Model').inputValue()) === 'F-150')
  await dialog.getByLabel('Mileage').fill('48210')
  await dialog.getByLabel('Price').fill('31900')
  await dialog
    .getByRole('button', { name: 'Add photos', exact: true })
    .setInputFiles([await photo('front.jpg'), await photo('side.jpg')])
  await dialog.getByText('Processing').nth(1).waitFor()
  await dialog.getByRole('button', { name: 'Post Inventory' }).click()
  await dialog.waitFor({ state: 'detached' })
  await marcus.page.goto('/')
  for (const dealer of [dana, marcus]) await tileOf(dealer).nth(1).waitFor()
  await marcus.page.reload()
  await tileOf(marcus).nth(1).waitFor()
  t.same(await violationsInBothThemes(marcus.page), [])
})

t.test(
  'says that a profile picture is being processed, also after a reload, and then shows all pictures',
  async (t) => {
    const account = await dana.context.newPage()
    await account.goto('/profile-edit')
    await account.getByRole('button', { name: 'Choose a picture' }).setInputFiles(await photo('me.jpg'))
    const prepared = account.getByText('Your new picture is being processed')
    await prepared.waitFor()
    await account.reload()
    await prepared.waitFor()

    await setPictures('resume')
    await account.getByRole('main').locator('img[src*="/api/objects/"]').first().waitFor()
    await prepared.waitFor({ state: 'detached' })
    for (const dealer of [dana, marcus]) {
      const images = cardOf(dealer).locator('img[src*="/api/objects/"][alt*="photo"]')
      await images.nth(1).waitFor()
      for (const image of await images.all()) await until('the picture to load', () => isShown(image))
      t.equal(await tileOf(dealer).count(), 0)
    }
    await account.close()
  },
)

t.test('explains on the tile and on the profile why a picture exceeds the limits', async () => {
  const { page } = dana
  await page.getByRole('button', { name: 'Post Inventory' }).first().click()
  const dialog = page.getByRole('dialog')
  const gif = { name: 'walkaround.gif', mimeType: 'image/gif', buffer: aGif(501) }
  await dialog.getByRole('button', { name: 'Add photos', exact: true }).setInputFiles(gif)
  const reason = 'This animation has 501 frames. The limit is 500'
  await dialog.getByText(`Failed to upload walkaround.gif: ${reason}`).waitFor()
  await dialog.getByRole('listitem').getByText(reason).waitFor()
  await goWithin(page, '/profile-edit')
  await page.getByRole('button', { name: 'Choose a picture' }).setInputFiles(gif)
  const refused = page.getByRole('alert').getByText(`Your new picture could not be used. ${reason}`)
  await refused.waitFor()
  await page.reload()
  await refused.waitFor()
})
