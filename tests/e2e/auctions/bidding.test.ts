import t from 'tap'
import { auctionDialog, bid, endAuction, leads, openAuction, publishAuction } from '#tests/support/auction-page.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { liveSwitch, openDealer, pressMs, pressUntil } from '#tests/support/dealer-page.ts'
import { hasFocus } from '#tests/support/keys.ts'
import { bidByKeys, openLane, place, publishLane } from '#tests/support/lane-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { cloneDatabase } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const databaseUrl = await cloneDatabase(t, 'TEST_DEMO_TEMPLATE')
const url = await startProduct(t, { RATE_LIMITS: 'off', DATABASE_URL: databaseUrl })
const browser = await openBrowser(t)

t.test('two dealers bid against each other live, a maximum answers by itself, and the end makes a deal', async (t) => {
  const post = await publishAuction(browser, url, 'Silverado one')
  const [dana, elena] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
  for (const dealer of [dana, elena]) await openAuction(dealer, post)
  await bid(dana, 'Start')
  await auctionDialog(elena).getByText('Current bid, Bidder 1').waitFor()
  await auctionDialog(elena).getByText('2 viewers').first().waitFor()
  await bid(elena, '+$1,000')
  await auctionDialog(dana).getByText('You have been outbid').first().waitFor()
  await dana.page.getByLabel('Your maximum').fill('14,321')
  await pressUntil(leads(dana), () => dana.page.getByRole('button', { name: 'Set maximum' }).click(pressMs))
  await bid(elena, '+$500', auctionDialog(elena).getByText("Another dealer's maximum raised the bid to $12,500"))
  t.notOk((await elena.page.content()).includes('14,321'), 'the maximum stays hidden')
  await endAuction(databaseUrl, post.id)
  await auctionDialog(dana).getByText('You won').waitFor()
  await auctionDialog(dana).getByText('Yours for $12,500. Your deal is ready').waitFor()
  await auctionDialog(elena).getByText('Bidder 1 bought at $12,500').waitFor()
  await Promise.all([dana.leave(), elena.leave()])
})

t.test('without a connection nobody can bid, and afterwards the page has the bids that it missed', async (t) => {
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
  await until('the ladder to be open', () => rung.isEnabled())
  await Promise.all([dana.context.close(), elena.leave()])
})

t.test('in the Lane, keys alone bid on six auctions, find the one that was outbid, and open the deal', async (t) => {
  const [marcus, dana, elena] = [
    await openDealer(browser, url, 'marcus'),
    await openDealer(browser, url, 'dana'),
    await openDealer(browser, url, 'elena'),
  ]
  const ids = await publishLane(marcus, url, 6)
  for (const dealer of [dana, elena]) await openLane(dealer, url, ids)
  const { keyboard } = dana.page
  for (const slot of [1, 2, 3, 4, 5, 6]) await bidByKeys(dana, slot)
  await place(elena, 2).getByText('Bidder 1 leads').waitFor()
  await bidByKeys(elena, 2)
  await place(dana, 2).getByText('You have been outbid').waitFor()
  await keyboard.press('5')
  await until('the focus to be where they were outbid', async () => {
    await keyboard.press('u')
    return hasFocus(place(dana, 2))
  })
  await bidByKeys(dana, 2)
  await endAuction(databaseUrl, ids[5] ?? '')
  await place(dana, 6).getByText('You won').waitFor()
  await place(dana, 6).getByRole('button', { name: 'Open deal' }).press('Enter')
  await dana.page.getByRole('heading', { name: 'Timeline' }).waitFor()
  t.match(dana.page.url(), /\/deals\/[0-9a-f-]+$/)
  await Promise.all([marcus.leave(), dana.leave(), elena.leave()])
})

t.test('a bid in the Lane that is armed when the line breaks or falls silent is not sent', async (t) => {
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
  await until('the place to be open', () => bid.isEnabled())
  await pressUntil(confirm, () => bid.click(pressMs))
  live.deafen()
  await isPaused()
  await until('the place to be open on another connection', () => bid.isEnabled())
  await place(elena, 3)
    .getByRole('button', { name: /^More for/ })
    .click()
  await elena.page.getByRole('menuitem', { name: 'Remove from Lane' }).click()
  await place(elena, 3).getByText('Pin an auction').waitFor()
  await tab.getByRole('region', { name: 'Position 3: ' }).getByText('Pin an auction').waitFor()
  await Promise.all([marcus.leave(), elena.context.close()])
})
