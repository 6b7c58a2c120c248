import type { Page } from 'playwright-core'
import t from 'tap'
import { axeViolations } from '#tests/support/axe.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

const total = (page: Page) => page.getByRole('region', { name: 'Results' }).getByText(/^[\d,]+ vehicles?$/)
const sticksOut = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

t.test('fills the phone screen with the filters and overflows at no width down to 320 px', async (t) => {
  const { page, leave } = await openDealer(browser, url, 'dana', { width: 390, theme: 'dark' })
  await page.goto('/find')
  await total(page).waitFor()
  t.same(await axeViolations(page), [])
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('checkbox', { name: /^Ford/ }).click()
  await sheet.getByRole('checkbox', { name: /^F-150/ }).waitFor()
  t.same(await axeViolations(page), [], 'filters')
  await sheet.getByRole('button', { name: /^Show [\d,]+ vehicles?$/ }).click()
  await page.getByRole('button', { name: 'Filters 1' }).waitFor()
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    t.equal(await sticksOut(page), 0, `${width} px`)
  }
  await leave()
})
