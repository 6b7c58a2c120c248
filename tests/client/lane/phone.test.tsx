import { becomes } from '#tests/support/screen.tsx'
import { act, fireEvent, screen } from '@testing-library/react'
import t, { type Test } from 'tap'
import { laneLive } from '#client/features/lane/lane.live.ts'
import { Lane, LanePins } from '#shared/schemas/lane.ts'
import { openLane } from '#tests/support/lane-screen.tsx'
import { aLane, aRow } from '#tests/support/lane.ts'
import { answer, http, refusal } from '#tests/support/network.ts'
import { anAuction } from '#tests/support/records.ts'

function onPhone(t: Test) {
  const { matchMedia } = window
  t.teardown(() => void Object.assign(window, { matchMedia }))
  Object.assign(window, {
    matchMedia: (query: string) => ({ ...matchMedia(query), matches: query === '(width < 48rem)' }),
  })
}

const address = ({ history }: { history: string[] }) => history.at(-1)
const isRunList = () => screen.queryByRole('region', { name: 'Run list' }) !== null

t.test('returns to the run list on "Close" of an auction known only by its pin', async (t) => {
  onPhone(t)
  const [open, over] = [anAuction(), anAuction({ status: 'no_sale' })]
  const about = { running: [aRow(open)] }
  const closing = openLane(t, [open, over], about, [], { path: `/lane?post=${over.postId}` })
  fireEvent.click(await screen.findByRole('button', { name: 'Close' }))
  await becomes(t, isRunList, true)
  await becomes(t, () => closing.pins.at(-1), [{ postId: open.postId, slot: 1 }])
  t.equal(address(closing), '/lane')
})

t.test('returns to the run list after “Remove from Lane” on a phone', async (t) => {
  onPhone(t)
  const open = anAuction()
  const leaving = openLane(t, [open], {}, [], { path: `/lane?post=${open.postId}` })
  fireEvent.click(await screen.findByRole('button', { name: /^More for/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove from Lane' }))
  await becomes(t, isRunList, true)
  t.equal(address(leaving), '/lane')
})

t.test('explains a link to a hidden auction, with a way back', async (t) => {
  onPhone(t)
  const auction = anAuction()
  const auctions = [auction]
  const hidden = anAuction().postId
  const shown = openLane(
    t,
    auctions,
    {},
    [http.put('*/api/lane/pins', () => answer(LanePins, { pins: [{ postId: auction.postId, slot: 1 }] }))],
    { path: `/lane?post=${hidden}` },
  )
  t.ok(await screen.findByRole('heading', { name: 'No longer available' }))
  fireEvent.click(screen.getByRole('button', { name: 'See the run list' }))
  await becomes(t, isRunList, true)
  t.same(shown.history, ['/lane'], 'Back does not lead to it again')
  shown.unmount()
  const gone = openLane(t, auctions, {}, [], { path: `/lane?post=${auction.postId}` })
  const menu = await screen.findByRole('button', { name: /^More for/ })
  fireEvent.click(menu)
  t.ok(await screen.findByRole('menuitem', { name: 'Open full auction' }))
  fireEvent.click(menu)
  auctions.pop()
  const serverNow = new Date().toISOString()
  act(() => laneLive['lane.rows'](gone.cache, { rows: [], gone: [auction.postId], more: false, serverNow }))
  t.ok(await screen.findByText('No longer available'))
  fireEvent.click(menu)
  await screen.findByRole('menuitem', { name: 'Message seller' })
  t.equal(screen.queryByRole('menuitem', { name: 'Open full auction' }), null)
})

t.test('shows a linked auction that is in no list once it has a pane', async (t) => {
  onPhone(t)
  const auction = anAuction()
  const row = aRow(auction)
  let isPinned = false
  openLane(
    t,
    [auction],
    {},
    [
      http.get('*/api/lane', () =>
        answer(Lane, isPinned ? aLane({ pins: [{ postId: row.postId, slot: 1 }], pinned: [row] }) : aLane()),
      ),
      http.put('*/api/lane/pins', () => {
        isPinned = true
        return answer(LanePins, { pins: [{ postId: row.postId, slot: 1 }] })
      }),
    ],
    { path: `/lane?post=${row.postId}` },
  )
  t.ok(await screen.findByRole('button', { name: 'Bid $20,000' }))
  t.equal(screen.queryByText('No longer available'), null)
})

t.test('shows an error if the auction fails to load, with Retry', async (t) => {
  onPhone(t)
  const away = http.get('*/api/inventory/:id/auction', () => refusal(503, 'The database is away'))
  openLane(t, [], {}, [away], { path: `/lane?post=${anAuction().postId}` })
  t.ok(await screen.findByText('The auction could not be loaded'))
  t.ok(screen.getByText('The database is away'))
})

t.test('does not bid on the second tap that opened an auction from the run list', async (t) => {
  onPhone(t)
  const me = { settings: { lane: {}, oneTapBids: true } }
  const { bids } = openLane(t, [anAuction()], {}, [], { me })
  fireEvent.click(await screen.findByTitle('2021 Ford F-150 XLT'))
  const bid = screen.getByRole('button', { name: 'Bid $20,000' })
  fireEvent.click(bid)
  t.ok(screen.getByText('A different auction just moved here. Press again to bid.'))
  await becomes(
    t,
    () => {
      if (bids.length === 0) fireEvent.click(bid)
      return bids.length
    },
    1,
  )
})
