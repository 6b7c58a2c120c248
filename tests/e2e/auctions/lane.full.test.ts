import t from 'tap'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { bidUntil, openDealer, pressMs } from '#tests/support/dealer-page.ts'
import { bidByKeys, openLane, publishLane } from '#tests/support/lane-page.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

t.test('has no axe violations in the Lane, on a wide screen and on a phone with one auction per screen', async (t) => {
  const [marcus, dana, elena] = [
    await openDealer(browser, url, 'marcus'),
    await openDealer(browser, url, 'dana'),
    await openDealer(browser, url, 'elena'),
  ]
  const ids = await publishLane(marcus, url, 6)
  for (const dealer of [dana, elena]) await openLane(dealer, url, ids)
  for (const slot of [1, 2, 4]) await bidByKeys(dana, slot)
  await bidByKeys(elena, 2)
  await marcus.page.goto('/lane?view=selling')
  await marcus.page.getByRole('heading', { name: /^Bids on the/ }).waitFor()
  t.same(await violationsInBothThemes(elena.page), [], 'six positions')
  t.same(await violationsInBothThemes(marcus.page), [], 'selling view')
  const phone = await openDealer(browser, url, 'elena', { width: 390 })
  await phone.page.goto(`/lane?post=${ids[3]}`)
  const named = (name: string) => phone.page.getByRole('button', { name })
  await bidUntil(phone.page.getByText('You are winning'), named('Confirm $40,500'), {
    bid: () => named('Bid $40,500').click(pressMs),
    confirm: () => named('Confirm $40,500').click(pressMs),
  })
  t.same(await violationsInBothThemes(phone.page), [], 'one auction')
  await phone.page.getByRole('button', { name: 'Back to the run list' }).click()
  await phone.page.getByRole('region', { name: 'Run list' }).waitFor()
  t.same(await violationsInBothThemes(phone.page), [], 'run list')
  t.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing overflows')
  await phone.context.close()
})
