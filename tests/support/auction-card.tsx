import { act, screen } from '@testing-library/react'
import type { Test } from 'tap'
import { auctionsLive } from '#client/features/auctions/auctions.live.ts'
import { PostCard } from '#client/features/posts/card/post-card.tsx'
import { usePostSlots } from '#client/pages/post-slots.tsx'
import { Auction } from '#shared/schemas/auctions.ts'
import { OwnReactions, type Post } from '#shared/schemas/posts.ts'
import { answer, fakeNetwork, http } from './network.ts'
import { aFeedPost, anAuction } from './records.ts'
import { show } from './screen.tsx'

export function Card({ post }: { post: Post }) {
  const { slots, dialogs } = usePostSlots()
  return (
    <>
      <PostCard post={post} {...slots} />
      {dialogs}
    </>
  )
}

export function anAuctionOf(
  t: Test,
  endsInMs: number,
  about: Partial<Auction> = {},
  status: Post['status'] = 'active',
) {
  const post = aFeedPost({ title: 'Silverado, live auction', hasAuction: true, status })
  const endsAt = new Date(Date.now() + endsInMs).toISOString()
  const startsAt = new Date(Date.now() - 600_000 + endsInMs).toISOString()
  let auction = anAuction({ postId: post.id, startsAt, endsAt, hardEndsAt: endsAt, ...about })
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/watchlist/ids', () => answer(OwnReactions.properties.like, [])),
    http.get('*/api/inventory/:id/auction', () => answer(Auction, auction)),
  )
  const { cache, container } = show(t, <Card post={post} />)
  /** Applies a change as the server would: sends the event, and includes the change in later responses. */
  const tell = (change: Partial<Auction>) => {
    auction = { ...auction, ...change, seq: auction.seq + 1 }
    const { you: _you, seller: _seller, ...state } = auction
    act(() => auctionsLive['auction.state'](cache, state))
  }
  return { auction, tell, container, network }
}

export const badges = () => ['LIVE', 'Active', 'Auction ended'].filter((word) => screen.queryAllByText(word).length > 0)
