import { becomes } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import t from 'tap'
import { laneInbox, laneLive } from '#client/features/lane/lane.live.ts'
import { laneQuery, refetchLane } from '#client/features/lane/lane.api.ts'
import { setState } from '#client/lib/live/connection.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { tab } from '#client/lib/storage/tab-state.ts'
import { shownBidsMax } from '#shared/limits.ts'
import { Auction, type Bid } from '#shared/schemas/auctions.ts'
import { Lane } from '#shared/schemas/lane.ts'
import { openLane, position } from '#tests/support/lane-screen.tsx'
import { aLane, aRow } from '#tests/support/lane.ts'
import { answer, http } from '#tests/support/network.ts'
import { anAuction } from '#tests/support/records.ts'
import { stopTime } from '#tests/support/stopped-time.ts'

const type = (key: string, about: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...about })

const stranger = { isSeller: false, number: null, maximum: null, preset: null }
const aBid = (about: Partial<Bid>): Bid => ({
  seq: 2,
  no: 1,
  amount: 20_000,
  bidder: 1,
  auto: false,
  at: new Date().toISOString(),
  ...about,
})

t.test('shows bids placed in another tab or by the server at the start', async (t) => {
  const auction = anAuction()
  const auctions = [auction]
  const { cache, tell } = openLane(t, auctions)
  const first = await position(1)
  t.ok(await within(first).findAllByRole('button', { name: /^Bid/ }))
  await becomes(t, () => cache.isFetching(), 0)
  const bids = [aBid({})]
  const placed = { ...auction, seq: 2, amount: 20_000, minNext: 20_500, bidCount: 1, leader: 1, bids }
  auctions[0] = { ...placed, you: { ...stranger, number: 1, maximum: 27_000 } }
  tell({ ...placed, you: stranger })
  t.ok(await within(first).findByText('Bidder 1 leads'), 'all public data of the room')
  act(() => laneLive['lane.placed'](cache, { postId: auction.postId }))
  t.ok(await within(first).findByText('You are winning'))
  t.ok(within(first).getByRole('button', { name: 'Raise to $27,500' }))
  auctions[0] = { ...placed, you: { ...stranger, number: 1, maximum: 30_000 } }
  act(() => laneInbox.lane(cache, auction.postId))
  t.ok(await within(first).findByRole('button', { name: 'Raise to $30,500' }), 'never below an amount set elsewhere')
})

t.test('shows new bids as events arrive and does not fetch hidden ones', async (t) => {
  const bids = (newest: number) =>
    Array.from({ length: shownBidsMax }, (_none, index) =>
      aBid({ seq: newest - index, no: newest - index, amount: 20_000 + (newest - index) * 500 }),
    )
  const heard = (bidCount: number) => ({ seq: bidCount, bidCount, leader: 1, amount: 20_000 + bidCount * 500 })
  const auction = anAuction({ ...heard(shownBidsMax), bids: bids(shownBidsMax) })
  const asked: string[] = []
  const { tell } = openLane(t, [auction], {}, [
    http.get('*/api/inventory/:id/auction', ({ params }) => {
      asked.push(String(params['id']))
      return answer(Auction, auction)
    }),
  ])
  const first = await position(1)
  const shown = () =>
    within(within(first).getByRole('list', { name: 'Last bids' }))
      .getAllByRole('listitem')
      .map((item) => /\$[\d,]+/.exec(item.textContent)?.[0])
  for (const count of [shownBidsMax, 30, 60, 90]) {
    if (count > shownBidsMax) tell({ ...auction, ...heard(count), bids: bids(count) })
    await becomes(
      t,
      shown,
      [0, 1, 2, 3].map((less) => `$${(20_000 + (count - less) * 500).toLocaleString('en-US')}`),
    )
  }
  t.equal(asked.length, 1)
})

t.test('updates a popup outside the Lane with bids from another tab', async (t) => {
  const auction = anAuction()
  const auctions = [auction]
  const { cache } = openLane(t, auctions)
  const first = await position(1)
  t.ok(await within(first).findByText('No bids yet'))
  await becomes(t, () => cache.isFetching(), 0)
  cache.removeQueries({ queryKey: ['/api/lane'] })
  const { queryKey } = auctionQuery(auction.postId)
  auctions[0] = { ...auction, you: { ...stranger, number: 4 } }
  act(() => laneLive['lane.placed'](cache, { postId: auction.postId }))
  await becomes(t, () => cache.getQueryData(queryKey)?.you.number, 4)
})

