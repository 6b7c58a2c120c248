import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import t from 'tap'
import { usePostSlots } from '#client/pages/post-slots.tsx'
import { PostCard } from '#client/features/posts/post-card.tsx'
import { OwnReactions, type Post } from '#shared/schemas/posts.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { aCurrentUser, aFeedPost } from '#tests/support/records.ts'

function Card({ post }: { post: Post }) {
  const { slots, dialogs } = usePostSlots()
  return (
    <>
      <PostCard post={post} {...slots} />
      {dialogs}
    </>
  )
}

t.test('a post that only speaks of an auction has no price, clock or bids: it can be asked about', async (t) => {
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/watchlist/ids', () => answer(OwnReactions.properties.like, [])),
  )
  const post = aFeedPost({ title: 'Auction on Friday', auctionFacilitator: 'Manheim' })
  show(t, <Card post={post} />)
  const block = await screen.findByRole('group', { name: 'Auction' })
  t.match(block.textContent, /Facilitator.*Manheim/)
  t.notMatch(block.textContent, /\$|Time left|bid \$/)
  t.equal(screen.queryByRole('button', { name: 'Open live auction' }), null)
  fireEvent.click(screen.getByRole('button', { name: 'Ask about this auction' }))
  await becomes(t, () => screen.queryByRole('dialog')?.textContent.startsWith(`Message ${post.dealer.name}`), true)
})

t.test('its own seller is told how bidding opens', async (t) => {
  const me = aCurrentUser()
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/watchlist/ids', () => answer(OwnReactions.properties.like, [])),
  )
  show(t, <Card post={aFeedPost({ title: 'Auction on Friday', dealer: me })} />, me)
  t.match((await screen.findByRole('group', { name: 'Auction' })).textContent, /switch on “Run a live auction”/)
  t.equal(screen.queryByRole('button', { name: 'Ask about this auction' }), null)
})
