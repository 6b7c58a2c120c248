import { show } from './screen.tsx'
import { act, screen } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import type { Test } from 'tap'
import { auctionsLive } from '#client/features/auctions/auctions.live.ts'
import { LaneScreen } from '#client/features/lane/lane.tsx'
import { Auction, PlacedBid } from '#shared/schemas/auctions.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { Lane, LanePins } from '#shared/schemas/lane.ts'
import { aLane, aRow } from './lane.ts'
import { answer, fakeNetwork, http, refusal, sent } from './network.ts'
import { aCurrentUser } from './records.ts'

/** Renders the Lane. All auctions are pinned by default, and the fake server accepts every bid. */
export function openLane(
  t: Test,
  auctions: Auction[],
  about: Partial<Lane> = {},
  handlers: RequestHandler[] = [],
  { me, path = '/lane', offers = [] }: { me?: Partial<CurrentUser>; path?: string; offers?: Offer[] } = {},
) {
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
  const ways = { opened: [] as string[], pictured: [] as string[] }
  const nothing = () => undefined
  const shown = show(
    t,
    <LaneScreen
      onMessage={nothing}
      onPhotos={({ postId }) => ways.pictured.push(postId)}
      onWatch={nothing}
      offerOf={(postId) => offers.find((offer) => offer.postId === postId)}
      onOpenDeal={(postId) => ways.opened.push(postId)}
      onShowKeys={nothing}
      onOpenCase={nothing}
      sellersParts={{ onNewAuction: nothing, renderOffer: () => null, renderWithdraw: () => null }}
    />,
    aCurrentUser({ settings: { lane: { panes: 4 } }, ...me }),
    path,
  )
  const tell = (auction: Auction) => {
    const { you: _you, seller: _seller, ...state } = auction
    // Update the fake server first: if the auction is still loading, its response must not be older than the event.
    const known = auctions.find(({ postId }) => postId === auction.postId)
    if (known) auctions[auctions.indexOf(known)] = { ...known, ...state }
    act(() => auctionsLive['auction.state'](shown.cache, state))
  }
  return { ...shown, ...heard, ways, network, tell }
}

export const position = (slot: number) => screen.findByRole('region', { name: new RegExp(`^Position ${slot}: `) })
