import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import t, { type Test } from 'tap'
import { AuctionPopup } from '#client/features/auctions/auction-popup.tsx'
import { TermsForm } from '#client/features/auctions/terms-form.tsx'
import { auctionsLive } from '#client/features/auctions/auctions.live.ts'
import { openAuction } from '#client/features/auctions/auction-popup.store.ts'
import { setServerTime } from '#client/lib/live/connection.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { OpenedAuction } from '#client/pages/auction-popup.tsx'
import { Auction, AuctionTerms, type Bid, PlacedBid } from '#shared/schemas/auctions.ts'
import { OwnReactions, PostDetail } from '#shared/schemas/posts.ts'
import { anAuctionOf, badges, Card } from '#tests/support/auction-card.tsx'
import { answer, fakeNetwork, http, refusal, sent } from '#tests/support/network.ts'
import { refusalOf } from '#tests/support/controls.ts'
import { anAuction, aCurrentUser, aFeedPost, aPostDetail, aShownVehicle } from '#tests/support/records.ts'

t.test('offers a question but no price, clock or bids if a post only mentions an auction', async (t) => {
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/watchlist/ids', () => answer(OwnReactions.properties.like, [])),
  )
  const post = aFeedPost({ title: 'Auction on Friday', auctionFacilitator: 'Manheim' })
  show(t, <Card post={post} />)
  const block = await screen.findByRole('group', { name: 'Auction' })
  t.match(block.textContent, /Facilitator.*Manheim/)
  t.notMatch(block.textContent, /\$|Time left|bid \$/)
  t.equal(screen.queryByRole('button', { name: 'Open live auction' }), null)
  fireEvent.click(screen.getByRole('button', { name: 'Ask about this auction' }))
  await becomes(t, () => screen.queryByRole('dialog')?.textContent.startsWith(`Message ${post.dealer.name}`), true)
})

t.test('shows an error for an auction that failed to load and loads it again', async (t) => {
  const post = aFeedPost({ title: 'Silverado, live auction', hasAuction: true })
  let asked = 0
  fakeNetwork(t).use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/watchlist/ids', () => answer(OwnReactions.properties.like, [])),
    http.get('*/api/inventory/:id/auction', () => {
      asked += 1
      return refusal(503, 'The database is away')
    }),
  )
  show(t, <Card post={post} />)
  t.match((await screen.findByRole('alert')).textContent, /The auction could not be loaded.*The database is away/)
  const before = asked
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await becomes(t, () => asked, before + 1)
})

t.test('periodically fetches bids that arrive faster than events', async (t) => {
  const post = aPostDetail({ hasAuction: true })
  const auction = anAuction({ postId: post.id, seq: 10, bidCount: 0 })
  const server = { auction, asked: 0 }
  fakeNetwork(t).use(
    http.get('*/api/inventory/:id', () => answer(PostDetail, post)),
    http.get('*/api/inventory/:id/auction', () => {
      server.asked += 1
      return answer(Auction, server.auction)
    }),
  )
  act(() => openAuction(post))
  const { cache } = show(t, <OpenedAuction />)
  await screen.findByRole('dialog')
  await becomes(t, () => server.asked, 1)
  const { you: _you, seller: _seller, ...state } = auction
  const bid = (no: number): Bid => ({
    seq: 10 + no,
    no,
    amount: 20_000 + no * 500,
    bidder: 1,
    auto: false,
    at: auction.startsAt,
  })
  const hear = (no: number) => {
    const now = { ...state, seq: 10 + no, bidCount: no, leader: 1, amount: bid(no).amount, bids: [bid(no)] }
    server.auction = { ...auction, ...now, bids: Array.from({ length: no }, (_none, index) => bid(no - index)) }
    act(() => auctionsLive['auction.state'](cache, now))
  }
  for (const no of [5, 10, 15, 20]) hear(no)
  await becomes(t, () => cache.getQueryData(auctionQuery(post.id).queryKey)?.bids.length, 20)
  hear(30)
  await becomes(t, () => screen.queryAllByText('$35,000').length > 0, true)
  t.equal(server.asked, 2)
})

t.test('tells the seller how to open bidding', async (t) => {
  const me = aCurrentUser()
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })),
    http.get('*/api/watchlist/ids', () => answer(OwnReactions.properties.like, [])),
  )
  show(t, <Card post={aFeedPost({ title: 'Auction on Friday', dealer: me })} />, me)
  t.match((await screen.findByRole('group', { name: 'Auction' })).textContent, /switch on “Run a live auction”/)
  t.equal(screen.queryByRole('button', { name: 'Ask about this auction' }), null)
})

