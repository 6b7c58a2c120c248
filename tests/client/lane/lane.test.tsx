import { becomes } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import t from 'tap'
import { laneActOf } from '#client/features/lane/lane-shortcuts.ts'
import { laneQuery } from '#client/features/lane/lane.api.ts'
import { laneLive } from '#client/features/lane/lane.live.ts'
import { setState } from '#client/lib/live/connection.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { Auction, type Bid } from '#shared/schemas/auctions.ts'
import { Lane, type LaneRow, LaneRun } from '#shared/schemas/lane.ts'
import { openLane, position } from '#tests/support/lane-screen.tsx'
import { aLane, aRow } from '#tests/support/lane.ts'
import { answer, away, http, refusal } from '#tests/support/network.ts'
import { anAuction } from '#tests/support/records.ts'

const type = (key: string, about: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...about })

t.test('chooses a pane, bids and confirms by keyboard, once per key press', async (t) => {
  const auctions = [anAuction(), anAuction({ startAmount: 30_000, minNext: 30_000 })]
  const { bids } = openLane(t, auctions)
  const second = await position(2)
  await becomes(t, () => within(second).queryByRole('button', { name: 'Bid $30,000' }) !== null, true)
  type('2')
  t.equal(document.activeElement, second)
  type('b')
  t.ok(within(second).getByRole('button', { name: 'Confirm $30,000' }))
  type('Escape')
  t.equal(within(second).queryByRole('button', { name: /^Confirm/ }) === null, true)
  type('b')
  type('Enter', { repeat: true })
  t.equal(bids.length, 0, 'a key that is held down')
  type('1')
  t.equal(within(second).queryByRole('button', { name: /^Confirm/ }) === null, true, 'the focus is elsewhere')
  type('2')
  type('b')
  type('Enter')
  type('Enter')
  await becomes(t, () => bids.map(({ amount }) => amount), [30_000])
  t.match(bids[0]?.key, /^[0-9a-f-]{36}$/)
})

t.test('disarms, pauses panes and sends nothing while offline', async (t) => {
  const auctions = [anAuction()]
  const { bids } = openLane(t, auctions)
  t.teardown(() => setState('connecting'))
  const first = await position(1)
  fireEvent.click(await within(first).findByRole('button', { name: 'Bid $20,000' }))
  t.ok(within(first).getByRole('button', { name: 'Confirm $20,000' }))
  act(() => setState('offline'))
  t.ok(within(first).getByText('Bids are paused'))
  t.ok(within(first).getByText('No bid was placed.'))
  t.ok(within(first).getByRole('button', { name: 'Bid $20,000' }).hasAttribute('disabled'))
  act(() => setState('live'))
  t.equal(within(first).queryByRole('button', { name: /^Confirm/ }) === null, true)
  t.same(bids, [])
})

t.test('disarms when the window loses focus or the price passes the amount', async (t) => {
  const auction = anAuction()
  const { tell, cache } = openLane(t, [auction])
  const first = await position(1)
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
  const drawn: string[] = []
  const watch = new window.MutationObserver(() => drawn.push(first.textContent))
  watch.observe(first, { subtree: true, childList: true, characterData: true })
  tell({ ...auction, seq: 2, amount: 20_000, minNext: 20_500, bidCount: 1, leader: 3, bids: [bid] })
  await becomes(t, confirm, false)
  t.ok(within(first).getByText('Price moved to $20,000'))
  watch.disconnect()
  const silent = drawn.filter((text) => text.includes('Bid $20,500') && !text.includes('Price moved'))
  t.same(silent, [], 'a new amount never appears without its label')
  clock.ms += 240
  press('Bid $20,500')
  t.ok(within(first).getByText('Price just moved to $20,000. Press again.'))
  t.notOk(confirm())
  clock.ms += 10
  press('Bid $20,500')
  t.ok(confirm())
})

