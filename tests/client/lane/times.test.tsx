import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import t from 'tap'
import Type from 'typebox'
import { postsLive } from '#client/features/posts/posts.live.ts'
import { laneLive } from '#client/features/lane/lane.live.ts'
import { type LiveSocket, setSocket } from '#client/lib/live/connection.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { onTick } from '#client/lib/live/shared-clocks.ts'
import { WatchlistPage } from '#client/pages/watchlist.tsx'
import { Auction } from '#shared/schemas/auctions.ts'
import { OwnReactions, Post, PostDetail } from '#shared/schemas/posts.ts'
import { SavedSearch } from '#shared/schemas/saved.ts'
import { openLane, position } from '#tests/support/lane-screen.tsx'
import { aRow } from '#tests/support/lane.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { anAuction, aFeedPost, aPostDetail } from '#tests/support/records.ts'
import { aClock, stopTime } from '#tests/support/stopped-time.ts'

const bidder = { isSeller: false, number: 1, maximum: null, preset: null }
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

const lostAuction = () => anAuction({ status: 'sold', amount: 21_000, bidCount: 2, leader: 2, you: bidder })

function watched(model: string, endsInMs: number) {
  const auction = anAuction({ endsAt: inMs(endsInMs) })
  return { auction, row: aRow(auction, { model, you: { ...auction.you, watching: true } }) }
}

t.test('disarms when the auction ends and sends nothing', async (t) => {
  const auctions = [anAuction(), anAuction()]
  const { bids, tell, cache } = openLane(t, auctions)
  /** Changes an auction, both through an event and in later responses. */
  const says = (index: number, about: Partial<Auction>) => {
    const auction = { ...(auctions[index] ?? anAuction()), ...about }
    auctions[index] = auction
    tell(auction)
  }
  const arm = async (slot: number) => {
    const where = await position(slot)
    const { queryKey } = auctionQuery(auctions[slot - 1]?.postId ?? '')
    await becomes(t, () => cache.getQueryData(queryKey) !== undefined, true)
    fireEvent.click(within(where).getByRole('button', { name: 'Bid $20,000' }))
    t.ok(within(where).getByRole('button', { name: 'Confirm $20,000' }))
    return where
  }
  const [first, second] = [await arm(1), await position(2)]
  says(0, { seq: 2, endsAt: inMs(-1_000) })
  t.ok(await within(first).findByText('Closing…'))
  t.equal(within(first).queryByRole('button', { name: /^(Confirm|Bid)/ }), null)
  fireEvent.keyDown(first, { key: 'Enter' })
  says(0, { seq: 3, endsAt: inMs(300_000) })
  t.ok(await within(first).findByRole('button', { name: 'Bid $20,000' }), 'not armed after it resumes either')
  await arm(2)
  says(1, { seq: 2, status: 'no_sale', endsAt: inMs(-1_000) })
  t.ok(await within(second).findByText('No sale'))
  fireEvent.keyDown(second, { key: 'Enter' })
  t.equal(within(second).queryByRole('button', { name: /^(Confirm|Bid)/ }), null)
  t.same(bids, [])
})

t.test('disarms after six seconds, not before', async (t) => {
  const { bids } = openLane(t, [anAuction()])
  const first = await position(1)
  const bid = await within(first).findByRole('button', { name: 'Bid $20,000' })
  const clock = aClock(t)
  const time = stopTime(t)
  const pass = (ms: number) => {
    clock.ms += ms
    act(() => time.tick(ms))
  }
  fireEvent.click(bid)
  t.ok(within(first).getByText(/^Confirm within 6 s/))
  pass(5_999)
  t.ok(within(first).getByRole('button', { name: 'Confirm $20,000' }))
  pass(1)
  t.ok(within(first).getByRole('button', { name: 'Bid $20,000' }))
  t.equal(within(first).queryByText(/^Armed/), null)
  t.same(bids, [])
})

