import pg from 'pg'
import t from 'tap'
import type { Locator } from 'playwright-core'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { bidUntil, type DealerPage, liveSwitch, openDealer, pressMs, pressUntil } from '#tests/support/dealer-page.ts'
import { aPost } from '#tests/support/factories.ts'
import { startProduct } from '#tests/support/product.ts'
import { cloneDatabase } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'
import type { Post } from '#shared/schemas/posts.ts'

const databaseUrl = await cloneDatabase(t, 'TEST_DEMO_TEMPLATE')
const url = await startProduct(t, { RATE_LIMITS: 'off', DATABASE_URL: databaseUrl })
const browser = await openBrowser(t)
const [marcus, dana, elena] = [
  await openDealer(browser, url, 'marcus'),
  await openDealer(browser, url, 'dana'),
  await openDealer(browser, url, 'elena'),
]
const headers = { origin: url }

/** Auctions of Marcus's without a reserve, one for each place. */
async function publishSix(): Promise<string[]> {
  const ids: string[] = []
  for (let place = 1; place <= 6; place += 1) {
    const auction = { startAmount: 10_000 * place, reserveAmount: null }
    const data = aPost({ title: `Truck ${place}, live auction`, auction })
    const answer = await marcus.context.request.post('/api/inventory', { data, headers })
    if (!answer.ok()) throw new Error(`the post was refused: ${answer.status()} ${await answer.text()}`)
    ids.push(((await answer.json()) as Post).id)
  }
  return ids
}

const place = ({ page }: DealerPage, slot: number): Locator => page.getByRole('region', { name: `Position ${slot}: ` })

/** The dealer has these on their places, and nothing else of the demo's comes there by itself. */
async function openWith(dealer: DealerPage, ids: readonly string[]): Promise<void> {
  const pins = ids.map((postId, index) => ({ postId, slot: index + 1 }))
  const answer = await dealer.context.request.put('/api/lane/pins', { data: { pins }, headers })
  await dealer.context.request.patch('/api/settings', { data: { lane: { autoPin: false, panes: 6 } }, headers })
  if (!answer.ok()) throw new Error(`not pinned: ${answer.status()} ${await answer.text()}`)
  await dealer.page.goto('/lane')
  await place(dealer, 1)
    .getByRole('button', { name: /^Bid \$/ })
    .waitFor()
}

const leads = (dealer: DealerPage, slot: number): Locator => place(dealer, slot).getByText('You are winning')

/** By keys alone: to that place, bid, confirm, until the place leads. */
async function bidByKeys(dealer: DealerPage, slot: number): Promise<void> {
  const { keyboard } = dealer.page
  await keyboard.press(String(slot))
  await bidUntil(leads(dealer, slot), place(dealer, slot).getByRole('button', { name: /^Confirm/ }), {
    bid: () => keyboard.press('b'),
    confirm: () => keyboard.press('Enter'),
  })
}

/** Its time is over. */
async function end(postId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const times = `ends_at = now(), hard_ends_at = now() + interval '1 ms', starts_at = now() - interval '1 hour'`
  await client.query(`update auctions set ${times} where post_id = $1`, [postId])
  await client.end()
}

const ids = await publishSix()

t.test('three dealers, six auctions, keys alone: who leads, who was outbid, and who won', async (t) => {
  await openWith(dana, ids)
  await openWith(elena, ids)
  for (let slot = 1; slot <= 6; slot += 1) {
    await bidByKeys(dana, slot)
  }
  await place(elena, 2).getByText('Bidder 1 leads').waitFor()
  await bidByKeys(elena, 2)
  await place(dana, 2).getByText('You have been outbid').waitFor()
  await dana.page.keyboard.press('5')
  await until('the focus to be where they were outbid', async () => {
    await dana.page.keyboard.press('u')
    return place(dana, 2).evaluate((element) => element === document.activeElement)
  })
  await bidByKeys(dana, 2)
  await marcus.page.goto('/lane?view=selling')
  await marcus.page.getByRole('heading', { name: /^Bids on the/ }).waitFor()
  await end(ids[5] ?? '')
  await place(dana, 6).getByText('You won').waitFor()
  await place(dana, 6).getByRole('button', { name: 'Open deal' }).click()
  await dana.page.getByRole('heading', { name: 'Timeline' }).waitFor()
  t.match(dana.page.url(), /\/deals\/[0-9a-f-]+$/)
})

t.test(
  'offline while armed, also where the line only falls silent: nothing is sent; back again, the places go on; another tab follows',
  async (t) => {
    const alone = await openDealer(browser, url, 'elena')
    const live = await liveSwitch(alone)
    await alone.page.goto('/lane')
    const bid = place(alone, 1).getByRole('button', { name: 'Bid $10,500' })
    await pressUntil(place(alone, 1).getByRole('button', { name: 'Confirm $10,500' }), () => bid.click(pressMs))
    await live.cut()
    await place(alone, 1).getByText('Bids are paused').waitFor()
    await place(alone, 1).getByText('Nothing was sent.').waitFor()
    t.ok(await bid.isDisabled())
    live.restore()
    await until('the place to be open', () => bid.isEnabled())
    await pressUntil(place(alone, 1).getByRole('button', { name: 'Confirm $10,500' }), () => bid.click(pressMs))
    live.deafen()
    await place(alone, 1).getByText('Bids are paused').waitFor()
    await place(alone, 1).getByText('Nothing was sent.').waitFor()
    await until('another connection', () => bid.isEnabled())
    await place(alone, 3)
      .getByRole('button', { name: /^More for/ })
      .click()
    await alone.page.getByRole('menuitem', { name: 'Take off the screen' }).click()
    await place(alone, 3).getByText('Pin an auction').waitFor()
    await place(elena, 3).getByText('Pin an auction').waitFor()
    await alone.leave()
  },
)

t.test('axe finds nothing, wide and on a phone, where an auction fills the screen and a press confirms', async (t) => {
  t.same(await violationsInBothThemes(elena.page), [], 'six places')
  t.same(await violationsInBothThemes(marcus.page), [], 'selling')
  const phone = await openDealer(browser, url, 'elena', { width: 390 })
  await phone.page.goto(`/lane?post=${ids[3]}`)
  const named = (name: string) => phone.page.getByRole('button', { name })
  await bidUntil(phone.page.getByText('You are winning'), named('Confirm $40,500'), {
    bid: () => named('Bid $40,500').click(pressMs),
    confirm: () => named('Confirm $40,500').click(pressMs),
  })
  t.same(await violationsInBothThemes(phone.page), [], 'an auction')
  await phone.page.getByRole('button', { name: 'Back to the run list' }).click()
  await phone.page.getByRole('region', { name: 'Run list' }).waitFor()
  t.same(await violationsInBothThemes(phone.page), [], 'the run list')
  t.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing sticks out')
  await phone.context.close()
})
