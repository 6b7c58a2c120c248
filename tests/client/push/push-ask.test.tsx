import { becomes, show } from '#tests/support/screen.tsx'
import { useQuery } from '@tanstack/react-query'
import { useSaveOrder } from '#client/features/wanted/wanted.api.ts'
import { act, screen } from '@testing-library/react'
import t, { type Test } from 'tap'
import { useLocation } from 'wouter'
import { messageClient, startMessaging } from '#client/features/messaging/sync/current-client.ts'
import { PushAsk } from '#client/features/push/push-ask.tsx'
import { hasPushDevice, offerPush, pushOffer, type PushReason, storedPush } from '#client/lib/push-device.ts'
import { auctionQuery, usePlaceBid } from '#client/lib/auction/cached-auctions.ts'
import { authStatusKey, meKey } from '#client/lib/query/query-keys.ts'
import { Auction, PlacedBid } from '#shared/schemas/auctions.ts'
import type { NewBuyOrder } from '#shared/schemas/wanted.ts'
import { press, says } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refusal } from '#tests/support/network.ts'
import { aPushBrowser } from '#tests/support/push-browser.ts'
import { aPushServer } from '#tests/support/push-network.ts'
import { aCurrentUser, anAuction } from '#tests/support/records.ts'
import { aQueryClient } from '#tests/support/query-cache.ts'

const me = aCurrentUser()

function open(t: Test) {
  const { cache, ...rest } = show(t, <PushAsk />, me)
  cache.setQueryData(meKey, me)
  cache.setQueryData(authStatusKey, { session: 'session-1' })
  return { cache, ...rest }
}

const act1 = (reason: PushReason) => act(() => offerPush(reason))
const bar = () => screen.queryByRole('region', { name: 'Push notifications' })

const isDropped = async (t: Test) => {
  await becomes(t, () => pushOffer.get().reason, undefined)
  t.equal(bar(), null)
}

for (const [reason, question] of [
  ['outbid', "Get notified on this device when you're outbid?"],
  ['answer', 'Get notified on this device when they answer?'],
  ['match', 'Get notified on this device when a vehicle matches?'],
] as const)
  t.test(`asks "${question}" after the dealer's own act, and turns push on`, async (t) => {
    const { log } = aPushBrowser(t, { permission: 'default' })
    const { registered } = aPushServer(t)
    open(t)
    t.equal(bar(), null, 'not on load')
    const focused = document.activeElement
    act1(reason)
    await says(question)
    t.ok(bar())
    t.equal(document.activeElement, focused, 'it does not take the focus')
    t.same(log, [], "the browser's own question waits for the press")
    await press('Turn on')
    await says('Push is on')
    await becomes(t, bar, null)
    t.same([log[0], registered.length, hasPushDevice(me.id)], ['asks', 1, true])
  })

t.test('pauses for 14 days after Not now, and asks three times at most', async (t) => {
  aPushBrowser(t, { permission: 'default' })
  aPushServer(t)
  open(t)
  const day = 24 * 60 * 60_000
  const { now } = Date
  t.teardown(() => void (Date.now = now))
  for (const days of [0, 14.1, 28.2]) {
    Date.now = () => now() + days * day
    act1('outbid')
    await says("Get notified on this device when you're outbid?")
    await press('Not now')
    await becomes(t, bar, null)
    Date.now = () => now() + (days + 13.9) * day
    act1('outbid')
    await isDropped(t)
  }
  Date.now = () => now() + 100 * day
  act1('outbid')
  await isDropped(t)
})

t.test('does not ask where push is on, blocked, impossible or turned off by the operator', async (t) => {
  await t.test('on', async (t) => {
    aPushBrowser(t)
    open(t)
    storedPush.write({ session: 'session-1', endpoint: 'https://push.test/1' }, me.id)
    act1('answer')
    await isDropped(t)
  })
  await t.test('blocked', async (t) => {
    aPushBrowser(t, { permission: 'denied' })
    open(t)
    act1('answer')
    await isDropped(t)
  })
  await t.test('without a service worker', async (t) => {
    aPushBrowser(t, { hasWorker: false })
    open(t)
    act1('answer')
    await isDropped(t)
  })
  await t.test('off', async (t) => {
    aPushBrowser(t)
    aPushServer(t).network.use(http.get('*/api/push', () => refusal(404, 'Not found')))
    const { cache } = open(t)
    act1('answer')
    await becomes(t, () => cache.getQueryState(['/api/push'])?.status, 'error')
    t.equal(bar(), null)
  })
})