t.test('replaces an ended auction after a minute with the watched one ending next, unless kept', async (t) => {
  const clock = aClock(t)
  const [held, passing, kept] = [lostAuction(), lostAuction(), lostAuction()]
  const [later, soon] = [watched('Sierra', 500_000), watched('Bronco', 400_000)]
  const auctions = [held, passing, kept, later.auction, soon.auction]
  const over = [held, passing, kept].map((auction) => aRow(auction))
  const rows = [later.row, soon.row]
  const { pins } = openLane(t, auctions, {
    running: rows,
    pinned: over,
    pins: over.map(({ postId }, index) => ({ postId, slot: index + 1 })),
  })
  const [first, second, third] = [await position(1), await position(2), await position(3)]
  act(() => first.focus())
  for (const where of [first, second, third])
    t.ok(await within(where).findByText(/^Next here in (1:00|0:5\d): 2021 Ford Bronco/))
  fireEvent.click(within(third).getByRole('button', { name: 'Keep' }))
  await becomes(t, () => within(third).queryByText(/^Next here/), null)
  const leftOfHeld = within(first).getByText(/^Next here/).textContent
  const slots = () => pins.at(-1)?.map(({ postId, slot }) => [auctions.findIndex((one) => one.postId === postId), slot])
  clock.ms += 61_000
  await becomes(t, () => pins.length, 1)
  t.strictSame(
    new Map(slots() as [number, number][]),
    new Map([
      [0, 1],
      [2, 3],
      [4, 2],
    ]),
  )
  t.ok(await screen.findByRole('region', { name: /^Position 2: 2021 Ford Bronco/ }))
  t.equal(within(first).getByText(/^Next here/).textContent, leftOfHeld.replace('Bronco', 'Sierra'), 'under the focus')
  act(() => third.focus())
  clock.ms += 61_000
  await becomes(t, () => pins.length, 2)
  t.strictSame(
    new Map(slots() as [number, number][]),
    new Map([
      [3, 1],
      [2, 3],
      [4, 2],
    ]),
  )
  t.equal(within(third).queryByText(/^Next here/), null)
})

t.test('leaves a pane free a minute after the end if refilling is off', async (t) => {
  const auction = lostAuction()
  const { row } = watched('Bronco', 400_000)
  const { pins } = openLane(t, [auction], { running: [row] }, [], {
    me: { settings: { lane: { panes: 4, refill: false } } },
  })
  const first = await position(1)
  t.ok(await within(first).findByText(/^Closes in/))
  aClock(t).ms += 61_000
  await becomes(t, () => pins.at(-1), [])
  await becomes(t, () => screen.getAllByText('Pin an auction').length, 4)
})

t.test('keeps an ended auction for a minute if the tab was hidden', async (t) => {
  const clock = aClock(t)
  const { pins } = openLane(t, [lostAuction()])
  const first = await position(1)
  t.ok(await within(first).findByText(/^Closes in (1:00|0:5\d)/))
  const left = () => within(first).getByText(/^Closes in/).textContent
  const before = left()
  Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  clock.ms += 61_000
  Reflect.deleteProperty(document, 'hidden')
  document.dispatchEvent(new window.Event('visibilitychange'))
  await new Promise<void>((ticked) => t.teardown(onTick(() => setImmediate(ticked))))
  t.equal(left(), before)
  t.same(pins, [])
  clock.ms += 61_000
  await becomes(t, () => pins.at(-1), [])
})

t.test('keeps auctions in the strip if automatic pins are off', async (t) => {
  const [own, other] = [anAuction({ amount: 20_000, bidCount: 1, leader: 1, you: bidder }), anAuction()]
  const { pins, cache } = openLane(t, [own, other], { pins: [], pinned: [] }, [], {
    me: { settings: { lane: { panes: 4, autoPin: false } } },
  })
  const strip = within(await screen.findByRole('region', { name: 'My auctions' }))
  t.ok(strip.getByRole('button'))
  act(() => laneLive['lane.placed'](cache, { postId: own.postId }))
  const list = within(await screen.findByRole('region', { name: 'Run list' }))
  const row = list.getAllByTitle('2021 Ford F-150 XLT').find((one) => one.closest(`[data-run-row="${other.postId}"]`))
  fireEvent.click(row as HTMLElement)
  await becomes(t, () => pins, [[{ postId: other.postId, slot: 1 }]])
  t.ok(strip.getByRole('button'))
})

