import { becomes, show } from '#tests/support/screen.tsx'
import { screen, within } from '@testing-library/react'
import t from 'tap'
import { AuctionPopup } from '#client/features/auctions/auction-popup.tsx'
import { formatTime } from '#client/ui/format.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { anAuctionOf, badges } from '#tests/support/auction-card.tsx'
import { aFeedPost } from '#tests/support/records.ts'
import { aClock, stopTime } from '#tests/support/stopped-time.ts'

/** `Today` may become `Tomorrow` or the other way round if a day ends during the test. */
const startTime = /^(?:Today|Tomorrow) \d+:\d\d/

t.test('shows the start of a later auction instead of LIVE', async (t) => {
  stopTime(t, { apis: ['Date'], now: new Date().setHours(12, 0, 0, 0) })
  const startsAt = new Date(Date.now() + 86_400_000).toISOString()
  anAuctionOf(t, 90_000_000, { startsAt })
  const { textContent } = await screen.findByText(startTime)
  t.equal(textContent, `Tomorrow ${formatTime(startsAt)}`)
  t.same(badges(), ['Active'])
})

t.test('switches to LIVE at the start without a server event', async (t) => {
  const clock = aClock(t)
  anAuctionOf(t, 600_000, { startsAt: new Date(Date.now() + 60_000).toISOString() })
  t.ok(await screen.findByText(startTime))
  t.same(badges(), ['Active'])
  clock.ms += 60_000
  await becomes(t, badges, ['LIVE', 'Active'])
  t.equal(screen.queryByText(startTime), null)
})

t.test('shows that the auction of a sold post has ended', async (t) => {
  anAuctionOf(t, -60_000, { status: 'sold', amount: 21_000 }, 'sold')
  await becomes(t, () => screen.queryAllByText('Auction ended').length, 2)
  t.equal(screen.queryAllByText('Sold').length, 2, "the post's badge and the auction's state")
})

t.test('shows in the popup when the auction starts, that it is LIVE, or that it has ended', async (t) => {
  const { auction } = anAuctionOf(t, 300_000)
  const post = aFeedPost({ id: auction.postId, title: 'Silverado, live auction', hasAuction: true })
  const header = async (about: Partial<Auction>) => {
    const { unmount } = show(t, <AuctionPopup post={post} auction={{ ...auction, ...about }} onClose={() => {}} />)
    await screen.findByRole('region', { name: 'Price and time' })
    const dialog = screen.queryByRole('dialog') ?? screen.getByRole('complementary')
    const said = ['LIVE', 'Auction ended'].filter((word) => within(dialog).queryAllByText(word).length > 0)
    const starts = within(dialog).queryByText(/^Today|^Tomorrow/) !== null
    unmount()
    return { said, starts }
  }
  t.same(await header({}), { said: ['LIVE'], starts: false })
  t.same(await header({ startsAt: new Date(Date.now() + 60_000).toISOString() }), { said: [], starts: true })
  t.same(await header({ status: 'no_sale' }), { said: ['Auction ended'], starts: false })
})

t.test('shows "You are winning" only once the reserve is met', async (t) => {
  const you = { isSeller: false, number: 1, maximum: null, preset: null }
  const led = { amount: 21_000, bidCount: 1, leader: 1, reserve: 'not_met', you } as const
  const { tell } = anAuctionOf(t, 300_000, led)
  const state = () =>
    ['You are winning', 'High bid, reserve not met'].filter((words) => screen.queryByText(words) !== null)
  t.ok(await screen.findByRole('button', { name: 'Open live auction' }))
  t.same(state(), ['High bid, reserve not met'])
  t.match(screen.getByText('High bid, reserve not met').className, 'text-warning-ink')
  tell({ amount: 25_000, reserve: 'met' })
  await becomes(t, state, ['You are winning'])
  t.match(screen.getByText('You are winning').className, 'text-success-ink')
})
