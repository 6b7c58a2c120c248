import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { HttpResponse, type RequestHandler } from 'msw'
import t, { type Test } from 'tap'
import { auctionsLive } from '#client/features/auctions/auctions.live.ts'
import { LaneScreen } from '#client/features/lane/lane.tsx'
import { laneActOf } from '#client/features/lane/lane-keys.ts'
import { laneLive } from '#client/features/lane/lane.live.ts'
import { setState } from '#client/lib/connection.ts'
import { auctionQuery } from '#client/lib/held-auctions.ts'
import { Auction, type Bid, PlacedBid } from '#shared/schemas/auctions.ts'
import { Lane, LanePins } from '#shared/schemas/lane.ts'
import { aLane, aRow } from '#tests/support/lane.ts'
import { answer, away, fakeNetwork, http, refusal, sent } from '#tests/support/network.ts'
import { aCurrentUser, anAuction } from '#tests/support/records.ts'

/** A Lane of these auctions, all pinned unless other pins are given, over a server that takes every bid. */
function openLane(t: Test, auctions: Auction[], about: Partial<Lane> = {}, handlers: RequestHandler[] = []) {
  const rows = auctions.map((auction) => aRow(auction))
  const lane = aLane({
    running: rows,
    mine: rows.filter(({ you }) => you.number !== null),
    pins: rows.map(({ postId }, index) => ({ postId, slot: index + 1 })),
    pinned: rows,
    ...about,
  })
  const heard = { bids: [] as { key: string | null; amount: number }[], pins: [] as LanePins['pins'][] }
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/lane', () => answer(Lane, lane)),
    http.put('*/api/lane/pins', async ({ request }) => {
      const body = await sent(LanePins, request)
      heard.pins.push(body.pins)
      return answer(LanePins, body)
    }),
    http.get('*/api/inventory/:id/auction', ({ params }) => {
      const auction = auctions.find(({ postId }) => postId === params['id'])
      return auction ? answer(Auction, auction) : refusal(404, 'Gone')
    }),
    http.post('*/api/inventory/:id/bids', async ({ request }) => {
      const { amount } = (await request.json()) as { amount: number }
      heard.bids.push({ key: request.headers.get('idempotency-key'), amount })
      const endsAt = auctions[0]?.endsAt ?? ''
      return answer(PlacedBid, { seq: 5, amount, endsAt, leading: true, number: 1 })
    }),
  )
  network.use(...handlers)
  const ways = { opened: [] as string[] }
  const nothing = () => undefined
  const shown = show(
    t,
    <LaneScreen
      onMessage={nothing}
      onWatch={nothing}
      onOpenDeal={(postId) => ways.opened.push(postId)}
      onShowKeys={nothing}
      onOpenCase={nothing}
      sellersParts={{ onNewAuction: nothing, renderOffer: () => null, renderWithdraw: () => null }}
    />,
    aCurrentUser({ settings: { lane: { panes: 4 } } }),
    '/lane',
  )
  /** What a room says. */
  const tell = (auction: Auction) => {
    const { you: _you, seller: _seller, ...state } = auction
    act(() => auctionsLive['auction.state'](shown.cache, state))
  }
  return { ...shown, ...heard, ways, network, tell }
}

const place = (slot: number) => screen.findByRole('region', { name: new RegExp(`^Position ${slot}: `) })
const type = (key: string, about: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...about })
t.test('by keys alone: a place, a bid, its confirmation; one key of its own, however long it is held', async (t) => {
  const auctions = [anAuction(), anAuction({ startAmount: 30_000, minNext: 30_000 })]
  const { bids } = openLane(t, auctions)
  const second = await place(2)
  await becomes(t, () => within(second).queryByRole('button', { name: 'Bid $30,000' }) !== null, true)
  type('2')
  t.equal(document.activeElement, second)
  type('b')
  t.ok(within(second).getByRole('button', { name: 'Confirm $30,000' }))
  type('Escape')
  t.equal(within(second).queryByRole('button', { name: /^Confirm/ }) === null, true)
  type('b')
  type('Enter', { repeat: true })
  t.equal(bids.length, 0, 'a key that is held')
  type('1')
  t.equal(within(second).queryByRole('button', { name: /^Confirm/ }) === null, true, 'the focus is elsewhere')
  type('2')
  type('b')
  type('Enter')
  type('Enter')
  await becomes(t, () => bids.map(({ amount }) => amount), [30_000])
  t.match(bids[0]?.key, /^[0-9a-f-]{36}$/)
})