t.test('updates status, price, end and bids from polls without events', async (t) => {
  const auction = anAuction({ you: { ...stranger, number: 1 } })
  const quiet = anAuction()
  const auctions = [auction, quiet]
  const lane = (now: Auction) => {
    const rows = [aRow(now), aRow(quiet)]
    const pins = rows.map(({ postId }, index) => ({ postId, slot: index + 1 }))
    return aLane({ running: rows, pinned: rows, pins })
  }
  const now = { auction }
  const asked: string[] = []
  const { cache, network } = openLane(t, auctions, {}, [http.get('*/api/lane', () => answer(Lane, lane(now.auction)))])
  t.teardown(() => setState('connecting'))
  network.events.on('request:start', ({ request }) => {
    if (request.url.endsWith('/auction')) asked.push(new URL(request.url).pathname)
  })
  const first = await position(1)
  t.ok(await within(first).findByText('No bids yet'))
  await becomes(t, () => cache.isFetching(), 0)
  act(() => setState('offline'))
  asked.length = 0
  const endsAt = new Date(Date.now() - 1_000).toISOString()
  const bids = [aBid({ amount: 21_000, bidder: 3 })]
  now.auction = { ...auction, seq: 3, status: 'sold', amount: 21_000, bidCount: 1, leader: 3, endsAt, bids }
  auctions[0] = now.auction
  await act(() => refetchLane(cache))
  t.ok(await within(first).findByText('Bidder 3, $21,000'))
  t.match(within(first).getByRole('list', { name: 'Last bids' }).textContent, /Bidder 3\$21,000/)
  t.same(asked, [`/api/inventory/${auction.postId}/auction`], 'an unchanged auction is not fetched')
})

t.test('neither arms nor sends while Enter is held in an amount field', async (t) => {
  openLane(t, [anAuction()])
  const first = await position(1)
  fireEvent.click(await within(first).findByRole('button', { name: 'Other amount' }))
  const field = within(first).getByRole('textbox', { name: 'Amount to bid' })
  t.ok(fireEvent.keyDown(field, { key: 'Enter' }), 'a press')
  t.notOk(fireEvent.keyDown(field, { key: 'Enter', repeat: true }), 'a pinned auction')
  t.ok(fireEvent.keyDown(field, { key: 'Backspace', repeat: true }), 'a field is still a field')
})

const refusedByLimit = (used: number) =>
  http.post('*/api/inventory/:id/bids', () => {
    const now = new Date().toISOString()
    const details = { code: 'LIMIT', amount: null, minNext: 20_000, endsAt: now, serverNow: now, used, limit: 150_000 }
    const message = `This would put you at $${used / 1_000},000 of your $150,000 day limit.`
    return HttpResponse.json({ error: { code: 'conflict', message, details, requestId: 'r' } }, { status: 409 })
  })

t.test('explains why an amount over the day limit is refused and still accepts lower amounts', async (t) => {
  openLane(t, [anAuction()], {}, [refusedByLimit(151_000)])
  const first = await position(1)
  const button = (name: string | RegExp) => within(first).findByRole('button', { name })
  fireEvent.click(await button('Bid +$2,500, $22,500 in total'))
  fireEvent.click(await button('Confirm $22,500'))
  t.ok(await within(first).findByText('This would put you at $151,000 of your $150,000 day limit.'))
  t.ok(within(first).getByRole('button', { name: 'Bid $20,000' }))
  t.equal(within(first).queryByRole('button', { name: 'Over your day limit' }), null)
  fireEvent.click(within(first).getByRole('button', { name: 'Change limit' }))
  t.ok(await screen.findByRole('dialog', { name: 'Day limit' }))
})

t.test('links to the limit for a typed amount above it', async (t) => {
  openLane(t, [anAuction()], {}, [refusedByLimit(153_000)])
  const first = await position(1)
  fireEvent.click(await within(first).findByRole('button', { name: 'Other amount' }))
  const field = within(first).getByRole('textbox', { name: 'Amount to bid' })
  fireEvent.change(field, { target: { value: '24000' } })
  fireEvent.submit(field)
  fireEvent.submit(field)
  t.ok(await within(first).findByText('This would put you at $153,000 of your $150,000 day limit.'))
  t.ok(within(first).getByRole('button', { name: 'Change limit' }))
})

t.test('disarms when the focus moves to another pane or nowhere', async (t) => {
  openLane(t, [anAuction(), anAuction()])
  const [first, second] = [await position(1), await position(2)]
  const confirm = () => within(second).queryByRole('button', { name: /^Confirm/ }) !== null
  const arm = async () => {
    fireEvent.click(await within(second).findByRole('button', { name: 'Bid $20,000' }))
    t.ok(confirm())
  }
  act(() => second.focus())
  await arm()
  act(() =>
    within(second)
      .getByRole('button', { name: /^More for/ })
      .focus(),
  )
  t.ok(confirm(), 'within the position')
  act(() => second.focus())
  act(() => first.focus())
  t.notOk(confirm(), 'another position')
  await arm()
  act(() => screen.getByRole('radio', { name: 'Buying' }).focus())
  t.notOk(confirm(), 'an invalid position')
  act(() => second.focus())
  await arm()
  act(() => second.blur())
  t.notOk(confirm(), 'nowhere')
})

