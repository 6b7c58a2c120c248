import { becomes } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import t from 'tap'
import { setState } from '#client/lib/live/connection.ts'
import { NewBid, NewPreset, PlacedBid } from '#shared/schemas/auctions.ts'
import { openLane, position } from '#tests/support/lane-screen.tsx'
import { aRow } from '#tests/support/lane.ts'
import { answer, http, sent } from '#tests/support/network.ts'
import { anAuction, anOffer } from '#tests/support/records.ts'
import { stopTime } from '#tests/support/stopped-time.ts'

const type = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const bidder = { isSeller: false, number: 1, maximum: null, preset: null }
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

function setMaximum(where: HTMLElement, amount: string) {
  const field = within(where).getByRole('textbox')
  fireEvent.change(field, { target: { value: amount } })
  fireEvent.submit(field)
}

async function questionOf(name: string, words: RegExp) {
  const question = await screen.findByRole('alertdialog', { name })
  t.match(question.textContent, words)
  await becomes(t, () => document.activeElement?.textContent, 'Cancel')
  return (button: string) => fireEvent.click(within(question).getByRole('button', { name: button }))
}

t.test('confirms an unusually high maximum, before the start as well', async (t) => {
  const running = anAuction()
  const coming = anAuction({ startsAt: inMs(300_000) })
  const taken: number[] = []
  const held: number[] = []
  openLane(t, [running, coming], {}, [
    http.put('*/api/inventory/:id/max-bid', async ({ request }) => {
      const { amount } = await sent(NewBid, request)
      taken.push(amount)
      return answer(PlacedBid, { seq: 5, amount: 20_000, endsAt: running.endsAt, leading: true, number: 1 })
    }),
    http.put('*/api/inventory/:id/preset', async ({ request }) => {
      held.push((await sent(NewPreset, request)).amount)
      return new HttpResponse(null, { status: 204 })
    }),
  ])
  const [first, second] = [await position(1), await position(2)]
  fireEvent.click(await within(first).findByRole('button', { name: 'Set maximum' }))
  setMaximum(first, '270000')
  const words = /That is \$250,000 above the next bid/
  ;(await questionOf('Maximum $270,000?', words))('Cancel')
  await becomes(t, () => screen.queryByRole('alertdialog'), null)
  t.same(taken, [])
  setMaximum(first, '270000')
  ;(await questionOf('Maximum $270,000?', words))('Set $270,000')
  await becomes(t, () => taken, [270_000])
  await becomes(t, () => within(first).queryByRole('textbox'), null)
  fireEvent.click(await within(second).findByRole('button', { name: 'Set maximum' }))
  setMaximum(second, '40,000')
  await becomes(t, () => held, [40_000])
  fireEvent.click(await within(second).findByRole('button', { name: /^Change/ }))
  setMaximum(second, '270000')
  ;(await questionOf('Maximum $270,000?', words))('Cancel')
  await becomes(t, () => screen.queryByRole('alertdialog'), null)
  t.same(held, [40_000])
  setMaximum(second, '270000')
  await questionOf('Maximum $270,000?', words)
  type('Escape')
  await becomes(t, () => screen.queryByRole('alertdialog'), null)
  t.equal(within(second).getByRole('textbox').getAttribute('value'), '270000', 'the amount can be corrected')
  setMaximum(second, '270000')
  ;(await questionOf('Maximum $270,000?', words))('Set $270,000')
  await becomes(t, () => held, [40_000, 270_000])
})

t.test('does not send a maximum while bids are paused', async (t) => {
  openLane(t, [anAuction(), anAuction({ startsAt: inMs(300_000) })])
  t.teardown(() => setState('connecting'))
  const positions = [await position(1), await position(2)]
  for (const where of positions) fireEvent.click(await within(where).findByRole('button', { name: 'Set maximum' }))
  act(() => setState('offline'))
  for (const where of positions) {
    setMaximum(where, '30000')
    t.ok(within(where).getByText("Bidding is paused until you're back online"))
  }
})

