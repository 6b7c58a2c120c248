import { randomUUID } from 'node:crypto'
import { becomes, show as render } from '#tests/support/screen.tsx'
import { openLane } from '#tests/support/lane-screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import t from 'tap'
import Type from 'typebox'
import { refetchLaneLists } from '#client/features/lane/lane.api.ts'
import { LanePage } from '#client/pages/lane.tsx'
import { Auction } from '#shared/schemas/auctions.ts'
import { Offer } from '#shared/schemas/deals.ts'
import { LaneAll, LaneSelling } from '#shared/schemas/lane.ts'
import { aRow } from '#tests/support/lane.ts'
import { answer, away, http, refusal } from '#tests/support/network.ts'
import { aCurrentUser, anAuction, anOffer } from '#tests/support/records.ts'

const shows = () => within(screen.getByRole('radiogroup', { name: 'Lane shows' })).getAllByRole('radio')
const words = () => shows().map(({ textContent }) => textContent)
const show = (name: string) => fireEvent.click(screen.getByRole('radio', { name }))

const anAll = (about: Partial<LaneAll> = {}): LaneAll => ({
  rows: [],
  overview: { running: 0, bidsPerMinute: 0, watchers: null, flags: [] },
  delayP99Ms: null,
  next: null,
  serverNow: new Date().toISOString(),
  ...about,
})

t.test('shows all running auctions to staff only', async (t) => {
  const all = http.get('*/api/lane/all', () => answer(LaneAll, anAll()))
  const { unmount } = openLane(t, [anAuction()])
  await screen.findByRole('region', { name: 'Run list' })
  t.same(words(), ['Buying', 'Selling'])
  unmount()
  const dealer = openLane(t, [anAuction()], {}, [all], { path: '/lane?view=all' })
  await screen.findByRole('region', { name: 'Run list' })
  t.equal(screen.queryByText('All running auctions'), null)
  dealer.unmount()
  for (const role of ['ops', 'admin'] as const) {
    const staff = openLane(t, [anAuction()], {}, [all], { me: { role } })
    await screen.findByRole('region', { name: 'Run list' })
    t.same(words(), ['Buying', 'Selling', 'All'], role)
    show('All')
    t.ok(await screen.findByRole('heading', { name: 'All running auctions' }))
    staff.unmount()
  }
})

t.test('counts unlisted auctions, too, and shows flags of the last day', async (t) => {
  const auction = anAuction()
  const row = {
    row: aRow(auction),
    bidsPerMinute: 1,
    watchers: 1,
    bidders: 1,
    seller: { id: randomUUID(), name: 'Ann Webb', dealershipName: 'Webb Bros Auto' },
    leader: null,
    flags: [],
  }
  const sharer = (number: number | null) => ({ id: randomUUID(), name: 'Ann', dealershipName: 'Webb', number })
  const flag = {
    postId: randomUUID(),
    title: '2019 Toyota Camry',
    bidder: sharer(2),
    other: sharer(null),
    signals: ['license' as const],
    flaggedAt: new Date().toISOString(),
  }
  const overview = { running: 1_234, bidsPerMinute: 567, watchers: 89, flags: [flag] }
  openLane(
    t,
    [auction],
    {},
    [
      http.get('*/api/lane/all', ({ request }) =>
        answer(
          LaneAll,
          new URL(request.url).searchParams.has('cursor')
            ? anAll({ rows: [{ ...row, row: aRow(anAuction()) }], overview: null })
            : anAll({ rows: [row], overview, next: 'more' }),
        ),
      ),
    ],
    { me: { role: 'ops' }, path: '/lane?view=all' },
  )
  const figures = await screen.findByLabelText('Today')
  const numbers = () =>
    within(figures)
      .getAllByRole('definition')
      .map(({ textContent }) => textContent)
  t.same(numbers(), ['1,234', '567', '89', 'no recent bids'])
  fireEvent.click(await screen.findByRole('button', { name: 'Load More' }))
  await becomes(t, () => screen.getAllByRole('button', { name: /^Open case/ }).length, 2)
  t.same(numbers(), ['1,234', '567', '89', 'no recent bids'], 'and stay as more is listed')
  const noticed = within(screen.getByRole('list', { name: 'Flagged in the last 24 hours' }))
  t.equal(noticed.getByRole('link').getAttribute('href'), `/post/${flag.postId}`)
  t.match(noticed.getByRole('listitem').textContent, /2019 Toyota Camry.*Bidder 2 and the seller: same/)
})

