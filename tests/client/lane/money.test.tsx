import { becomes } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import t from 'tap'
import { laneQuery } from '#client/features/lane/lane.api.ts'
import { laneInbox, laneLive } from '#client/features/lane/lane.live.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { Lane } from '#shared/schemas/lane.ts'
import { openLane, position } from '#tests/support/lane-screen.tsx'
import { aLane, aRow, stateOf } from '#tests/support/lane.ts'
import { answer, http } from '#tests/support/network.ts'
import { anAuction } from '#tests/support/records.ts'

t.test('frees committed money at once when outbid, ended, withdrawn or cancelled', async (t) => {
  const you = { isSeller: false, number: 1, maximum: 20_000, preset: null }
  const leading = anAuction({ amount: 20_000, minNext: 20_500, bidCount: 1, leader: 1, you })
  const now = { auction: leading, used: 20_000 }
  const lane = () => {
    const [row, { used }] = [aRow(now.auction), now]
    const day = { limit: 30_000, used, won: 0, committed: used, headroom: 0 }
    const pins = [{ postId: row.postId, slot: 1 }]
    return aLane({ running: [row], mine: [row], pinned: [row], pins, day })
  }
  const { cache, tell } = openLane(t, [leading], {}, [http.get('*/api/lane', () => answer(Lane, lane()))])
  const isAsked = () => cache.isFetching({ queryKey: laneQuery().queryKey }) > 0
  const moves = (auction: Auction, used: number, gone: string[] = []) => {
    Object.assign(now, { auction, used })
    const { bids: _bids, ...row } = stateOf(auction)
    const rows = gone.length > 0 ? [] : [row]
    act(() => laneLive['lane.rows'](cache, { rows, gone, more: false, serverNow: new Date().toISOString() }))
  }
  const used = (amount: string) => becomes(t, () => screen.queryByText(amount, { selector: 'b' }) !== null, true)
  const first = await position(1)
  t.ok(await within(first).findByText('You are winning'))
  await used('$20,000')
  const outbid = { ...leading, seq: 5, amount: 20_500, minNext: 21_000, bidCount: 2, leader: 2 }
  tell(outbid)
  t.ok(await within(first).findByRole('button', { name: 'Over your day limit' }))
  moves(outbid, 0)
  t.ok(isAsked(), 'outbid')
  await used('$0')
  t.ok(within(first).getByRole('button', { name: 'Bid $21,000' }))
  moves({ ...outbid, seq: 6, leader: 3 }, 0)
  moves({ ...outbid, seq: 7, leader: 1 }, 0)
  t.notOk(isAsked(), "other dealers' changes do not free money; your own bid reports its own change")
  moves({ ...outbid, seq: 8, leader: 1, status: 'no_sale' }, 1)
  t.ok(isAsked(), 'ended')
  await used('$1')
  now.used = 2
  act(() => laneInbox.deal(cache))
  t.ok(isAsked(), 'a deal')
  await used('$2')
  moves({ ...outbid, seq: 8, leader: 1, status: 'no_sale' }, 3, [leading.postId])
  t.ok(isAsked(), 'no longer on offer')
  await used('$3')
})

t.test('retries a bid under its key if only the load balancer answered', async (t) => {
  const { bids, network } = openLane(t, [anAuction()])
  let isFirst = true
  network.use(
    http.post('*/api/inventory/:id/bids', ({ request }) => {
      if (!isFirst) return
      isFirst = false
      bids.push({ key: request.headers.get('idempotency-key'), amount: 0 })
      return new HttpResponse('<h1>504 Gateway Time-out</h1>', { status: 504 })
    }),
  )
  const first = await position(1)
  fireEvent.click(await within(first).findByRole('button', { name: 'Bid $20,000' }))
  fireEvent.click(within(first).getByRole('button', { name: 'Confirm $20,000' }))
  await becomes(t, () => bids.length, 2)
  t.equal(bids[0]?.key, bids[1]?.key)
  t.ok(await within(first).findByText('You are winning'))
})
