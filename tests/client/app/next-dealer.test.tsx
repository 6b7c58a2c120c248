import { becomes, show } from '#tests/support/screen.tsx'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import t from 'tap'
import { DataCopy } from '#client/features/account/data-copy.tsx'
import { dataExportQuery } from '#client/features/account/settings.api.ts'
import { EndAuction } from '#client/features/auctions/end-auction.tsx'
import { CurrentSubscription } from '#client/features/billing/plan/current-subscription.tsx'
import { DealDocuments } from '#client/features/deals/room/deal-documents.tsx'
import { dealQuery } from '#client/features/deals/deal.api.ts'
import { usePreset } from '#client/features/lane/lane.api.ts'
import { auctionQuery, usePlaceBid } from '#client/lib/auction/cached-auctions.ts'
import { mySubscriptionQuery } from '#client/lib/session/my-subscription.ts'
import { forgetDealer } from '#client/lib/query/query-client.ts'
import { meKey } from '#client/lib/query/query-keys.ts'
import { Auction, PlacedBid } from '#shared/schemas/auctions.ts'
import { MySubscription } from '#shared/schemas/billing.ts'
import { DealDetail } from '#shared/schemas/deals.ts'
import { fill, press, says } from '#tests/support/controls.ts'
import { aSubscription } from '#tests/support/admin-dealer-file.tsx'
import { LeftPage, leavePage } from '#tests/support/left-page.tsx'
import { answer, fakeNetwork, http, HttpResponse } from '#tests/support/network.ts'
import { aCurrentUser, anApprovedDeal, anAuction, mayNothing } from '#tests/support/records.ts'

const [me, next] = [aCurrentUser(), aCurrentUser({ name: 'Somebody Else' })]
const auction = anAuction({ bidCount: 0, seq: 3 })
const noPlan: MySubscription = { hasSubscription: false, entitlements: [], subscription: null }
const plan: MySubscription = { hasSubscription: true, entitlements: [], subscription: aSubscription() }
const aCopy = { id: 'a1', state: 'preparing', requestedAt: '2026-11-22T10:00:00Z' }
const noTimes = { sizeBytes: null, expiresAt: null, error: null }
const deal = anApprovedDeal(me, { giveMileage: true })

function Bid() {
  const bid = usePlaceBid(auction.postId)
  return (
    <button type="button" onClick={() => bid.mutate({ kind: 'max', amount: 9_000, key: 'one' })}>
      Bid
    </button>
  )
}

function Preset() {
  const preset = usePreset(auction.postId)
  return (
    <button type="button" onClick={() => preset.mutate(9_000)}>
      Preset
    </button>
  )
}

interface Late {
  path: string
  screen: ReactNode
  send: () => Promise<void>
  /** Returns a response that arrives after another dealer has signed in. */
  late: () => Response
  queryKey: QueryKey
  mine: unknown
  theirs: unknown
}

const held = { queryKey: auctionQuery(auction.postId).queryKey, mine: auction, theirs: auction }

const requests: Record<string, Late> = {
  'a change of the plan': {
    path: '*/api/cancel-subscription',
    screen: <CurrentSubscription subscription={aSubscription()} title="Plan" />,
    send: async () => {
      await press('Cancel Subscription')
      await says('Keep my plan')
      await press('Cancel Subscription')
    },
    late: () => answer(MySubscription, plan),
    queryKey: mySubscriptionQuery().queryKey,
    mine: plan,
    theirs: noPlan,
  },
  "a copy of one's data": {
    path: '*/api/account/export',
    screen: <DataCopy />,
    send: () => press('Prepare a copy'),
    late: () => HttpResponse.json({ ...aCopy, ...noTimes }, { status: 202 }),
    queryKey: dataExportQuery().queryKey,
    mine: { export: null },
    theirs: { export: null },
  },
  'the end of an auction': {
    path: '*/api/inventory/:id/auction/end',
    screen: <EndAuction auction={auction} />,
    send: async () => {
      await press('End auction')
      fill(/^Reason/, 'It is sold elsewhere')
      await press('End auction')
    },
    late: () => answer(Auction, { ...auction, you: { ...auction.you, isSeller: true } }),
    ...held,
  },
  'a bid': {
    path: '*/api/inventory/:id/max-bid',
    screen: <Bid />,
    send: () => press('Bid'),
    late: () =>
      answer(PlacedBid, { amount: 5_000, endsAt: auction.endsAt, leading: true, number: 1, seq: 2 } as PlacedBid),
    ...held,
  },
  'a maximum to begin with': {
    path: '*/api/inventory/:id/preset',
    screen: <Preset />,
    send: () => press('Preset'),
    late: () => new HttpResponse(null, { status: 204 }),
    ...held,
  },
  'the mileage of a deal': {
    path: '*/api/deal/:id/mileage',
    screen: <DealDocuments deal={deal} onFocus={() => {}} />,
    send: async () => {
      fill('Mileage', '48210')
      await press('Save mileage')
    },
    late: () => answer(DealDetail, { ...deal, mileage: 48_210 }),
    queryKey: dealQuery(deal.id).queryKey,
    mine: deal,
    theirs: { ...deal, may: mayNothing },
  },
}

for (const [what, { path, screen, send, late, queryKey, mine, theirs }] of Object.entries(requests))
  t.test(`ignores a late ${what} after another dealer signed in`, async (t) => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    let asked = 0
    const hold = async () => {
      asked += 1
      await arrived
      return late()
    }
    fakeNetwork(t).use(
      http.get('*', () => new Promise<never>(() => {})),
      http.post(path, hold),
      http.put(path, hold),
    )
    const { cache } = show(t, <LeftPage>{screen}</LeftPage>, me)
    cache.setQueryData(meKey, me)
    cache.setQueryData(queryKey, mine)
    await send()
    await becomes(t, () => asked, 1)
    leavePage()
    forgetDealer(cache)
    cache.setQueryData(meKey, next)
    cache.setQueryData(queryKey, theirs)
    arrive()
    await becomes(t, () => cache.isMutating(), 0)
    t.same(cache.getQueryData(queryKey), theirs)
  })
