import type { Auction } from '#shared/schemas/auctions.ts'
import type { Deal, Offer } from '#shared/schemas/deals.ts'
import type { Post } from '#shared/schemas/posts.ts'
import t from 'tap'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import {
  bidUntil,
  type DealerPage,
  liveSwitch,
  openDealer,
  pressMs,
  pressUntil,
  signIn,
} from '#tests/support/dealer-page.ts'
import { aPost } from '#tests/support/factories.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)
const skewMs = 10_000
const minuteMs = 60_000

/** An auction of Marcus's at $10,000 without a reserve. */
async function publishAuction(title: string): Promise<Post> {
  const context = await signIn(browser, url, 'marcus')
  const data = aPost({ title: `${title}, live auction`, auction: { startAmount: 10_000, reserveAmount: null } })
  const answer = await context.request.post('/api/inventory', { data, headers: { origin: url } })
  if (!answer.ok()) throw new Error(`the post was refused: ${answer.status()} ${await answer.text()}`)
  const post = (await answer.json()) as Post
  await context.close()
  return post
}

async function openAuction({ page }: DealerPage, { id }: Post): Promise<void> {
  await page.goto(`/post/${id}`)
  await page.getByRole('button', { name: 'Open live auction' }).click()
  await page.getByRole('heading', { name: 'Bid ladder' }).waitFor()
}

const dialog = ({ page }: DealerPage) => page.getByRole('dialog')

const leads = (dealer: DealerPage) => dialog(dealer).getByText('You are winning')

/** Bids by a rung, until what comes of it is seen. */
async function bid(dealer: DealerPage, rung: string, seen = leads(dealer)): Promise<void> {
  const named = (name: string | RegExp) => dialog(dealer).getByRole('button', { name }).filter({ visible: true })
  const confirm = named(/^Confirm/)
  await bidUntil(seen, confirm, {
    bid: () => named(`Bid ${rung}, `).click(pressMs),
    confirm: () => confirm.click(pressMs),
  })
}

t.test('two dealers bid against each other and see it at once; a maximum answers by itself', async (t) => {
  const post = await publishAuction('Silverado one')
  const [dana, elena] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
  for (const dealer of [dana, elena]) await openAuction(dealer, post)
  await bid(dana, 'Start')
  await dialog(elena).getByText('Current bid, Bidder 1').waitFor()
  await dialog(elena).getByText('2 viewers').first().waitFor()
  await bid(elena, '+$1,000')
  await dialog(dana).getByText('You have been outbid').first().waitFor()
  await dana.page.getByLabel('Your maximum').fill('14,321')
  await pressUntil(leads(dana), () => dana.page.getByRole('button', { name: 'Set maximum' }).click(pressMs))
  await bid(elena, '+$500', dialog(elena).getByText('Another dealer’s maximum went to $12,500'))
  t.notOk((await elena.page.content()).includes('14,321'), 'the maximum stays hidden')
  const oneTap = async () => {
    const saved = elena.page.waitForResponse('**/api/settings')
    await dialog(elena).getByRole('switch', { name: 'One-tap bids' }).click()
    await saved
  }
  await oneTap()
  const oneTapBid = elena.page.getByRole('button', { name: 'Bid +$2,500, ' })
  await pressUntil(leads(elena), () => oneTapBid.click(pressMs))
  await oneTap()
  await Promise.all([dana.leave(), elena.leave()])
})

/** Of the buttons that bid, those under a toast; none while no toast is shown. */
const underToast = ({ page }: DealerPage) =>
  page.evaluate(() => {
    const toast = document.querySelector('ol > li[data-state=open]')?.getBoundingClientRect()
    if (!toast) return ['there is no toast']
    return [...document.querySelectorAll('[role=dialog] button')]
      .filter((button) => /^(Bid|Confirm|Set maximum)/.test(button.getAttribute('aria-label') ?? button.textContent))
      .filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect()
        return left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top
      })
      .map((button) => button.textContent)
  })

t.test('no toast lies over the buttons that bid, on any width', async (t) => {
  const [lost, open] = [await publishAuction('Silverado three'), await publishAuction('Silverado four')]
  const [dana, elena] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
  for (const dealer of [dana, elena]) await openAuction(dealer, lost)
  await bid(dana, 'Start')
  await openAuction(dana, open)
  await bid(elena, '+$500')
  await dana.page.locator('ol > li[data-state=open]').getByText('You have been outbid').waitFor()
  for (const width of [1440, 1280, 820, 390]) {
    await dana.page.setViewportSize({ width, height: 900 })
    await dana.page.getByRole('button', { name: 'Bid Start, ' }).waitFor()
    t.same(await underToast(dana), [], `${width} px`)
  }
  await Promise.all([dana.leave(), elena.leave()])
})

t.test(
  'without a connection nobody can bid and the reason stands beside it; afterwards the state is fetched',
  async (t) => {
    const post = await publishAuction('Silverado two')
    const [dana, elena] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
    const live = await liveSwitch(dana)
    for (const dealer of [dana, elena]) await openAuction(dealer, post)
    const rung = dana.page.getByRole('button', { name: 'Bid +$500, ' })
    await live.cut()
    await dialog(dana).getByText('Bidding is paused until the connection is back').first().waitFor()
    t.ok(await rung.isDisabled())
    await bid(elena, 'Start')
    live.restore()
    await dialog(dana).getByText('Current bid, Bidder 1').waitFor()
    await until('the ladder to be open', () => rung.isEnabled())
    await Promise.all([dana.leave(), elena.leave()])
  },
)

