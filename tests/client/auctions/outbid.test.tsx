import { becomes, show } from '#tests/support/screen.tsx'
import { act, screen } from '@testing-library/react'
import t from 'tap'
import { OutbidToast } from '#client/features/auctions/outbid-toast.tsx'
import { auctionsLive } from '#client/features/auctions/auctions.live.ts'
import { Auction } from '#shared/schemas/auctions.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { aFeedPost, anAuction } from '#tests/support/records.ts'

t.test('offers an outbid dealer the next bid until they lead again', async (t) => {
  const { id: postId } = aFeedPost()
  const you = { isSeller: false, number: 1, maximum: null, preset: null }
  const auction = anAuction({ postId, seq: 2, amount: 26_000, minNext: 26_500, bidCount: 2, leader: 2, you })
  const { you: _you, seller: _seller, ...state } = auction
  fakeNetwork(t).use(http.get('*/api/inventory/:id/auction', () => answer(Auction, auction)))
  const { cache } = show(t, <OutbidToast />)
  act(() => auctionsLive['auction.outbid'](cache, { postId, title: 'Silverado', amount: 26_000, seq: 2 }))
  const bid = await screen.findByRole('link', { name: 'Bid $26,500' })
  t.equal(bid.getAttribute('href'), `/lane?post=${postId}`)
  t.equal(screen.getByRole('link', { name: 'Open' }).getAttribute('href'), `/post/${postId}`)
  await becomes(t, () => cache.getQueryData(['/api/inventory', 'auction', postId]) !== undefined, true)
  act(() => auctionsLive['auction.state'](cache, { ...state, seq: 3, amount: 27_000, minNext: 27_500, bidCount: 3 }))
  await becomes(t, () => screen.queryByRole('link', { name: 'Bid $27,500' }) !== null, true)
  t.ok(screen.getByText('Silverado: now $27,000'))
  act(() => auctionsLive['auction.state'](cache, { ...state, seq: 4, amount: 27_500, leader: 1, bidCount: 4 }))
  await becomes(t, () => screen.queryByText('You have been outbid'), null)
})