t.test('without a connection what was armed is dropped, places are paused, and nothing is sent', async (t) => {
  const auctions = [anAuction()]
  const { bids } = openLane(t, auctions)
  t.teardown(() => setState('connecting'))
  const first = await place(1)
  fireEvent.click(await within(first).findByRole('button', { name: 'Bid $20,000' }))
  t.ok(within(first).getByRole('button', { name: 'Confirm $20,000' }))
  act(() => setState('offline'))
  t.ok(within(first).getByText('Bids are paused'))
  t.ok(within(first).getByText('Nothing was sent.'))
  t.ok(within(first).getByRole('button', { name: 'Bid $20,000' }).hasAttribute('disabled'))
  act(() => setState('live'))
  t.equal(within(first).queryByRole('button', { name: /^Confirm/ }) === null, true)
  t.same(bids, [])
})

t.test('the window elsewhere takes back what was armed; a price above it does, and says so', async (t) => {
  const auction = anAuction()
  const { tell, cache } = openLane(t, [auction])
  const first = await place(1)
  await becomes(t, () => cache.getQueryData(auctionQuery(auction.postId).queryKey) !== undefined, true)
  const clock = { ms: Date.now() }
  t.intercept(Date, 'now', { value: () => clock.ms })
  const confirm = () => within(first).queryByRole('button', { name: /^Confirm/ }) !== null
  const press = (name: string) => fireEvent.click(within(first).getByRole('button', { name }))
  press('Bid $20,000')
  t.ok(confirm())
  act(() => void window.dispatchEvent(new window.Event('blur')))
  t.notOk(confirm())
  press('Bid $20,000')
  const bid: Bid = { seq: 2, no: 1, amount: 20_000, bidder: 3, auto: false, at: auction.startsAt }
  tell({ ...auction, seq: 2, amount: 20_000, minNext: 20_500, bidCount: 1, leader: 3, bids: [bid] })
  await becomes(t, confirm, false)
  t.ok(within(first).getByText('Price moved to $20,000'))
  clock.ms += 240
  press('Bid $20,500')
  t.ok(within(first).getByText('Price just moved to $20,000. Press again.'))
  t.notOk(confirm())
  clock.ms += 10
  press('Bid $20,500')
  t.ok(confirm())
})

t.test('a typed amount: too little is said, far too much is asked about', async (t) => {
  const { bids } = openLane(t, [anAuction()])
  const first = await place(1)
  fireEvent.click(await within(first).findByRole('button', { name: 'Other amount' }))
  const field = within(first).getByRole('textbox', { name: 'Amount to bid' })
  const bid = (amount: string) => {
    fireEvent.change(field, { target: { value: amount } })
    fireEvent.submit(field)
  }
  t.equal(field.getAttribute('inputmode'), 'numeric')
  bid('19,000')
  t.ok(within(first).getByText('Enter $20,000 or more'))
  bid('200000')
  const question = await screen.findByRole('alertdialog', { name: 'Bid $200,000?' })
  t.match(question.textContent, /That is \$180,000 above the next bid/)
  fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  await becomes(t, () => screen.queryByRole('alertdialog'), null)
  bid('21,250')
  bid('21,250')
  await becomes(t, () => bids.map(({ amount }) => amount), [21_250])
})