t.test('removes LIVE and Active at the end by the local clock', async (t) => {
  anAuctionOf(t, 1_500)
  t.ok(await screen.findByRole('button', { name: 'Open live auction' }))
  t.same(badges(), ['LIVE', 'Active'])
  t.ok(await screen.findByRole('button', { name: 'See how it ended' }))
  t.same(badges(), ['Auction ended'])
})

t.test('links to the Lane while the auction runs, and not afterwards', async (t) => {
  const { auction, tell } = anAuctionOf(t, 300_000)
  const link = await screen.findByRole('link', { name: 'Open in Lane' })
  t.equal(link.getAttribute('href'), `/lane?post=${auction.postId}`)
  tell({ status: 'no_sale', endReason: 'Sold elsewhere' })
  await becomes(t, () => screen.queryByRole('link', { name: 'Open in Lane' }), null)
})

t.test('removes the link when the seller ends the auction; the bar shows the time left', async (t) => {
  const { auction, tell, container } = anAuctionOf(t, 300_000)
  t.ok(await screen.findByRole('button', { name: 'Open live auction' }))
  const bar = () => Number.parseFloat(container.querySelector<HTMLElement>('[style*="width"]')?.style.width ?? '')
  t.equal(Math.round(bar()), 50, 'half of its ten minutes')
  tell({ endsAt: new Date(Date.parse(auction.endsAt) + 300_000).toISOString() })
  await becomes(t, () => Math.round(bar()), 67)
  tell({ status: 'no_sale', endReason: 'Sold elsewhere' })
  await becomes(t, badges, ['Auction ended'])
})

t.test("shows the next bid's cost with the network fee to bidders but not to the seller", async (t) => {
  const { auction } = anAuctionOf(t, 300_000)
  const buyFee = { flat: 100, percent: 2 }
  const post = aFeedPost({ id: auction.postId, title: 'Silverado, live auction', hasAuction: true })
  const priceFor = async (you: Auction['you']) => {
    const { unmount } = show(t, <AuctionPopup post={post} auction={{ ...auction, buyFee, you }} onClose={() => {}} />)
    const { textContent } = await screen.findByRole('region', { name: 'Price and time' })
    unmount()
    return textContent
  }
  t.match(await priceFor(auction.you), /Next bid: \$20,000 \+ \$500 buy fee = \$20,500/)
  t.notMatch(await priceFor({ ...auction.you, isSeller: true }), /buy fee/)
})

t.test('confirms an unusually high maximum and does not send it on Cancel', async (t) => {
  const { auction } = anAuctionOf(t, 300_000)
  const post = aFeedPost({ id: auction.postId, title: 'Silverado, live auction', hasAuction: true })
  show(t, <AuctionPopup post={post} auction={auction} onClose={() => {}} />)
  const field = await screen.findByRole('textbox', { name: 'Your maximum' })
  t.notOk(fireEvent.keyDown(field, { key: 'Enter', repeat: true }), 'a key that is held down')
  fireEvent.change(field, { target: { value: '999999999' } })
  fireEvent.submit(field)
  t.equal(refusalOf('Your maximum'), 'Enter $99,999,999 or less', 'before it is asked about')
  t.equal(field.getAttribute('value'), '999999999')
  fireEvent.change(field, { target: { value: '270000' } })
  fireEvent.submit(field)
  const question = await screen.findByRole('alertdialog', { name: 'Maximum $270,000?' })
  t.match(question.textContent, /That is \$250,000 above the next bid/)
  fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  await becomes(t, () => screen.queryByRole('alertdialog'), null)
  t.equal(field.getAttribute('value'), '270000', 'the amount can be corrected')
})

async function ownTerms(t: Test, about: Partial<Auction>) {
  const { auction, network } = anAuctionOf(t, 300_000)
  const own = { ...auction, you: { ...auction.you, isSeller: true }, ...about }
  const heard: AuctionTerms[] = []
  network.use(
    http.patch('*/api/inventory/:id/auction', async ({ request }) => {
      heard.push(await sent(AuctionTerms, request))
      return answer(Auction, own)
    }),
  )
  const post = aFeedPost({ id: auction.postId, title: 'Silverado, live auction', hasAuction: true })
  show(t, <AuctionPopup post={post} auction={own} onClose={() => {}} />)
  const form = await screen.findByRole('form', { name: 'Auction terms' })
  const save = async (label: RegExp, value: string) => {
    const before = heard.length
    fireEvent.change(within(form).getByLabelText(label), { target: { value } })
    fireEvent.submit(form)
    await becomes(t, () => heard.length, before + 1)
    return heard.at(-1)
  }
  return { form, save }
}

