import type { Page } from 'playwright-core'
import t from 'tap'
import type { FindAnswer } from '#shared/schemas/find.ts'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { crowded, sticksOut } from '#tests/support/page-fit.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

const find = 'Find vehicles'
const wanted = 'Wanted'

/** The screens alternate between two pages, so that each screen opens fresh without a reload. */
const looks: [page: string, path: string, open: (page: Page) => Promise<unknown>][] = [
  [find, '/find', (page) => page.getByRole('article').first().waitFor()],
  [wanted, '/wanted', (page) => page.getByRole('heading', { level: 3 }).first().waitFor()],
  [find, '/find?as=cards&sale=fixed,live', (page) => page.getByRole('article').first().waitFor()],
  [wanted, '/wanted?view=demand', (page) => page.getByText(/dealers want/).waitFor()],
  [find, '/find?mmt=Ford~F-150&price=-100', (page) => page.getByRole('list', { name: 'Suggested changes' }).waitFor()],
  [
    wanted,
    '/wanted?view=demand',
    async (page) => {
      await page
        .getByRole('button', { name: /^Offer yours/ })
        .first()
        .click()
      await page.getByRole('button', { name: /^Offer for \$/ }).waitFor()
    },
  ],
  [
    find,
    '/find?mmt=Toyota~Camry,Honda&price=-30000,none&near=74112&within=300&sale=fixed',
    (page) => page.getByRole('button', { name: 'Remove Up to $30,000' }).waitFor(),
  ],
  [
    wanted,
    '/wanted?order=new&mmt=Ford~F-150&price=-30000',
    (page) => page.getByText(/new in the last 7 days/).waitFor(),
  ],
]

async function withLongNames(page: Page): Promise<void> {
  await page.route('**/api/find?*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as FindAnswer
    for (const [index, vehicle] of answer.items.entries()) {
      if (index % 2 === 0) continue
      vehicle.title = '2021 Mercedes-Benz Sprinter 3500XD High Roof Extended Cargo Diesel'
      vehicle.seller.dealershipName = 'Saskatchewan & Northwestern Commercial Remarketing Partners'
      vehicle.place = { city: 'Winchester-on-the-Severn', region: 'MD' }
    }
    await route.fulfill({ response, json: answer })
  })
}

t.test('cuts and overlaps nothing in any look and text size, without axe violations', async (t) => {
  const { page, context } = await openDealer(browser, url, 'dana')
  await page.goto('/watchlist')
  await page.getByRole('heading', { level: 1, name: 'Watchlist' }).waitFor()
  await withLongNames(page)
  for (const [name, path, open] of looks) {
    await sticksOut(page, 1440)
    await goWithin(page, path)
    await page.locator('h1', { hasText: name }).waitFor()
    await open(page)
    t.same(await violationsInBothThemes(page), [], `${path}: axe violations`)
    for (const [width, text] of [
      [1440, 100],
      [1440, 200],
      [780, 200],
      [390, 100],
      [390, 120],
    ] as const) {
      t.equal(await sticksOut(page, width, text), 0, `${path} at ${width} px, text at ${text} %`)
      t.same(await crowded(page), [], `${path} at ${width} px, text at ${text} %`)
    }
    t.same(await violationsInBothThemes(page), [], `${path}: axe violations on a narrow screen`)
  }
  await context.close()
})
