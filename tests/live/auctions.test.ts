import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import type { Auction, AuctionState } from '#shared/schemas/auctions.ts'
import type { Deal } from '#shared/schemas/deals.ts'
import { closeDue, placeBids } from '#server/features/auctions/auctions.repository.ts'
import { setPostHidden } from '#server/features/posts/posts-changes.service.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { withState } from '#client/lib/auction/cached-auctions.ts'
import { startApp } from '../support/app.ts'
import { aBidder, bid, close, publishAuction, readAuction, setMaximum } from '../support/bidding.ts'
import { until } from '../support/wait.ts'

const app = await startApp(t)

const withoutClock = ({ serverNow: _clock, ...auction }: Auction) => auction

t.test('equals a fresh fetch after events in any order, on another node and in the Lane', async (t) => {
  const second = await startApp(t, {}, app.services)
  const seller = await app.signIn('Seller')
  const [one, two, watcher] = [await aBidder(app, 'One'), await aBidder(app, 'Two'), await aBidder(app, 'Watcher')]
  const postId = await publishAuction(seller, { reserveAmount: 14_000 })
  const tab = await app.on(second, watcher).live()
  await tab.view({ kind: 'post', id: postId, on: true })
  const place = await app.on(second, await app.signIn('Lane')).live()
  await place.view({ kind: 'lot', id: postId, on: true })
  await place.view({ kind: 'lane', id: '', on: true })
  const before = await readAuction(watcher, postId)
  // Wait for the event after each bid, because the server throttles `auction.state` events and sends only the latest state.
  const heardUpTo = async () => {
    const { seq } = await readAuction(watcher, postId)
    await tab.nextEvent('auction.state', (state) => state.seq === seq)
  }
  await bid(one, postId, 10_000)
  await heardUpTo()
  await setMaximum(two, postId, 13_000)
  await heardUpTo()
  await bid(one, postId, 12_000)
  await heardUpTo()
  await bid(app.on(second, one), postId, 14_500)
  const fresh = withoutClock(await readAuction(watcher, postId))
  const states = await until('the last state event', () => {
    const heard = tab.heard.filter(({ name }) => name === 'auction.state').map(({ event }) => event as AuctionState)
    return heard.some(({ seq }) => seq === fresh.seq) ? heard : undefined
  })
  for (const order of [states, states.toReversed(), [...states, ...states]])
    t.same(withoutClock(order.reduce(withState, before)), fresh)
  t.equal(fresh.reserve, 'met')
  const { you: _you, seller: _seller, bids: _bids, ...shared } = fresh
  t.match(
    await place.nextEvent('auction.state', ({ seq }) => seq === fresh.seq),
    shared,
    'the Lane gets fewer events but the same final state',
  )
  const { rows } = await place.nextEvent('lane.rows', (event) => event.rows.some(({ seq }) => seq === fresh.seq))
  const { postId: id, seq, amount, minNext, bidCount, leader, reserve, endsAt } = fresh
  t.match(rows, [{ postId: id, seq, amount, minNext, bidCount, leader, reserve, endsAt }])
  t.notMatch(
    JSON.stringify(place.heard),
    new RegExp(`14000|${seller.id}|${one.id}`),
    'the Lane row reveals neither seller nor bidders',
  )
  await app.server.ctx.transact((tx, emit) => setPostHidden(tx, emit, postId, true))
  t.same((await place.nextEvent('lane.rows', ({ gone }) => gone.length > 0)).gone, [postId])
  for (const kind of ['lot', 'auction', 'post'] as const)
    t.match(await place.view({ kind, id: postId, on: true }), { ok: false }, `no view of a hidden ${kind}`)
  t.match(await place.view({ kind: 'lot', id: randomUUID(), on: true }), { ok: false })
})

t.test('notifies the outbid dealer at once in every tab, and nobody else', async (t) => {
  const seller = await app.signIn('Seller')
  const [one, two] = [await aBidder(app, 'One'), await aBidder(app, 'Two')]
  const postId = await publishAuction(seller)
  await bid(one, postId, 10_000)
  const [tab, otherTab, rival] = [await one.live(), await one.live(), await two.live()]
  await bid(two, postId, 11_000)
  t.match(await tab.nextEvent('auction.outbid'), { postId, amount: 11_000, title: /Live auction/ })
  t.match(await otherTab.nextEvent('auction.outbid'), { postId })
  t.match(await rival.nextEvent('lane.placed'), { postId }, 'the bidder is notified on every screen')
  t.same(await tab.receivedAfterRoundTrip('lane.placed'), [])
  t.same(await rival.receivedAfterRoundTrip('auction.outbid'), [])
  const noticed = await tab.nextEvent('inbox.changed', ({ what }) => what === 'notification')
  t.ok(noticed.rev > 0, 'and in the notifications')
})

t.test('counts dealers with the auction open as viewers, not cards in a feed', async (t) => {
  const seller = await app.signIn('Seller')
  const [one, two] = [await app.signIn('One'), await app.signIn('Two')]
  const postId = await publishAuction(seller)
  const tabs = [await one.live(), await one.live(), await two.live()]
  for (const tab of tabs) await tab.view({ kind: 'post', id: postId, on: true })
  t.equal((await tabs[0]?.nextEvent('post.viewers'))?.viewers, 0)
  for (const [index, tab] of tabs.entries())
    await tab.view({ kind: index === 0 ? 'auction' : 'lot', id: postId, on: true })
  await tabs[1]?.view({ kind: 'auction', id: postId, on: true })
  await tabs[0]?.nextEvent('post.viewers', ({ viewers }) => viewers === 2)
  tabs[2]?.close()
  t.equal((await tabs[0]?.nextEvent('post.viewers', ({ viewers }) => viewers === 1))?.viewers, 1)
})

t.test('neither loses nor duplicates a bid if a process dies at any step of a bid or close', async (t) => {
  const seller = await app.signIn('Seller')
  const [one, two] = [await aBidder(app, 'One'), await aBidder(app, 'Two')]
  const postId = await publishAuction(seller)
  const tab = await seller.live()
  await tab.view({ kind: 'post', id: postId, on: true })
  const { db } = app.server.ctx
  const dies = (work: (tx: Tx) => Promise<unknown>) =>
    db.transaction().execute(async (tx) => {
      await work(tx)
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    })
  const request = { postId, bidderId: one.id, key: randomUUID(), kind: 'bid' as const, cents: 1_000_000 }

  await t.rejects(dies((tx) => placeBids(tx, [request])))
  t.equal((await readAuction(one, postId)).bidCount, 0, 'no bid is stored before the commit')

  await placeBids(db, [request])
  await tab.nextEvent('auction.state', ({ amount }) => amount === 10_000)
  t.match(await bid(one, postId, 10_000, request.key), { status: 201, body: { seq: 1 } }, 'published once after it')
  await bid(two, postId, 10_500)

  const over = { startsAt: new Date(Date.now() - 60_000), endsAt: new Date(Date.now() - 1) }
  await t.rejects(
    dies(async (tx) => {
      await tx.updateTable('auctions').set(over).where('postId', '=', postId).execute()
      t.match(await closeDue(tx, postId), { status: 'sold' })
    }),
  )
  t.match(await close(app, seller, postId), { status: 'sold', bidCount: 2, amount: 10_500 })
  t.match((await seller.get<Deal[]>(`/api/deals/${seller.id}`)).body, [{ price: 10_500 }], 'one deal exists')
  t.equal((await seller.get<Deal[]>(`/api/deals/${seller.id}`)).body.length, 1)
})