t.test('shows refusals to change the reserve, even without bids', async (t) => {
  const you = { isSeller: true, number: null, maximum: null, preset: null }
  const seller = { reserveAmount: 25_000, bidders: [] }
  const quiet = anAuction({ reserve: 'not_met', you, seller })
  const bid = anAuction({ reserve: 'not_met', amount: 21_000, bidCount: 1, leader: 1, you, seller })
  const sales = [quiet, bid].map((auction, index) => ({
    row: aRow(auction, { make: 'Kia', model: ['Rio', 'Soul'][index] ?? null }),
    reserveAmount: 25_000,
    bidders: auction.bidCount,
    watching: 0,
    offerId: null,
    dealId: null,
    reserveChanges: [],
  }))
  openLane(t, [quiet, bid], { counts: { running: 2, coming: 0, watching: 0, selling: 2 } }, [
    http.get('*/api/lane/selling', () => answer(LaneSelling, sales)),
    http.post('*/api/inventory/:id/auction/reserve', () => refusal(409, 'This auction is over')),
  ])
  await screen.findByRole('region', { name: 'Run list' })
  show('Selling 2')
  const field = await screen.findByRole('textbox', { name: 'New reserve' })
  const lower = (amount: string) => {
    fireEvent.change(field, { target: { value: amount } })
    fireEvent.submit(field)
  }
  lower('25,000')
  t.ok(screen.getByText('Enter less than $25,000'))
  lower('19,000')
  t.ok(screen.getByText('Enter at least the starting amount, $20,000'))
  lower('24,000')
  t.ok(await screen.findByText('The reserve was not lowered'))
  t.ok(screen.getByText('This auction is over'))
  fireEvent.click(screen.getByRole('button', { name: /Kia Soul/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Accept $21,000 as the reserve' }))
  const question = await screen.findByRole('alertdialog', {
    name: 'Accept $21,000 as the reserve of 2021 Kia Soul XLT?',
  })
  fireEvent.click(within(question).getByRole('button', { name: 'Accept $21,000' }))
  t.ok(await screen.findByText('The bid was not accepted'))
})

t.test('shows four panes below 1440 px and six above, unless set otherwise', async (t) => {
  const { matchMedia } = window
  t.teardown(() => void Object.assign(window, { matchMedia }))
  const shown = async (width: number, panes: 2 | 4 | 6 | null) => {
    const least = (query: string) => Number(/width >= (\d+)rem/.exec(query)?.[1] ?? Infinity) * 16
    Object.assign(window, { matchMedia: (query: string) => ({ ...matchMedia(query), matches: width >= least(query) }) })
    const { unmount } = openLane(t, [anAuction()], {}, [], {
      me: { settings: panes === null ? {} : { lane: { panes } } },
    })
    await screen.findByRole('region', { name: /^Position 1: / })
    const count = screen.getAllByRole('region', { name: /^Position \d: / }).length
    unmount()
    return count
  }
  t.same([await shown(1_024, null), await shown(1_439, null), await shown(1_440, null)], [4, 4, 6])
  t.same([await shown(1_024, 6), await shown(1_440, 2), await shown(1_440, 4)], [6, 2, 4])
})

t.test("keeps the chosen auction selected beside a seller's list when it ends", async (t) => {
  const you = { isSeller: true, number: null, maximum: null, preset: null }
  const auctions = [
    anAuction({ reserve: 'not_met', you, seller: { reserveAmount: 25_000, bidders: [] } }),
    anAuction({ reserve: 'not_met', you, seller: { reserveAmount: 25_000, bidders: [] } }),
  ]
  const sales = auctions.map((auction, index) => ({
    row: aRow(auction, { make: 'Kia', model: ['Rio', 'Soul'][index] ?? null }),
    reserveAmount: 25_000,
    bidders: 0,
    watching: 0,
    offerId: null,
    dealId: null,
    reserveChanges: [],
  }))
  const { cache } = openLane(t, auctions, { counts: { running: 2, coming: 0, watching: 0, selling: 2 } }, [
    http.get('*/api/lane/selling', () => answer(LaneSelling, sales)),
  ])
  await screen.findByRole('region', { name: 'Run list' })
  show('Selling 2')
  t.ok(await screen.findByRole('heading', { name: 'Bids on the Rio' }))
  sales.reverse()
  await act(() => refetchLaneLists(cache))
  await becomes(t, () => document.querySelector('tbody tr')?.textContent?.includes('Soul'), true)
  t.ok(screen.getByRole('heading', { name: 'Bids on the Rio' }))
})

t.test("moves the focus to the result after a seller's decision, then to the page", async (t) => {
  const me = aCurrentUser()
  const you = { isSeller: true, number: null, maximum: null, preset: null }
  const seller = { reserveAmount: 25_000, bidders: [] }
  const auction = anAuction({ status: 'deciding', amount: 21_000, bidCount: 1, leader: 1, you, seller })
  const { id, name, dealershipName } = me
  const offer = anOffer({ postId: auction.postId, source: 'auction', seller: { id, name, dealershipName } })
  const offers = [offer]
  const sale = {
    row: aRow(auction),
    reserveAmount: 25_000,
    bidders: 1,
    watching: 0,
    offerId: offer.id,
    dealId: null,
    reserveChanges: [],
  }
  const { unmount } = openLane(t, [auction], { counts: { running: 1, coming: 0, watching: 0, selling: 1 } }, [
    http.get('*/api/lane/selling', () => answer(LaneSelling, [sale])),
    http.get('*/api/offers', () => answer(Type.Array(Offer), offers)),
    http.post('*/api/offers/:id/:act', ({ params }) => {
      if (params['act'] === 'counter') offers.splice(0, 1, { ...offer, turn: 'buyer' })
      else offers.splice(0)
      return answer(Offer, offer)
    }),
  ])
  unmount()
  render(t, <LanePage />, me, '/lane')
  await screen.findByRole('region', { name: 'Run list' })
  show('Selling 1')
  const press = async (words: string) => {
    const button = await screen.findByRole('button', { name: words })
    act(() => button.focus())
    fireEvent.click(button)
  }
  await press('Counter')
  fireEvent.change(screen.getByLabelText('Your counter'), { target: { value: '24,000' } })
  await press('Send counter')
  await becomes(t, () => document.activeElement?.textContent?.startsWith('Waiting'), true)
  await press('Withdraw')
  await becomes(t, () => document.activeElement?.id, 'main')
})

t.test("shows errors of an auction's bids and offer beside Retry, and loads them again", async (t) => {
  const me = aCurrentUser()
  const you = { isSeller: true, number: null, maximum: null, preset: null }
  const auction = anAuction({ status: 'deciding', amount: 21_000, bidCount: 1, leader: 1, you })
  const { id, name, dealershipName } = me
  const offer = anOffer({ postId: auction.postId, source: 'auction', seller: { id, name, dealershipName } })
  const row = aRow(auction, { make: 'Kia', model: 'Rio' })
  const sale = {
    row,
    reserveAmount: 25_000,
    bidders: 1,
    watching: 0,
    offerId: offer.id,
    dealId: null,
    reserveChanges: [],
  }
  let isDown = true
  const { unmount } = openLane(t, [auction], { counts: { running: 1, coming: 0, watching: 0, selling: 1 } }, [
    http.get('*/api/lane/selling', () => answer(LaneSelling, [sale])),
    http.get('*/api/inventory/:id/auction', () => (isDown ? away() : answer(Auction, auction))),
    http.get('*/api/offers', () => (isDown ? away() : answer(Type.Array(Offer), [offer]))),
  ])
  unmount()
  render(t, <LanePage />, me, '/lane')
  await screen.findByRole('region', { name: 'Run list' })
  show('Selling 1')
  const alerts = ['The bids could not be loaded', 'The offer could not be loaded']
  for (const words of alerts) await screen.findByText(words)
  isDown = false
  for (const words of alerts) {
    const alert = screen.getByText(words).closest<HTMLElement>('[role="alert"]')
    fireEvent.click(within(alert ?? document.body).getByRole('button', { name: 'Retry' }))
    await becomes(t, () => screen.queryByText(words), null)
  }
  t.ok(await screen.findByRole('button', { name: /^Accept \$/ }))
  t.ok(await screen.findByRole('table', { name: 'Bids, newest first' }))
})