t.test('refuses a typed amount that is too low and asks about one far too high', async (t) => {
  const { bids } = openLane(t, [anAuction()])
  const first = await position(1)
  fireEvent.click(await within(first).findByRole('button', { name: 'Other amount' }))
  const field = within(first).getByRole('textbox', { name: 'Amount to bid' })
  const bid = (amount: string) => {
    fireEvent.change(field, { target: { value: amount } })
    fireEvent.submit(field)
  }
  t.equal(field.getAttribute('inputmode'), 'numeric')
  bid('19,000')
  t.ok(within(first).getByText('Enter $20,000 or more'))
  bid('999999999')
  t.ok(within(first).getByText('Enter $99,999,999 or less'), 'and without a question first')
  t.equal(field.getAttribute('value'), '999999999', 'the amount can be corrected')
  bid('200000')
  const question = await screen.findByRole('alertdialog', { name: 'Bid $200,000?' })
  t.match(question.textContent, /That is \$180,000 above the next bid/)
  fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  await becomes(t, () => screen.queryByRole('alertdialog'), null)
  bid('21,250')
  bid('21,250')
  await becomes(t, () => bids.map(({ amount }) => amount), [21_250])
})

t.test('retries a lost bid under its key, then shows it as unknown until the auction answers', async (t) => {
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
  const first = await position(1)
  const press = (name: string) => fireEvent.click(within(first).getByRole('button', { name }))
  press('Bid $20,000')
  press('Confirm $20,000')
  t.ok(await within(first).findByText("We're still confirming your bid"))
  t.ok(bids.length > 1)
  t.equal(new Set(bids.map(({ key }) => key)).size, 1)
  const bid: Bid = { seq: 2, no: 1, amount: 20_000, bidder: 1, auto: false, at: auction.startsAt }
  const you = { ...auction.you, number: 1, maximum: 20_000 }
  auctions[0] = { ...auction, seq: 2, amount: 20_000, minNext: 20_500, bidCount: 1, leader: 1, bids: [bid], you }
  isAway = false
  t.ok(await within(first).findByText('Your bid of $20,000 was accepted'))
  t.ok(await within(first).findByText('You are winning'))
})

t.test('shows a refusal by the day limit with a link to change it', async (t) => {
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
  const message = 'This would put you at $154,000 of your $150,000 day limit.'
  network.use(
    http.post('*/api/inventory/:id/bids', () =>
      HttpResponse.json({ error: { code: 'conflict', message, details, requestId: 'r' } }, { status: 409 }),
    ),
  )
  const first = await position(1)
  fireEvent.click(await within(first).findByRole('button', { name: 'Bid $20,000' }))
  fireEvent.click(within(first).getByRole('button', { name: 'Confirm $20,000' }))
  t.ok(await within(first).findByText(message))
  t.ok(within(first).getByRole('button', { name: 'Over your day limit' }).hasAttribute('disabled'))
  fireEvent.click(within(first).getByRole('button', { name: 'Change limit' }))
  t.ok(await screen.findByRole('dialog', { name: 'Day limit' }))
})

t.test('shows a refusal that has no message or an unknown code', async (t) => {
  const { network } = openLane(t, [anAuction()])
  const refuse = (code: string) =>
    http.post('*/api/inventory/:id/bids', () =>
      HttpResponse.json(
        { error: { code: 'conflict', details: { code, amount: null, minNext: 20_000 } } },
        { status: 409 },
      ),
    )
  const first = await position(1)
  const press = async () => {
    fireEvent.click(await within(first).findByRole('button', { name: 'Bid $20,000' }))
    fireEvent.click(within(first).getByRole('button', { name: 'Confirm $20,000' }))
  }
  network.use(refuse('SOMETHING'))
  await press()
  t.ok(await within(first).findByText('Your bid was not accepted. Check the price and press again.'))
  network.use(refuse('LIMIT'))
  await press()
  t.ok(await within(first).findByText('This would put you over your day limit'))
  t.ok(within(first).getByRole('button', { name: 'Over your day limit' }).hasAttribute('disabled'))
})