for (const path of ['/messages', '/lane', '/settings'])
  t.test(`does not cover the controls at the bottom of ${path}`, async (t) => {
    aPushBrowser(t, { permission: 'default' })
    aPushServer(t)
    const { cache } = show(t, <Way />, me, path)
    cache.setQueryData(meKey, me)
    act1('answer')
    await becomes(t, () => cache.getQueryState(['/api/push'])?.status, 'success')
    t.equal(bar(), null)
    await press('To the feed')
    await says('Get notified on this device when they answer?')
  })

function Way() {
  const [, navigate] = useLocation()
  return (
    <>
      <button onClick={() => navigate('/')}>To the feed</button>
      <PushAsk />
    </>
  )
}

t.test('waits until a dialog closes', async (t) => {
  aPushBrowser(t, { permission: 'default' })
  aPushServer(t)
  const { cache } = open(t)
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  document.body.append(dialog)
  t.teardown(() => dialog.remove())
  act1('outbid')
  await becomes(t, () => cache.getQueryState(['/api/push'])?.status, 'success')
  t.equal(bar(), null)
  dialog.remove()
  await says("Get notified on this device when you're outbid?")
})

t.test('waits while an auction on screen is about to end', async (t) => {
  aPushBrowser(t, { permission: 'default' })
  const { network } = aPushServer(t)
  const auction = anAuction()
  const endingIn = (ms: number) => ({ ...auction, endsAt: new Date(Date.now() + ms).toISOString() })
  network.use(http.get('*/api/inventory/:id/auction', () => answer(Auction, endingIn(20_000))))
  function Ladder() {
    return <p>{useQuery(auctionQuery(auction.postId)).data?.status}</p>
  }
  const { cache } = show(
    t,
    <>
      <Ladder />
      <PushAsk />
    </>,
    me,
  )
  cache.setQueryData(meKey, me)
  await says('open')
  act1('outbid')
  await becomes(t, () => cache.getQueryState(['/api/push'])?.status, 'success')
  t.equal(bar(), null)
  cache.setQueryData(auctionQuery(auction.postId).queryKey, endingIn(60_000))
  await says("Get notified on this device when you're outbid?")
})

t.test("offers push after the dealer's own bid, message and new buy order", async (t) => {
  const auction = anAuction()
  const order = { make: 'Ford', model: 'F-150' } as NewBuyOrder
  fakeNetwork(t).use(
    http.post('*/api/inventory/:id/bids', () =>
      answer(PlacedBid, { amount: 20_000, endsAt: auction.endsAt, leading: true, number: 1, seq: 2 }),
    ),
    http.post('*/api/buy-orders', () => HttpResponse.json(order)),
    http.get('*', away),
  )
  function Acts() {
    const [bid, save] = [usePlaceBid(auction.postId), useSaveOrder(undefined)]
    return (
      <>
        <button onClick={() => bid.mutate({ kind: 'bid', amount: 20_000, key: 'one' })}>Bid</button>
        <button onClick={() => save.mutate(order)}>Order</button>
      </>
    )
  }
  const { cache } = show(t, <Acts />, me)
  cache.setQueryData(meKey, me)
  const offered = async (reason: PushReason) => {
    await becomes(t, () => pushOffer.get().reason, reason)
    pushOffer.reset()
  }
  await press('Bid')
  await offered('outbid')
  await press('Order')
  await offered('match')
  t.teardown(startMessaging(me.id, aQueryClient()))
  messageClient().outbox.send('a chat', 'Is it still there?')
  await offered('answer')
})