t.test('changes only the edited term and keeps the seconds of the end', async (t) => {
  const endsAt = new Date(Date.now() + 300_000).toISOString().replace(/:\d\d\.\d+Z$/, ':37.250Z')
  const { save } = await ownTerms(t, { endsAt, seller: { reserveAmount: 25_000, bidders: [] } })
  t.same(await save(/^Reserve/, '24,000'), { startAmount: 20_000, reserveAmount: 24_000, endsAt })
  const typed = '2027-01-05T10:30'
  t.equal((await save(/^Ends/, typed))?.endsAt, new Date(typed).toISOString())
})

t.test("keeps the seller's right to decide after a new start; only 0 removes the reserve", async (t) => {
  const { form, save } = await ownTerms(t, { reserve: 'not_met', seller: { reserveAmount: null, bidders: [] } })
  t.match(form.textContent, /Leave blank to decide/)
  fireEvent.change(within(form).getByLabelText('Starting amount'), { target: { value: '999999999' } })
  fireEvent.submit(form)
  t.match(form.textContent, 'Enter $99,999,999 or less')
  const kept = await save(/^Starting amount/, '21,000')
  t.equal(kept?.startAmount, 21_000)
  t.notOk(kept && 'reserveAmount' in kept, 'an untouched reserve is not sent')
  t.equal((await save(/^Reserve/, '0'))?.reserveAmount, null)
})

t.test('shows each error of the auction terms at its own field', async (t) => {
  const { form } = await ownTerms(t, { seller: { reserveAmount: 25_000, bidders: [] } })
  const field = (label: RegExp) => within(form).getByLabelText<HTMLInputElement>(label)
  const labels = [/^Starting amount/, /^Reserve/, /^Starts/, /^Ends/]
  /** Submits a value in one field, returns the errors of all fields, and then restores the field. */
  const refusals = (label: RegExp, value: string) => {
    const before = field(label).value
    fireEvent.change(field(label), { target: { value } })
    fireEvent.submit(form)
    const said = labels.map(refusalOf)
    fireEvent.change(field(label), { target: { value: before } })
    return said
  }
  const none = undefined
  t.same(refusals(/^Starting amount/, 'cheap'), ['Enter an amount in dollars', none, none, none])
  t.same(refusals(/^Reserve/, '24,5'), [none, 'Enter an amount in dollars', none, none])
  t.same(refusals(/^Reserve/, '19,000'), [none, 'The reserve cannot be below the starting amount', none, none])
  t.same(refusals(/^Starts/, '20261-12-01T10:00'), [none, none, 'Choose a time or leave blank', none])
  t.same(refusals(/^Ends/, '20261-12-01T10:00'), [none, none, none, 'Choose a time'])
  t.same(refusals(/^Ends/, ''), [none, none, none, 'Choose a time'])
})

t.test('says which of several vehicles the auction sells', async (t) => {
  const vehicles = [aShownVehicle({ year: 2021, make: 'Ford', model: 'F-150' })]
  const post = aPostDetail({ hasAuction: true, vehicleCount: 3, vehicles })
  const auction = anAuction({ postId: post.id })
  fakeNetwork(t).use(http.get('*/api/inventory/:id/auction', () => answer(Auction, auction)))
  const sold = /^This auction is for the first of 3 vehicles in this post: 2021 Ford F-150/
  const { unmount } = show(t, <AuctionPopup post={post} auction={auction} onClose={() => {}} />)
  await screen.findByText(sold)
  unmount()
  show(t, <AuctionPopup post={{ ...post, vehicleCount: 1 }} auction={auction} onClose={() => {}} />)
  await screen.findByText('Seller')
  t.equal(screen.queryByText(sold), null)
})

t.test('does not bid on the second click of a double click that opened the popup', async (t) => {
  const { auction } = anAuctionOf(t, 300_000)
  const post = aFeedPost({ id: auction.postId, title: 'Silverado, live auction', hasAuction: true })
  const me = aCurrentUser({ settings: { oneTapBids: true } })
  show(t, <AuctionPopup post={post} auction={auction} onClose={() => {}} />, me)
  const [bid] = screen.getAllByRole('button', { name: 'Bid Start, $20,000 in total' })
  fireEvent.click(bid as HTMLElement)
  t.ok(screen.getByText('A different auction just moved here. Press again to bid.'))
})