t.test('gives a clicked row a pane and keeps the focused one for bids from elsewhere', async (t) => {
  const auctions = [anAuction(), anAuction(), anAuction()]
  const [a, b, c] = auctions.map(({ postId }) => postId) as [string, string, string]
  const { pins, cache } = openLane(t, auctions, { pins: [], pinned: [] })
  const list = await screen.findByRole('region', { name: 'Run list' })
  t.equal(screen.getAllByText('Pin an auction').length, 4)
  const rows = within(list).getAllByTitle('2021 Ford F-150 XLT')
  fireEvent.click(rows[1] as HTMLElement)
  await becomes(t, () => pins.at(-1)?.length, 1)
  t.equal(pins.at(-1)?.[0]?.slot, 1)
  const taken = await position(1)
  await becomes(t, () => document.activeElement === taken, true)
  const pinned = pins.at(-1)?.[0]?.postId
  const other = [a, b, c].find((id) => id !== pinned) ?? a
  act(() => laneLive['lane.placed'](cache, { postId: other }))
  await becomes(t, () => pins.at(-1)?.find(({ postId }) => postId === other)?.slot, 2)
})

t.test('focuses the pane of a clicked strip entry, or uses the focused pane', async (t) => {
  const you = { isSeller: false, number: 1, maximum: null, preset: null }
  const auctions = [anAuction(), anAuction(), anAuction({ you, amount: 20_000, leader: 2, bidCount: 2 })]
  const [a, b, c] = auctions.map(({ postId }) => postId) as [string, string, string]
  const held = [a, b].map((postId, index) => ({ postId, slot: index + 1 }))
  const { pins } = openLane(t, auctions, { pins: [...held, { postId: c, slot: null }] })
  const second = await position(2)
  type('2')
  t.equal(document.activeElement, second)
  const pill = within(screen.getByRole('region', { name: 'My auctions' })).getByRole('button')
  fireEvent.click(pill)
  await becomes(t, () => pins.at(-1)?.find(({ postId }) => postId === c)?.slot, 2)
  t.equal(pins.at(-1)?.find(({ postId }) => postId === b)?.slot, null)
  type('1')
  fireEvent.click(pill)
  const moved = await position(2)
  await becomes(t, () => document.activeElement === moved, true)
  t.equal(pins.length, 1)
})

t.test('continues the run list beyond a hundred rows', async (t) => {
  const auctions = [anAuction(), anAuction(), anAuction()]
  const [first, second, third] = auctions.map((auction) => aRow(auction)) as [LaneRow, LaneRow, LaneRow]
  const asked: (string | null)[] = []
  const { cache } = openLane(
    t,
    auctions,
    { running: [first], pins: [], pinned: [], behind: { running: 'from-1', coming: null } },
    [
      http.get('*/api/lane/run', ({ request }) => {
        const cursor = new URL(request.url).searchParams.get('cursor')
        asked.push(cursor)
        return answer(LaneRun, {
          rows: [cursor === 'from-2' ? third : second],
          next: cursor === 'from-1' ? 'from-2' : null,
          serverNow: new Date().toISOString(),
        })
      }),
    ],
  )
  const list = await screen.findByRole('region', { name: 'Run list' })
  const listed = () => [...list.querySelectorAll<HTMLElement>('[data-run-row]')].map(({ dataset }) => dataset['runRow'])
  t.same([listed(), asked], [[first.postId], []])
  fireEvent.click(within(list).getByRole('button', { name: 'More running' }))
  await becomes(t, () => listed().length, 2)
  fireEvent.click(await within(list).findByRole('button', { name: 'More running' }))
  await becomes(t, () => new Set(listed()), new Set([first, second, third].map(({ postId }) => postId)))
  await becomes(t, () => within(list).queryByRole('button', { name: 'More running' }), null)
  t.same(asked, ['from-1', 'from-2'])
  act(() => {
    const { queryKey } = laneQuery()
    cache.setQueryData(queryKey, (lane) => lane && { ...lane, behind: { running: 'from-0', coming: null } })
  })
  await becomes(t, () => asked.slice(2), ['from-0'])
  await becomes(t, () => listed().length, 2)
  act(() => {
    const { queryKey } = laneQuery()
    cache.setQueryData(queryKey, (lane) => lane && { ...lane, behind: { running: null, coming: null } })
  })
  await becomes(t, listed, [first.postId])
})