t.test('gives a linked auction a pane with the focus', async (t) => {
  const [other, wanted] = [anAuction(), anAuction({ startAmount: 30_000, minNext: 30_000 })]
  const pinned = [{ postId: other.postId, slot: 1 }]
  const path = `/lane?post=${wanted.postId}`
  const { pins, history } = openLane(t, [other, wanted], { pins: pinned, pinned: [aRow(other)] }, [], { path })
  const second = await position(2)
  t.ok(await within(second).findByRole('button', { name: 'Bid $30,000' }))
  t.same(pins.at(-1), [...pinned, { postId: wanted.postId, slot: 2 }])
  await becomes(t, () => document.activeElement === second, true)
  t.equal(history.at(-1), '/lane', 'announced once')
})

t.test('links a watchlist with an auction to the Lane', async (t) => {
  const listed = { posts: [aFeedPost()] }
  fakeNetwork(t).use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/watchlist/ids', () => answer(OwnReactions.properties.like, [])),
    http.get('*/api/inventory/:id/auction', () => answer(Auction, anAuction())),
    http.get('*/api/saved-searches', () => answer(Type.Array(SavedSearch), [])),
    http.get('*/api/watchlist', () => answer(Type.Array(Post), listed.posts)),
  )
  const watchlist = async () => {
    const { unmount } = show(t, <WatchlistPage />)
    t.ok(await screen.findByText(/^\d posts?$/))
    const href = screen.queryByRole('link', { name: 'Open Lane' })?.getAttribute('href')
    unmount()
    return href
  }
  t.equal(await watchlist(), undefined)
  listed.posts.push(aFeedPost({ hasAuction: true }))
  t.equal(await watchlist(), '/lane')
})

t.test('updates the watchlist live and marks changes since the last visit', async (t) => {
  const [edited, removed, later] = ['2021 Ford XLT', '2020 Kia Soul', '2019 Audi A4'].map((title) =>
    aFeedPost({ title, version: 1 }),
  ) as [Post, Post, Post]
  const listed = { posts: [edited, removed] }
  const said: string[] = []
  const emit = (name: string, { kind, id }: { kind: string; id: string }) =>
    name === 'view' && said.push(`${kind} ${id}`)
  setSocket({ connected: true, emit } as unknown as LiveSocket)
  t.teardown(() => setSocket(undefined))
  const detail = aPostDetail({ ...edited, title: 'Price lowered', version: 2 })
  fakeNetwork(t).use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/watchlist/ids', () => answer(OwnReactions.properties.like, [])),
    http.get('*/api/saved-searches', () => answer(Type.Array(SavedSearch), [])),
    http.get('*/api/watchlist', () => answer(Type.Array(Post), listed.posts)),
    http.get(`*/api/inventory/${edited.id}`, () => answer(PostDetail, detail)),
  )
  function Pages() {
    const [open, setOpen] = useState(true)
    return (
      <>
        {open ? <WatchlistPage /> : null}
        <button onClick={() => setOpen(!open)}>Elsewhere</button>
      </>
    )
  }
  const { cache } = show(t, <Pages />)
  const names = () => screen.queryAllByRole('article').map((article) => article.getAttribute('aria-label'))
  await becomes(t, names, [edited.title, removed.title])
  t.same(said, [`post ${edited.id}`, `post ${removed.id}`], 'their rooms are joined')
  postsLive['post.edited'](cache, { postId: edited.id, version: 2 })
  await becomes(t, names, ['Price lowered', removed.title])
  postsLive['post.removed'](cache, { postId: removed.id })
  await becomes(t, names, ['Price lowered'])
  const elsewhere = screen.getByRole('button', { name: 'Elsewhere' })
  fireEvent.click(elsewhere)
  await becomes(t, names, [])
  listed.posts = [later]
  fireEvent.click(elsewhere)
  await becomes(t, names, [later.title])
})