t.test('tells a dealer who closed the auction that their maximum was refused', async (t) => {
  const { auction, network } = anAuctionOf(t, 300_000)
  const post = aFeedPost({ id: auction.postId, title: 'Silverado, live auction', hasAuction: true })
  let refuse = () => {}
  const refused = new Promise<void>((resolve) => (refuse = resolve))
  let asked = 0
  network.use(
    http.put('*/api/inventory/:id/max-bid', async () => {
      asked += 1
      await refused
      return refusal(403, 'Your plan has ended')
    }),
  )
  function Page() {
    const [open, setOpen] = useState(true)
    return open ? <AuctionPopup post={post} auction={auction} onClose={() => setOpen(false)} /> : null
  }
  show(t, <Page />)
  const field = await screen.findByRole('textbox', { name: 'Your maximum' })
  fireEvent.change(field, { target: { value: '21000' } })
  fireEvent.submit(field)
  await becomes(t, () => asked, 1)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await becomes(t, () => screen.queryByRole('textbox', { name: 'Your maximum' }), null)
  refuse()
  t.ok(await screen.findAllByText('Bid not accepted'))
  t.ok(screen.queryAllByText('Your plan has ended').length > 0)
})

t.test('keeps a new maximum typed while another one is being set', async (t) => {
  const { auction, network } = anAuctionOf(t, 300_000)
  const post = aFeedPost({ id: auction.postId, title: 'Silverado, live auction', hasAuction: true })
  let take = () => {}
  const taken = new Promise<void>((resolve) => (take = resolve))
  const { amount, endsAt, seq } = { ...auction, amount: 20_000 }
  network.use(
    http.put('*/api/inventory/:id/max-bid', async () => {
      await taken
      return answer(PlacedBid, { amount, endsAt, seq, number: 1, leading: true })
    }),
  )
  show(t, <AuctionPopup post={post} auction={auction} onClose={() => {}} />)
  const field = await screen.findByRole('textbox', { name: 'Your maximum' })
  fireEvent.change(field, { target: { value: '21000' } })
  fireEvent.submit(field)
  fireEvent.change(field, { target: { value: '22000' } })
  take()
  await screen.findByText("We'll bid for you up to $21,000")
  t.equal(field.getAttribute('value'), '22000')
})

t.test('does not let an older response about terms undo a newer bid', async (t) => {
  const auction = anAuction({ bidCount: 0, seq: 10 })
  const { you: _you, seller: _seller, ...state } = { ...auction, seq: 12, bidCount: 1 }
  let take = () => {}
  const taken = new Promise<void>((resolve) => (take = resolve))
  let asked = 0
  fakeNetwork(t).use(
    http.patch('*/api/inventory/:id/auction', async () => {
      asked += 1
      await taken
      return answer(Auction, { ...auction, seq: 11 })
    }),
  )
  const { cache } = show(t, <TermsForm auction={auction} />)
  cache.setQueryData(auctionQuery(auction.postId).queryKey, auction)
  fireEvent.submit(screen.getByRole('form', { name: 'Auction terms' }))
  await becomes(t, () => asked, 1)
  act(() => auctionsLive['auction.state'](cache, state))
  take()
  await screen.findByText('Auction updated')
  t.match(cache.getQueryData(auctionQuery(auction.postId).queryKey), { seq: 12, bidCount: 1 })
})

t.test('changes terms after the auction has started without sending its old start', async (t) => {
  const startMs = Date.now() + 3_600_000
  const startsAt = new Date(startMs).toISOString()
  const endsAt = new Date(startMs + 7_200_000).toISOString()
  const { form, save } = await ownTerms(t, { startsAt, endsAt })
  t.equal((await save(/^Starting amount/, '19,000'))?.startsAt, startsAt)
  t.teardown(() => setServerTime(new Date().toISOString()))
  act(() => setServerTime(new Date(startMs + 600_000).toISOString()))
  const sentLater = await save(/^Starting amount/, '18,000')
  t.equal(sentLater?.startAmount, 18_000)
  t.notOk(sentLater && 'startsAt' in sentLater)
  const typed = '2027-01-05T10:30'
  fireEvent.change(within(form).getByLabelText(/^Ends/), { target: { value: '2027-01-06T10:30' } })
  t.equal((await save(/^Starts/, typed))?.startsAt, new Date(typed).toISOString(), 'a new start is sent')
})
