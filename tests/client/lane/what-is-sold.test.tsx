import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import t from 'tap'
import { filledPins } from '#client/features/lane/position/lane-pins.ts'
import { PostPhotoViewer } from '#client/features/posts/photos/post-photo-viewer.tsx'
import { PostDetail } from '#shared/schemas/posts.ts'
import { openLane, position } from '#tests/support/lane-screen.tsx'
import { aRow } from '#tests/support/lane.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { anAuction, aPostDetail } from '#tests/support/records.ts'

const type = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const bidder = { isSeller: false, number: 1, maximum: null, preset: null }

t.test('shows seller, color, title and mileage, and all photos by one key or press', async (t) => {
  const auctions = [anAuction(), anAuction()]
  const photo = { photoUrl: '/objects/a', photoCount: 12 }
  const pinned = auctions.map((auction, index) => aRow(auction, index === 0 ? photo : {}))
  const { ways } = openLane(t, auctions, { running: pinned, pinned })
  const first = await position(1)
  t.match(first.textContent, /48,210 mi·Tulsa, OK·Silver·Clean title.*Webb Bros Auto.*4\.6 \/ 5/)
  type('1')
  type('v')
  t.same(ways.pictured, [auctions[0]?.postId])
  fireEvent.click(within(first).getByRole('button', { name: 'View 12 photos of 2021 Ford F-150 XLT' }))
  t.equal(ways.pictured.length, 2)
  await position(2)
  type('2')
  type('v')
  t.equal(ways.pictured.length, 2, 'an auction without photos opens nothing')
})

t.test("browses all photos of a post, from the auction's own", async (t) => {
  const urls = ['a', 'b', 'c'].map((name) => `/objects/${name}`)
  const post = aPostDetail({ photoUrls: urls })
  const network = fakeNetwork(t)
  network.use(http.get('*/api/inventory/:id', () => answer(PostDetail, post)))
  show(t, <PostPhotoViewer postId={post.id} title="2021 Ford F-150" first="/objects/b" onClose={() => undefined} />)
  const dialog = await screen.findByRole('dialog', { name: '2021 Ford F-150' })
  t.ok(await within(dialog).findByText('2 of 3'))
  for (const [key, where] of [
    ['ArrowRight', '3 of 3'],
    ['ArrowRight', '1 of 3'],
    ['ArrowLeft', '3 of 3'],
    ['Home', '1 of 3'],
  ] as const) {
    fireEvent.keyDown(dialog, { key })
    t.ok(within(dialog).getByText(where), key)
  }
})

t.test('fills the positions with the auctions ending soonest, and keeps those with a bid of the dealer', async (t) => {
  const own = anAuction({ you: { ...bidder, isSeller: true, number: null }, endsAt: inMs(60_000) })
  const mine = anAuction({ you: bidder, amount: 20_000, leader: 1, endsAt: inMs(900_000) })
  const others = [800, 300, 700, 600].map((seconds) => anAuction({ endsAt: inMs(seconds * 1_000) }))
  const late = others[0]?.postId ?? ''
  const { pins } = openLane(t, [own, mine, ...others], { pins: [{ postId: mine.postId, slot: 2 }] })
  fireEvent.click(await screen.findByRole('button', { name: 'Fill with the three ending soonest' }))
  const soonest = [1, 3, 2].map((index) => others[index]?.postId ?? '')
  const [a, b, c] = soonest
  const slots = () =>
    pins
      .at(-1)
      ?.toSorted((one, other) => (one.slot ?? 0) - (other.slot ?? 0))
      .map(({ postId }) => postId)
  await becomes(t, slots, [a, mine.postId, b, c])
  const first = await position(1)
  t.ok(document.activeElement === first, `the focus stays where the button was: ${document.activeElement?.outerHTML}`)
  t.notOk(pins.at(-1)?.some(({ postId }) => postId === late))
  type('f')
  t.equal(pins.length, 1, 'nothing to change')
})

t.test('moves no auction that is shown already, and uses empty positions first', async (t) => {
  const pins = [
    { postId: 'late', slot: 1 },
    { postId: 'soon', slot: 2 },
    { postId: 'hidden', slot: 5 },
  ]
  const filled = filledPins(pins, 4, () => false, ['first', 'soon', 'third', 'hidden', 'late'])
  t.equal(filled.count, 4)
  const shown = filled.pins.filter(({ slot }) => slot !== null && slot <= 4)
  t.same(
    new Map(shown.map(({ postId, slot }) => [slot, postId])),
    new Map([
      [2, 'soon'],
      [3, 'first'],
      [4, 'third'],
      [1, 'hidden'],
    ]),
  )
  t.same(
    filledPins(pins, 2, (postId) => postId === 'late', []),
    { count: 0, pins },
    'nothing to show: all stay',
  )
})