t.test('marks an unavailable auction in its pane and frees it', async (t) => {
  const you = { isSeller: false, number: 1, maximum: 20_000, preset: null }
  const hidden = anAuction({ amount: 20_000, minNext: 20_500, bidCount: 1, leader: 1, you })
  const other = anAuction()
  const auctions = [hidden, other]
  const hear = { rest: undefined as Lane | undefined }
  const { cache, pins, network } = openLane(t, auctions)
  const first = await position(1)
  t.ok(await within(first).findByText('You are winning'))
  const row = aRow(other)
  const slots = [{ postId: other.postId, slot: 2 }]
  hear.rest = aLane({ running: [row], pinned: [row], pins: slots, day: { ...aLane().day, limit: 50_000 } })
  network.use(http.get('*/api/lane', () => answer(Lane, hear.rest ?? aLane())))
  auctions.shift()
  const serverNow = new Date().toISOString()
  act(() => laneLive['lane.rows'](cache, { rows: [], gone: [hidden.postId], more: false, serverNow }))
  t.ok(await within(first).findByText('No longer available'))
  t.ok(await screen.findByText(/of \$50,000/), 'a response without it')
  t.ok(within(first).getByText('No longer available'))
  const list = screen.getByRole('region', { name: 'Run list' })
  t.equal(within(list).getAllByTitle('2021 Ford F-150 XLT').length, 1)
  t.ok(within(screen.getByRole('region', { name: 'My auctions' })).getByText('Auctions you bid on appear here.'))
  fireEvent.click(within(first).getByRole('button', { name: 'Close' }))
  await becomes(t, () => pins.at(-1), slots)
  t.ok(await within(await position(1)).findByText('Pin an auction'))
})

t.test('links a won auction to its deal, takes a maximum for a coming one, and shows the next start', async (t) => {
  const you = { isSeller: false, number: 1, maximum: null, preset: null }
  const won = anAuction({ status: 'sold', amount: 26_100, leader: 1, bidCount: 1, you })
  const buyFee = { flat: 100, percent: 2 }
  const coming = anAuction({ startsAt: new Date(Date.now() + 200_000).toISOString(), minNext: 20_000, buyFee })
  const { ways } = openLane(t, [won, coming], { running: [], coming: [aRow(coming)], next: coming.startsAt })
  t.match(
    (await screen.findByRole('region', { name: 'Run list' })).textContent,
    /No auctions are running\.The next one starts at/,
  )
  fireEvent.click(screen.getByRole('button', { name: 'See upcoming' }))
  await becomes(t, () => document.activeElement?.getAttribute('data-run-row'), coming.postId)
  const first = await position(1)
  t.ok(await within(first).findByText('yours for $26,100'))
  fireEvent.click(within(first).getByRole('button', { name: 'Open deal' }))
  t.same(ways.opened, [won.postId])
  const second = await position(2)
  t.ok(
    within(second)
      .getByRole('button', { name: /^Opens in 3:/ })
      .hasAttribute('disabled'),
  )
  t.ok(within(second).getByText('No preset maximum'))
  t.match(second.textContent, /Next bid: \$20,000 \+ \$500 buy fee = \$20,500/)
  t.equal(within(first).queryByText(/buy fee/), null, 'if the network charges none')
})

t.test('shows why the Lane failed to load, with Retry', async (t) => {
  openLane(t, [], {}, [http.get('*/api/lane', () => refusal(503, 'The database is away'))])
  t.match((await screen.findByRole('alert')).textContent, /Lane could not be loaded.*The database is away/)
  t.ok(screen.getByRole('button', { name: 'Retry' }))
})

t.test('ignores keys while typing, with modifiers, or repeated, and accepts Caps Lock', (t) => {
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
  t.same(key({ key: 'B' }), { do: 'bid', step: 0 }, 'with Caps Lock')
  t.same(key({ key: 'B', shiftKey: true }), { do: 'bid', step: 1 })
  t.same(key({ key: '4' }), { do: 'focus', slot: 4 })
  for (const held of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }])
    t.equal(key({ key: 'b', ...held }), undefined)
  const input = document.body.appendChild(document.createElement('input'))
  t.equal(key({ key: 'b' }, input), undefined)
  input.remove()
  t.end()
})