t.test('says that the seller countered an offer and links to it', async (t) => {
  const auction = anAuction({
    status: 'deciding',
    amount: 21_000,
    bidCount: 1,
    leader: 1,
    you: bidder,
    endsAt: inMs(-3_600_000),
  })
  const offer = anOffer({ postId: auction.postId, source: 'auction', amount: 21_000, expiresAt: inMs(23 * 3_600_000) })
  const open = async (turn: 'buyer' | 'seller', amount: number) => {
    const { history, unmount } = openLane(t, [auction], {}, [], { offers: [{ ...offer, turn, amount }] })
    const first = await position(1)
    const { textContent } = first
    fireEvent.click(await within(first).findByRole('button', { name: 'Open offer' }))
    unmount()
    return [textContent, history.at(-1)] as const
  }
  const [waits, waiting] = await open('seller', 21_000)
  t.match(waits, /Reserve not met.*answer due in 2[23] h.*your bid: \$21,000/)
  t.equal(waiting, '/deals?stage=waiting')
  const [countered, turn] = await open('buyer', 23_000)
  t.match(countered, /The seller countered.*your answer is due in 2[23] h.*asking \$23,000/)
  t.equal(turn, '/deals')
})

t.test('shows leaders the cost of their own bid and others the cost of the next one', async (t) => {
  const buyFee = { flat: 100, percent: 2 }
  const leading = anAuction({ amount: 25_000, minNext: 25_500, bidCount: 1, leader: 1, you: bidder, buyFee })
  const { tell } = openLane(t, [leading])
  const first = await position(1)
  t.ok(await within(first).findByText('You are winning'))
  t.match(first.textContent, /Your bid: \$25,000 \+ \$600 buy fee = \$25,600/)
  tell({ ...leading, seq: 2, amount: 25_500, minNext: 26_000, bidCount: 2, leader: 2 })
  t.ok(await within(first).findByText('You have been outbid'))
  t.match(first.textContent, /Next bid: \$26,000 \+ \$620 buy fee = \$26,620/)
})

t.test('tells a leader that each step raises their maximum', async (t) => {
  openLane(t, [anAuction({ amount: 25_000, minNext: 25_500, bidCount: 1, leader: 1, you: bidder })])
  const steps = within(await within(await position(1)).findByRole('group', { name: 'Raise your maximum' }))
  t.ok(steps.getByRole('button', { name: 'Raise to $25,500' }))
  t.ok(steps.getByRole('button', { name: 'Raise your maximum +$1,000, $26,000 in total' }))
  t.ok(steps.getByRole('button', { name: 'Raise your maximum +$2,500, $27,500 in total' }))
})

t.test("offers no bid or maximum on the dealer's own auction, even before the start or offline", async (t) => {
  const you = { ...bidder, number: null, isSeller: true }
  const coming = anAuction({ startsAt: inMs(300_000), you })
  openLane(t, [coming, anAuction({ you })], { running: [], coming: [aRow(coming)] })
  t.teardown(() => setState('connecting'))
  const positions = [await position(1), await position(2)]
  const offersNothing = async () => {
    for (const [index, where] of positions.entries()) {
      t.ok(await within(where).findByText(/You cannot bid on your own auction/))
      t.equal(within(where).queryByRole('button', { name: /Bid|maximum|Opens|amount/ }), null)
      type(String(index + 1))
      type('m')
      t.equal(within(where).queryByRole('textbox'), null)
    }
  }
  await offersNothing()
  act(() => setState('offline'))
  t.ok(within(positions[0] as HTMLElement).getByText('Bids are paused'))
  await offersNothing()
})

t.test('reports together what extended the end in the last five seconds', async (t) => {
  const auction = anAuction()
  const { cache, tell } = openLane(t, [auction])
  const first = await position(1)
  t.ok(await within(first).findAllByRole('button', { name: /^Bid/ }))
  await becomes(t, () => cache.isFetching(), 0)
  const time = stopTime(t)
  const pass = (ms: number) => act(() => time.tick(ms))
  const extended = () => within(first).queryByText(/^Extended/)?.textContent
  const endsIn = (seconds: number, seq: number) => {
    tell({ ...auction, seq, endsAt: new Date(Date.parse(auction.endsAt) + seconds * 1_000).toISOString() })
    pass(1)
  }
  endsIn(10, 2)
  t.equal(extended(), 'Extended +0:10')
  pass(3_000)
  endsIn(30, 3)
  t.equal(extended(), 'Extended +0:30')
  pass(4_000)
  t.equal(extended(), 'Extended +0:30')
  pass(1_000)
  t.equal(extended(), undefined)
  endsIn(40, 4)
  t.equal(extended(), 'Extended +0:10', 'extended again')
  endsIn(0, 5)
  t.equal(extended(), undefined, 'an undone extension')
})
