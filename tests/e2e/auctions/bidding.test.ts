import t from 'tap'
import { auctionDialog, bid, endAuction, leads, openAuction, publishAuction } from '#tests/support/auction-page.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openDealer, pressMs, pressUntil } from '#tests/support/dealer-page.ts'
import { hasFocus } from '#tests/support/keys.ts'
import { bidByKeys, openLane, place, publishLane } from '#tests/support/lane-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { cloneDatabase } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const databaseUrl = await cloneDatabase(t, 'TEST_DEMO_TEMPLATE')
const url = await startProduct(t, { RATE_LIMITS: 'off', DATABASE_URL: databaseUrl })
const browser = await openBrowser(t)

t.test('lets two dealers bid live against each other, raises a maximum by itself, and ends with a deal', async (t) => {
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
  t.notOk((await elena.page.content()).includes('14,321'), 'the maximum bid stays hidden')
  await endAuction(databaseUrl, post.id)
  await auctionDialog(dana).getByText('You won').waitFor()
  await auctionDialog(dana).getByText('Yours for $12,500. Your deal is ready').waitFor()
  await auctionDialog(elena).getByText('Bidder 1 bought at $12,500').waitFor()
  await Promise.all([dana.leave(), elena.leave()])
})

t.test('bids on six Lane auctions, finds an outbid one, and opens the deal, all by keyboard', async (t) => {
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
  await until('the focus to reach the auction where they were outbid', async () => {
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
