import t from 'tap'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { startProduct } from '#tests/support/product.ts'
import { publicPaths, visit } from '#tests/support/site.ts'

// One product and one browser for the file; each test is a visitor of its own.
const url = await startProduct(t)
const browser = await openBrowser(t)

for (const width of [1440, 390])
  t.test(`every public page is clean at ${width} px in both themes`, async (t) => {
    const { page, errors } = await visit(browser, url, { width })
    for (const path of publicPaths) {
      await page.goto(path)
      t.same(await violationsInBothThemes(page), [], path)
    }
    t.same(errors, [], 'no console error')
    await page.context().close()
  })

t.test('nothing sticks out of a window of 320 px', async (t) => {
  const { page } = await visit(browser, url, { width: 320 })
  for (const path of publicPaths) {
    await page.goto(path)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    t.ok(overflow <= 0, path)
  }
})

t.test('an open page follows the system from light to dark', async (t) => {
  const { page } = await visit(browser, url)
  await page.goto('/about')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-theme="dark"]').waitFor()
  t.not(await background(), light)
})
