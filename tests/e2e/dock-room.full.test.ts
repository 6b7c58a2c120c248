import type { Locator } from 'playwright-core'
import t from 'tap'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { arrive, conversation, log } from '#tests/support/chat-page.ts'
import { crowded } from '#tests/support/page-fit.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

const boxOf = async (element: Locator) => (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

t.test('makes room for one chat window in the right column, and for three below the last card', async (t) => {
  const { page } = await arrive(t, browser, url, 'dana')
  await page.goto('/?mode=post')
  const cards = page.getByRole('feed').getByRole('article')
  await cards.first().waitFor()
  const dock = page.getByRole('region', { name: 'Messaging dock' })
  const openList = () => page.getByRole('button', { name: /^Messaging/ }).click()
  const openChat = async (name: string) => {
    await openList()
    await conversation(page, name).click()
    await log(page, name).waitFor()
  }
  await openChat('Marcus Webb')
  await page.getByRole('button', { name: 'Close list' }).click()
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const main = page.locator('#main')
    await until(`the page at ${width} px to end before the window`, async () => {
      const { x, width: wide } = await boxOf(main)
      return x + wide <= (await boxOf(dock)).x
    })
    const post = page.getByRole('button', { name: 'Post', exact: true }).last()
    const { x, width: wide } = await boxOf(post)
    t.ok(x + wide <= (await boxOf(dock)).x, `the Post button is beside the window at ${width} px`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await openList()
  await conversation(page, 'Karen Boyle').click()
  await log(page, 'Karen Boyle').waitFor()
  await conversation(page, 'Elena Park').click()
  await log(page, 'Elena Park').waitFor()
  await goWithin(page, '/settings')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await until('the end of the page above the windows', async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const { y, height } = await boxOf(page.locator('#main'))
    return y + height <= (await boxOf(dock)).y
  })
  t.equal(await log(page, 'Marcus Webb').count(), 1, 'three windows stay open')
  await goWithin(page, '/deals')
  await page.getByRole('list', { name: 'Deal progress' }).waitFor()
  t.same(await crowded(page), [], 'the deal keeps enough width for its text')
  await page.goto('/lane')
  const grid = page.locator('[data-positions]')
  await grid.waitFor()
  await log(page, 'Marcus Webb').waitFor()
  await until('the last position of the Lane above the windows', async () => {
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    const { y, height } = await boxOf(grid.getByRole('region').last())
    return y + height <= (await boxOf(dock)).y
  })
})