t.test("disarms on Escape with the Lane's keys off or a field open", async (t) => {
  openLane(t, [anAuction()], {}, [], { me: { settings: { lane: { panes: 4, keys: false } } } })
  const first = await position(1)
  const confirm = () => within(first).queryByRole('button', { name: /^Confirm/ }) !== null
  fireEvent.click(await within(first).findByRole('button', { name: 'Bid $20,000' }))
  t.ok(within(first).getByText(/Esc or a higher price cancels/))
  type('Escape')
  t.notOk(confirm())
  fireEvent.click(within(first).getByRole('button', { name: 'Set maximum' }))
  fireEvent.click(within(first).getByRole('button', { name: 'Bid $20,000' }))
  t.ok(confirm())
  fireEvent.keyDown(within(first).getByRole('textbox'), { key: 'Escape' })
  t.notOk(confirm())
})

t.test('disarms on Escape and focus changes on phones', async (t) => {
  const { matchMedia } = window
  t.teardown(() => void Object.assign(window, { matchMedia }))
  Object.assign(window, {
    matchMedia: (query: string) => ({ ...matchMedia(query), matches: query.includes('< 48rem') }),
  })
  const auction = anAuction()
  openLane(t, [auction], {}, [], { path: `/lane?post=${auction.postId}` })
  const confirm = () => screen.queryByRole('button', { name: /^Confirm/ }) !== null
  const arm = async () => {
    const bid = await screen.findByRole('button', { name: 'Bid $20,000' })
    act(() => bid.focus())
    fireEvent.click(bid)
    t.ok(confirm())
  }
  await arm()
  type('Escape')
  t.notOk(confirm())
  await arm()
  act(() => screen.getByRole('button', { name: 'Back to the run list' }).focus())
  t.notOk(confirm())
})

t.test('receives every bid for the pane last focused, pointed at or used by key', async (t) => {
  const auctions = [anAuction(), anAuction()]
  openLane(t, auctions)
  const positions = [await position(1), await position(2)] as const
  const active = () => auctions.findIndex(({ postId }) => tab.views.has(`auction:${postId}`)) + 1
  act(() => positions[0].focus())
  await becomes(t, active, 1)
  fireEvent.pointerEnter(positions[1])
  await becomes(t, active, 2)
  type('ArrowLeft')
  await becomes(t, active, 1)
  fireEvent.pointerLeave(positions[1])
  fireEvent.pointerEnter(positions[1])
  await becomes(t, active, 2)
  act(() => positions[0].blur())
  act(() => positions[0].focus())
  await becomes(t, active, 1)
})

t.test('does not send a click that hits an auction which just moved into the pane', async (t) => {
  const [before, after] = [anAuction(), anAuction({ startAmount: 30_000, minNext: 30_000 })]
  const pins = [{ postId: before.postId, slot: 1 }]
  const pinned = [aRow(before)]
  const me = { settings: { lane: { panes: 4 as const }, oneTapBids: true } }
  const { bids, cache } = openLane(t, [before, after], { pins, pinned }, [], { me })
  const first = await position(1)
  t.ok(await within(first).findByRole('button', { name: 'Bid $20,000' }))
  const time = stopTime(t)
  const pass = (ms: number) => act(() => time.tick(ms))
  // Simulate a change in another tab, or a bid on another screen.
  act(() => {
    cache.setQueryData(
      laneQuery().queryKey,
      (lane) => lane && { ...lane, pins: [{ postId: after.postId, slot: 1 }], pinned: [aRow(after)] },
    )
    time.tick(1)
  })
  const press = () => fireEvent.click(within(first).getByRole('button', { name: 'Bid $30,000' }))
  press()
  t.ok(within(first).getByText('A different auction just moved here. Press again to bid.'))
  pass(250)
  time.reset()
  press()
  await becomes(t, () => bids.map(({ amount }) => amount), [30_000])
})

t.test('hides the reserve before the start and turns green only once it is met', async (t) => {
  const startsAt = new Date(Date.now() + 120_000).toISOString()
  const you = { ...stranger, number: 1 }
  const led = anAuction({
    reserve: 'not_met',
    amount: 20_000,
    minNext: 20_500,
    bidCount: 1,
    leader: 1,
    bids: [aBid({})],
    you,
  })
  const { tell } = openLane(t, [anAuction({ reserve: 'not_met', startsAt }), led])
  const first = await position(1)
  t.ok(await within(first).findByText('Upcoming'))
  t.equal(within(first).queryByText('Reserve not met'), null)
  const second = await position(2)
  t.ok(await within(second).findByText('High bid, reserve not met'))
  t.ok(within(second).getByText('Reserve not met'))
  const mine = () => within(screen.getByRole('region', { name: 'My auctions' })).getByRole('button').textContent
  t.match(mine(), 'High bid, reserve not met')
  tell({ ...led, seq: 3, reserve: 'met', you: stranger })
  t.ok(await within(second).findByText('You are winning'))
})