t.test('a lost answer is asked for again by its key, then nobody knows, until the auction tells', async (t) => {
  const auction = anAuction()
  const auctions = [auction]
  const { bids, network, cache } = openLane(t, auctions)
  let isAway = true
  network.use(
    http.post('*/api/inventory/:id/bids', ({ request }) => {
      bids.push({ key: request.headers.get('idempotency-key'), amount: 0 })
      return HttpResponse.error()
    }),
    http.get('*/api/inventory/:id/auction', () => (isAway ? away() : answer(Auction, auctions[0] ?? auction))),
  )
  cache.setQueryData(auctionQuery(auction.postId).queryKey, auction)
  const first = await place(1)
  const press = (name: string) => fireEvent.click(within(first).getByRole('button', { name }))
  press('Bid $20,000')
  press('Confirm $20,000')
  t.ok(await within(first).findByText('We do not know yet whether your bid counted'))
  t.ok(bids.length > 1)
  t.equal(new Set(bids.map(({ key }) => key)).size, 1)
  const bid: Bid = { seq: 2, no: 1, amount: 20_000, bidder: 1, auto: false, at: auction.startsAt }
  const you = { ...auction.you, number: 1, maximum: 20_000 }
  auctions[0] = { ...auction, seq: 2, amount: 20_000, minNext: 20_500, bidCount: 1, leader: 1, bids: [bid], you }
  isAway = false
  t.ok(await within(first).findByText('Your bid of $20,000 counted'))
  t.ok(within(first).getByText('You are winning'))
})

t.test('the server’s refusal by the day limit stands in the place, with the way to change it', async (t) => {
  const { network } = openLane(t, [anAuction()])
  const details = {
    code: 'LIMIT',
    amount: null,
    minNext: 20_000,
    endsAt: new Date().toISOString(),
    serverNow: new Date().toISOString(),
    used: 154_000,
    limit: 150_000,
  }
  const message = 'This would take you to $154,000 of your $150,000 day limit.'
  network.use(
    http.post('*/api/inventory/:id/bids', () =>
      HttpResponse.json({ error: { code: 'conflict', message, details, requestId: 'r' } }, { status: 409 }),
    ),
  )
  const first = await place(1)
  fireEvent.click(await within(first).findByRole('button', { name: 'Bid $20,000' }))
  fireEvent.click(within(first).getByRole('button', { name: 'Confirm $20,000' }))
  t.ok(await within(first).findByText(message))
  t.ok(within(first).getByRole('button', { name: 'Over your day limit' }).hasAttribute('disabled'))
  fireEvent.click(within(first).getByRole('button', { name: 'Change limit' }))
  t.ok(await screen.findByRole('dialog', { name: 'Day limit' }))
})

t.test(
  'a refusal for which an older server has no words, or that this page does not know, is said all the same',
  async (t) => {
    const { network } = openLane(t, [anAuction()])
    const refuse = (code: string) =>
      http.post('*/api/inventory/:id/bids', () =>
        HttpResponse.json(
          { error: { code: 'conflict', details: { code, amount: null, minNext: 20_000 } } },
          { status: 409 },
        ),
      )
    const first = await place(1)
    const press = async () => {
      fireEvent.click(await within(first).findByRole('button', { name: 'Bid $20,000' }))
      fireEvent.click(within(first).getByRole('button', { name: 'Confirm $20,000' }))
    }
    network.use(refuse('SOMETHING'))
    await press()
    t.ok(await within(first).findByText('Your bid was not taken. Look at the price and press again.'))
    network.use(refuse('LIMIT'))
    await press()
    t.ok(await within(first).findByText('This would take you past your day limit'))
    t.ok(within(first).getByRole('button', { name: 'Over your day limit' }).hasAttribute('disabled'))
  },
)

