import type { Auction } from '#shared/schemas/auctions.ts'
import type { Deal, Offer } from '#shared/schemas/deals.ts'
import type { Post } from '#shared/schemas/posts.ts'
import t from 'tap'
import { bid, openAuction, publishAuction } from '#tests/support/auction-page.ts'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { type DealerPage, openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)
const skewMs = 10_000
const minuteMs = 60_000

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

t.test('keeps toasts off the bid buttons at any width', async (t) => {
  const [lost, open] = [
    await publishAuction(browser, url, 'Silverado three'),
    await publishAuction(browser, url, 'Silverado four'),
  ]
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

t.test('leaves feed and dock uncovered beside an open auction at every width', async (t) => {
  const post = await publishAuction(browser, url, 'Silverado five')
  const dana = await openDealer(browser, url, 'dana')
  const { page } = dana
  await page.goto('/')
  const card = page.getByRole('article').filter({ hasText: post.title })
  const opener = card.getByRole('button', { name: 'Open live auction' })
  await opener.click()
  const panel = page.getByRole('dialog', { name: post.title })
  await panel.getByRole('heading', { name: 'Bid ladder' }).waitFor()
  t.equal(await panel.getAttribute('aria-modal'), null)
  t.ok(await panel.evaluate((element) => element.contains(document.activeElement)), 'the panel has the focus')
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
  t.ok(await opener.evaluate((element) => element === document.activeElement), 'the focus returns to the button')
  await dana.leave()
})

t.test('has no axe violations in the auction, its video, an offer and a deal in both themes', async (t) => {
  const dana = await openDealer(browser, url, 'dana')
  const { page, context } = dana
  const read = async <T>(path: string) => (await (await context.request.get(path)).json()) as T
  const posts = await read<Post[]>('/api/inventory?sort=auction-promo&limit=10')
  // Demo auctions end and restart on their own, so wait for an auction that runs long enough.
  const pictured = await until('an auction with photos that runs for another minute', async () => {
    for (const post of posts.filter(({ photoUrls, hasAuction }) => photoUrls.length > 0 && hasAuction)) {
      const { status, endsAt } = await read<Auction>(`/api/inventory/${post.id}/auction`)
      if (status === 'open' && Date.parse(endsAt) - Date.now() > minuteMs) return post
    }
    return undefined
  })
  await openAuction(dana, pictured)
  t.same(await violationsInBothThemes(page), [], 'auction')
  await page.getByRole('button', { name: 'Photo walk-around' }).click()
  const video = page.getByRole('dialog', { name: 'Photo walk-around' })
  await video.getByRole('button', { name: 'Play' }).waitFor()
  t.same(await violationsInBothThemes(page), [], 'video')
  const { id } = await read<{ id: string }>('/api/auth/me')
  const offered = new Set((await read<Offer[]>('/api/offers')).map(({ postId }) => postId))
  const forSale = (await read<Post[]>('/api/inventory?sort=for-sale&limit=20')).find(
    (post) => post.dealer.id !== id && post.availableCount > 0 && !offered.has(post.id),
  )
  await page.goto(`/post/${forSale?.id}`)
  await page.getByRole('button', { name: 'Make offer' }).first().click()
  await page.getByRole('dialog', { name: 'Make an offer' }).waitFor()
  t.same(await violationsInBothThemes(page), [], 'offer')
  await page.getByLabel('Your offer').fill('15250')
  await page.getByRole('button', { name: 'Send offer' }).click()
  await page.getByRole('link', { name: 'Your offer: $15,250' }).waitFor()
  const approved = (await read<Deal[]>(`/api/deals/${id}`)).find(({ status }) => status !== 'pending')
  await goWithin(page, `/deals/${approved?.id}`)
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  t.same(await violationsInBothThemes(page), [], 'deal')
  await dana.leave()
})

t.test('counts down to the same end on clocks that are ten seconds off', async (t) => {
  const post = await publishAuction(browser, url, 'Silverado three')
  for (const skew of [-skewMs, 0, skewMs]) {
    const dana = await openDealer(browser, url, 'dana')
    await dana.page.clock.install({ time: Date.now() + skew })
    await openAuction(dana, post)
    const { endsAt } = (await (await dana.context.request.get(`/api/inventory/${post.id}/auction`)).json()) as Auction
    const clock = dana.page.getByRole('region', { name: 'Price and time' }).getByText(/^\d+:\d\d$/)
    await until(`the right time left on a clock ${skew} ms off`, async () => {
      const [minutes = 0, seconds = 0] = (await clock.innerText()).split(':').map(Number)
      const left = (Date.parse(endsAt) - Date.now()) / 1_000
      return Math.abs(left - (minutes * 60 + seconds)) < skewMs / 2_000
    })
    t.pass(`skew ${skew}`)
    await dana.context.close()
  }
})