t.test('beside the feed an auction covers nothing: the dock is all there, at every width', async (t) => {
  const post = await publishAuction('Silverado five')
  const dana = await openDealer(browser, url, 'dana')
  const { page } = dana
  await page.goto('/')
  const card = page.getByRole('article').filter({ hasText: post.title })
  const opener = card.getByRole('button', { name: 'Open live auction' })
  await opener.click()
  const panel = page.getByRole('dialog', { name: post.title })
  await panel.getByRole('heading', { name: 'Bid ladder' }).waitFor()
  t.equal(await panel.getAttribute('aria-modal'), null)
  t.ok(await panel.evaluate((element) => element.contains(document.activeElement)), 'the focus is in it')
  await page.getByRole('button', { name: /^Messaging/ }).click()
  for (const name of ['Karen Boyle', 'Elena Park', 'Priya Nair'])
    await page.getByRole('list', { name: 'Conversations' }).getByText(name).click()
  const box = page.getByRole('textbox', { name: 'Message to Priya Nair' })
  await box.waitFor()
  for (const width of [1600, 1440, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await box.fill(`At ${width}`)
    const edge = (await panel.boundingBox())?.width ?? 0
    const lefts = await page
      .locator('[aria-label="Messaging dock"] > *, [data-feed-item]')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().left))
    t.same(
      lefts.filter((left) => left < edge),
      [],
      `${width} px`,
    )
  }
  await box.press('Escape')
  await box.waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Bid Start, ' }).press('Escape')
  await panel.waitFor({ state: 'detached' })
  t.ok(await opener.evaluate((element) => element === document.activeElement), 'the focus is back')
  await dana.leave()
})

t.test('the auction, its video, an offer and a deal pass axe in both themes', async (t) => {
  const dana = await openDealer(browser, url, 'dana')
  const { page, context } = dana
  const read = async <T>(path: string) => (await (await context.request.get(path)).json()) as T
  const posts = await read<Post[]>('/api/inventory?sort=auction-promo&limit=10')
  // The demo's auctions end and begin again by themselves.
  const pictured = await until('an auction with photos that runs for another minute', async () => {
    for (const post of posts.filter(({ photoUrls, hasAuction }) => photoUrls.length > 0 && hasAuction)) {
      const { status, endsAt } = await read<Auction>(`/api/inventory/${post.id}/auction`)
      if (status === 'open' && Date.parse(endsAt) - Date.now() > minuteMs) return post
    }
    return undefined
  })
  await openAuction(dana, pictured)
  t.same(await violationsInBothThemes(page), [], 'the auction')
  await page.getByRole('button', { name: 'Live video' }).click()
  const video = page.getByRole('dialog', { name: 'Live video' })
  await video.getByRole('button', { name: 'Play' }).waitFor()
  t.same(await violationsInBothThemes(page), [], 'the video')
  const { id } = await read<{ id: string }>('/api/auth/me')
  const offered = new Set((await read<Offer[]>('/api/offers')).map(({ postId }) => postId))
  const forSale = (await read<Post[]>('/api/inventory?sort=for-sale&limit=20')).find(
    (post) => post.dealer.id !== id && post.availableCount > 0 && !offered.has(post.id),
  )
  await page.goto(`/post/${forSale?.id}`)
  await page.getByRole('button', { name: 'Make offer' }).first().click()
  await page.getByRole('dialog', { name: 'Make an offer' }).waitFor()
  t.same(await violationsInBothThemes(page), [], 'the offer')
  await page.getByLabel('Your offer').fill('15250')
  await page.getByRole('button', { name: 'Send offer' }).click()
  await page.getByRole('link', { name: 'Your offer: $15,250' }).waitFor()
  const approved = (await read<Deal[]>(`/api/deals/${id}`)).find(({ status }) => status !== 'pending')
  await goWithin(page, `/deals/${approved?.id}`)
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  t.same(await violationsInBothThemes(page), [], 'the deal')
  await dana.leave()
})

t.test('clocks ten seconds off count down to the same end', async (t) => {
  const post = await publishAuction('Silverado three')
  for (const skew of [-skewMs, 0, skewMs]) {
    const dana = await openDealer(browser, url, 'dana')
    await dana.page.clock.install({ time: Date.now() + skew })
    await openAuction(dana, post)
    const { endsAt } = (await (await dana.context.request.get(`/api/inventory/${post.id}/auction`)).json()) as Auction
    const clock = dana.page.getByRole('region', { name: 'Price and time' }).getByText(/^\d+:\d\d$/)
    await until(`the right time left with a clock ${skew} ms off`, async () => {
      const [minutes = 0, seconds = 0] = (await clock.innerText()).split(':').map(Number)
      const left = (Date.parse(endsAt) - Date.now()) / 1_000
      return Math.abs(left - (minutes * 60 + seconds)) < skewMs / 2_000
    })
    t.pass(`skew ${skew}`)
    await dana.context.close()
  }
})