t.test('a press on a row gives it a place; a bid from elsewhere takes another than the focused one', async (t) => {
  const auctions = [anAuction(), anAuction(), anAuction()]
  const [a, b, c] = auctions.map(({ postId }) => postId) as [string, string, string]
  const { pins, cache } = openLane(t, auctions, { pins: [], pinned: [] })
  const list = await screen.findByRole('region', { name: 'Run list' })
  t.equal(screen.getAllByText('Pin an auction').length, 4)
  const rows = within(list).getAllByTitle('2021 Ford F-150 XLT')
  fireEvent.click(rows[1] as HTMLElement)
  await becomes(t, () => pins.at(-1)?.length, 1)
  t.equal(pins.at(-1)?.[0]?.slot, 1)
  t.equal(document.activeElement, await place(1), 'it has the focus')
  const pinned = pins.at(-1)?.[0]?.postId
  const other = [a, b, c].find((id) => id !== pinned) ?? a
  act(() => laneLive['lane.placed'](cache, { postId: other }))
  await becomes(t, () => pins.at(-1)?.find(({ postId }) => postId === other)?.slot, 2)
})

t.test('won leads on to the deal; coming takes a maximum; none running says when the next begins', async (t) => {
  const you = { isSeller: false, number: 1, maximum: null, preset: null }
  const won = anAuction({ status: 'sold', amount: 26_100, leader: 1, bidCount: 1, you })
  const buyFee = { flat: 100, percent: 2 }
  const coming = anAuction({ startsAt: new Date(Date.now() + 200_000).toISOString(), minNext: 20_000, buyFee })
  const { ways } = openLane(t, [won, coming], { running: [], coming: [aRow(coming)], next: coming.startsAt })
  t.match(
    (await screen.findByRole('region', { name: 'Run list' })).textContent,
    /No auction is running\.The next starts at/,
  )
  fireEvent.click(screen.getByRole('button', { name: 'See coming' }))
  t.equal(document.activeElement?.getAttribute('data-run-row'), coming.postId)
  const first = await place(1)
  t.ok(await within(first).findByText('yours for $26,100'))
  fireEvent.click(within(first).getByRole('button', { name: 'Open deal' }))
  t.same(ways.opened, [won.postId])
  const second = await place(2)
  t.ok(
    within(second)
      .getByRole('button', { name: /^Opens in 3:/ })
      .hasAttribute('disabled'),
  )
  t.ok(within(second).getByText('No maximum at the start'))
  t.ok(within(second).getByText('Next bid: $20,000 + $500 buy fee = $20,500'))
  t.equal(within(first).queryByText(/buy fee/), null, 'where the network asks none')
})

t.test('a Lane that could not be loaded says why, and asks again', async (t) => {
  openLane(t, [], {}, [http.get('*/api/lane', () => refusal(503, 'The database is away'))])
  t.match((await screen.findByRole('alert')).textContent, /Lane could not be loaded.*The database is away/)
  t.ok(screen.getByRole('button', { name: 'Retry' }))
})

t.test('keys act once, not while one types, with another key held, or by Caps Lock', (t) => {
  const key = (about: KeyboardEventInit, target: Element = document.body) => {
    const event = new window.KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...about })
    let found: ReturnType<typeof laneActOf>
    const listen = (heard: Event) => (found = laneActOf(heard as KeyboardEvent))
    document.addEventListener('keydown', listen)
    target.dispatchEvent(event)
    document.removeEventListener('keydown', listen)
    return found
  }
  t.same(key({ key: 'b' }), { do: 'bid', step: 0 })
  t.same(key({ key: 'B' }), { do: 'bid', step: 0 }, 'capitals are locked')
  t.same(key({ key: 'B', shiftKey: true }), { do: 'bid', step: 1 })
  t.same(key({ key: '4' }), { do: 'focus', slot: 4 })
  for (const held of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }])
    t.equal(key({ key: 'b', ...held }), undefined)
  const input = document.body.appendChild(document.createElement('input'))
  t.equal(key({ key: 'b' }, input), undefined)
  input.remove()
  t.end()
})
