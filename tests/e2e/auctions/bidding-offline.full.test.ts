import t from 'tap'
import { auctionDialog, bid, openAuction, publishAuction } from '#tests/support/auction-page.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { liveSwitch, openDealer, pressMs, pressUntil } from '#tests/support/dealer-page.ts'
import { openLane, place, publishLane } from '#tests/support/lane-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { cloneDatabase } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const databaseUrl = await cloneDatabase(t, 'TEST_DEMO_TEMPLATE')
const url = await startProduct(t, { RATE_LIMITS: 'off', DATABASE_URL: databaseUrl })
const browser = await openBrowser(t)

t.test('disables bidding without a connection and shows missed bids afterwards', async (t) => {
  const post = await publishAuction(browser, url, 'Silverado two')
  const [dana, elena] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
  const live = await liveSwitch(dana)
  for (const dealer of [dana, elena]) await openAuction(dealer, post)
  const rung = dana.page.getByRole('button', { name: 'Bid +$500, ' })
  await live.cut()
  await auctionDialog(dana).getByText("Bidding is paused until you're back online").first().waitFor()
  t.ok(await rung.isDisabled())
  await bid(elena, 'Start')
  live.restore()
  await auctionDialog(dana).getByText('Current bid, Bidder 1').waitFor()
  await until('the ladder to accept bids', () => rung.isEnabled())
  await Promise.all([dana.context.close(), elena.leave()])
})

t.test('does not send an armed Lane bid after the connection breaks or goes silent', async (t) => {
  const [marcus, elena] = [await openDealer(browser, url, 'marcus'), await openDealer(browser, url, 'elena')]
  const live = await liveSwitch(elena)
  await openLane(elena, url, await publishLane(marcus, url, 3))
  const tab = await elena.context.newPage()
  await tab.goto('/lane')
  const bid = place(elena, 1).getByRole('button', { name: 'Bid $10,000' })
  const confirm = place(elena, 1).getByRole('button', { name: 'Confirm $10,000' })
  const isPaused = async () => {
    for (const text of ['Bids are paused', 'No bid was placed.']) await place(elena, 1).getByText(text).waitFor()
  }
  await pressUntil(confirm, () => bid.click(pressMs))
  await live.cut()
  await isPaused()
  t.ok(await bid.isDisabled())
  live.restore()
  await until('the position to accept bids', () => bid.isEnabled())
  await pressUntil(confirm, () => bid.click(pressMs))
  live.deafen()
  await isPaused()
  await until('the position to accept bids on a new connection', () => bid.isEnabled())
  await place(elena, 3)
    .getByRole('button', { name: /^More for/ })
    .click()
  await elena.page.getByRole('menuitem', { name: 'Remove from Lane' }).click()
  await place(elena, 3).getByText('Pin an auction').waitFor()
  await tab.getByRole('region', { name: 'Position 3: ' }).getByText('Pin an auction').waitFor()
  await Promise.all([marcus.leave(), elena.context.close()])
})
