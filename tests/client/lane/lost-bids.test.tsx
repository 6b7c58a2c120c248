import { becomes } from '#tests/support/screen.tsx'
import { fireEvent, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import t, { type Test } from 'tap'
import { Auction, PlacedBid, type RefusedBid } from '#shared/schemas/auctions.ts'
import { openLane, position } from '#tests/support/lane-screen.tsx'
import { answer, away, http, refusal } from '#tests/support/network.ts'
import { anAuction } from '#tests/support/records.ts'

type Replay = () => Response

/**
 * Sends a maximum whose responses are lost. Meanwhile the auction changes to `after`. `replay` is the response to the request that the
 * client sends again once it has read the auction. Returns the pane and the keys of all requests.
 */
async function loseMaximum(t: Test, amount: string, before: Auction, after: Partial<Auction>, replay?: Replay) {
  const auctions = [before]
  const keys: (string | null)[] = []
  let isRead = false
  const { network } = openLane(t, auctions)
  const first = await position(1)
  fireEvent.click(await within(first).findByRole('button', { name: /^(Set maximum|Change)/ }))
  network.use(
    http.put('*/api/inventory/:id/max-bid', ({ request }) => {
      keys.push(request.headers.get('idempotency-key'))
      return isRead && replay !== undefined ? replay() : HttpResponse.error()
    }),
    http.get('*/api/inventory/:id/auction', () => {
      if (keys.length === 0) return answer(Auction, before)
      if (!isRead && keys.length < 5) return away()
      isRead = true
      return answer(Auction, { ...before, seq: 9, ...after })
    }),
  )
  const field = within(first).getByRole('textbox')
  fireEvent.change(field, { target: { value: amount } })
  fireEvent.submit(field)
  return { first, keys }
}

const outbid: Partial<Auction> = { amount: 26_000, minNext: 26_500, bidCount: 2, leader: 2 }
const bidder = { isSeller: false, number: 1, maximum: null, preset: null }

function refused(code: RefusedBid['code']): Replay {
  const at = new Date().toISOString()
  const details: RefusedBid = { code, amount: 26_000, minNext: 26_500, endsAt: at, serverNow: at }
  const error = { code: 'conflict', message: 'The bid is $26,000. Bid $26,500 or more', details, requestId: 'r' }
  return () => HttpResponse.json({ error }, { status: 409 })
}

t.test('reports a maximum whose response was lost as accepted and outbid', async (t) => {
  const before = anAuction()
  const placed = () => answer(PlacedBid, { seq: 2, amount: 20_000, endsAt: before.endsAt, leading: true, number: 1 })
  const { first, keys } = await loseMaximum(t, '25,000', before, { ...outbid, you: bidder }, placed)
  const words = 'Your maximum of $25,000 was accepted, then outbid at $26,000'
  t.ok(await within(first).findByText(words))
  t.equal(new Set(keys).size, 1, 'under the same key')
})

t.test('reports a maximum whose request was lost as not accepted', async (t) => {
  const { first } = await loseMaximum(t, '25,000', anAuction(), outbid, refused('TOO_LOW'))
  t.ok(await within(first).findByText('Your maximum of $25,000 was not accepted'))
})

t.test('says that the result of a lost maximum is unknown if the server does not reveal it', async (t) => {
  const { first } = await loseMaximum(t, '25,000', anAuction(), outbid, () => refusal(403, 'Bidding was stopped'))
  const words = 'We could not confirm your maximum of $25,000. Check the bids.'
  t.ok(await within(first).findByText(words))
})

t.test('does not send a lost maximum again while the server could still accept it', async (t) => {
  const { first, keys } = await loseMaximum(t, '25,000', anAuction(), { ...outbid, amount: 21_000, minNext: 21_500 })
  t.ok(await within(first).findByText('Your maximum of $25,000 was not accepted'))
  t.equal(keys.length, 5)
})

t.test('compares a lost maximum with the one that the leader has', async (t) => {
  const leads = { amount: 20_000, minNext: 20_500, bidCount: 1, leader: 1 }
  const before = anAuction({ ...leads, you: { ...bidder, maximum: 30_000 } })
  const { first } = await loseMaximum(t, '25,000', before, {})
  await becomes(t, () => within(first).queryByText('Your maximum is $30,000, not $25,000') !== null, true)
})
