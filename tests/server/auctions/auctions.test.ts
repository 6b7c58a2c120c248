import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { AdminUser } from '#shared/schemas/admin.ts'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { Deal, Offer, OfferTerms } from '#shared/schemas/deals.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '../../support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { aBidder, bid, close, endIn, publishAuction, readAuction, setMaximum } from '../../support/bidding.ts'
import { aPost, publish } from '../../support/factories.ts'
import { until } from '../../support/wait.ts'
import { acceptOffer } from '#tests/support/deals.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

t.test('accepts and numbers a bid, and returns the price and the end', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const buyer = await aBidder(app, 'Buyer One')
  const postId = await publishAuction(seller)
  const placed = await bid(buyer, postId, 10_000)
  t.equal(placed.status, 201)
  t.match(placed.body, { seq: 1, amount: 10_000, leading: true, number: 1 })
  const seen = await readAuction(seller, postId)
  t.match(seen, { status: 'open', amount: 10_000, minNext: 10_500, bidCount: 1, leader: 1, reserve: 'none' })
  t.same(
    seen.bids.map(({ amount, bidder, auto }) => ({ amount, bidder, auto })),
    [{ amount: 10_000, bidder: 1, auto: false }],
  )
  t.same(seen.seller?.bidders, [{ number: 1, name: 'Buyer One', dealershipName: 'Buyer One' }], 'the seller sees names')
  t.equal((await readAuction(buyer, postId)).seller, null, 'other dealers do not')
})

t.test('repeats the first answer for a bid key and refuses other content', async (t) => {
  const seller = await app.signIn()
  const [one, two] = [await aBidder(app, 'One'), await aBidder(app, 'Two')]
  const postId = await publishAuction(seller)
  const key = randomUUID()
  const first = await bid(one, postId, 10_000, key)
  await bid(two, postId, 12_000)
  const again = await bid(one, postId, 10_000, key)
  t.equal(again.status, 201)
  t.same(again.body, first.body, 'even after other bids')
  const twin = await Promise.all(
    Array.from({ length: 5 }, () => bid(one, postId, 13_000, '018f0000-0000-7000-8000-000000000001')),
  )
  t.same(new Set(twin.map((answer) => JSON.stringify(answer.body))).size, 1, 'five at once count as one bid')
  t.equal((await readAuction(one, postId)).bidCount, 3)
  const [left, right, third] = await Promise.all([1, 2, 3].map(() => publishAuction(seller)))
  const shared = randomUUID()
  const answers = await Promise.all([
    bid(one, left ?? '', 10_000, shared),
    bid(one, right ?? '', 10_000, shared),
    bid(two, third ?? '', 10_000),
  ])
  t.same(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 201, 409],
    'accepts one of two simultaneous bids with the same key on two auctions, and the bid next to it',
  )
  const other = await bid(one, postId, 14_000, key)
  t.equal(other.status, 409)
  t.equal(other.body.error.message, 'This idempotency key was already used for another bid')
})

t.test('explains every refusal and includes the current price', async (t) => {
  await askForPlans(t, app)
  const seller = await aBidder(app, 'Seller')
  const [one, two] = [await aBidder(app, 'One'), await aBidder(app, 'Two')]
  const postId = await publishAuction(seller)
  const code = async (answer: ReturnType<typeof bid>) => {
    const { status, body } = await answer
    return [status, body.error.details?.code ?? body.error.code]
  }
  t.same(await code(bid(one, postId, 9_999.99)), [409, 'TOO_LOW'])
  await bid(one, postId, 10_000)
  const low = await bid(two, postId, 10_499)
  t.equal(low.body.error.message, 'The bid is $10,000. Bid $10,500 or more')
  t.match(low.body.error.details, { code: 'TOO_LOW', amount: 10_000, minNext: 10_500 })
  t.same(await code(bid(one, postId, 11_000)), [409, 'LEADING'])
  t.same(await code(bid(seller, postId, 11_000)), [409, 'OWN'])
  t.same(await code(bid(two, postId, -500)), [400, 'bad_request'])
  t.same(await code(bid(two, postId, 0)), [400, 'bad_request'])
  t.same(await code(bid(two, postId, 11_000.005)), [400, 'bad_request'])
  t.same(await code(bid(two, postId, 1e15)), [400, 'bad_request'])
  t.same(await code(two.post(`/api/inventory/${postId}/bids`, { amount: 11_000 })), [400, 'bad_request'], 'missing key')
  t.same(await code(bid(two, randomUUID(), 11_000)), [404, 'not_found'])
  t.same(await code(bid(two, await publish(seller), 11_000)), [404, 'not_found'], 'a post without an auction')
  t.same(await code(bid(await app.signIn('No Plan', { plan: null }), postId, 11_000)), [402, 'payment_required'])
  t.same(await code(bid(app.visitor, postId, 11_000)), [401, 'unauthorized'])
  const { db } = app.server.ctx
  const [late, barred] = [await aBidder(app, 'Past Due'), await aBidder(app, 'Suspended')]
  await db.updateTable('subscriptions').set({ status: 'past_due' }).where('dealerId', '=', late.id).execute()
  await db.updateTable('dealers').set({ suspendedAt: new Date() }).where('id', '=', barred.id).execute()
  for (const refused of [
    await bid(late, postId, 11_000),
    await setMaximum(late, postId, 11_000),
    await late.post('/api/inventory', aPost()),
    await late.post(`/api/inventory/${await publish(seller)}/relist`),
  ]) {
    t.equal(refused.status, 402)
    t.match(refused.body, { error: { message: /^Your last payment failed\. Pay the open invoice to / } })
  }
  t.same(await code(bid(barred, postId, 11_000)), [401, 'unauthorized'], 'a suspended dealer has no session')
  t.equal((await barred.post('/api/inventory', aPost())).status, 401)
  const leaving = await aBidder(app, 'Leaving')
  t.equal((await leaving.get('/api/heads')).status, 200, 'this node now caches the session')
  await db.updateTable('dealers').set({ suspendedAt: new Date() }).where('id', '=', leaving.id).execute()
  t.same(await code(bid(leaving, postId, 11_000)), [401, 'unauthorized'], 'but refuses the bid')
  const coming = await publishAuction(seller, { startsAt: new Date(Date.now() + 3_600_000).toISOString() })
  const early = await bid(one, coming, 10_000)
  t.match(early.body.error, { message: 'Bidding has not started', details: { code: 'CLOSED' } })
  await close(app, seller, postId)
  const tooLate = await bid(two, postId, 20_000)
  t.match(tooLate.body.error, { message: 'This auction is over', details: { code: 'CLOSED', amount: 10_000 } })
})

t.test('raises a maximum one increment above the second highest; the earlier of equal ones leads', async (t) => {
  const seller = await app.signIn()
  const [one, two, three] = [await aBidder(app, 'One'), await aBidder(app, 'Two'), await aBidder(app, 'Three')]
  const postId = await publishAuction(seller)
  t.match((await setMaximum(one, postId, 15_000)).body, { amount: 10_000, leading: true })
  t.match((await bid(two, postId, 12_000)).body, { amount: 12_500, leading: false })
  t.match(
    (await setMaximum(three, postId, 15_000)).body,
    { amount: 15_000, leading: false },
    'the earlier of equal maximums leads',
  )
  t.match((await bid(two, postId, 15_500)).body, { amount: 15_500, leading: true })
  t.match(
    (await setMaximum(two, postId, 20_000)).body,
    { amount: 15_500, leading: true },
    'raising your own maximum is not a bid',
  )
  t.match((await setMaximum(three, postId, 18_000)).body, { amount: 18_500, leading: false })
  t.equal((await setMaximum(two, postId, 18_000)).status, 409, 'a maximum cannot go below the price')
  const { bids } = await readAuction(seller, postId)
  const amounts = bids.map(({ amount }) => amount).toReversed()
  t.same(
    amounts,
    [...new Set(amounts)].toSorted((a, b) => a - b),
    'amounts rise strictly',
  )
  t.same(
    bids.map(({ seq }) => seq),
    bids.map((_bid, index) => bids.length - index),
    'bid numbers have no gaps',
  )
})

t.test(
  'moves the end for a bid in the last 30 seconds, not for a refused bid, and never past the hard end',
  async (t) => {
    const seller = await app.signIn()
    const [one, two] = [await aBidder(app, 'One'), await aBidder(app, 'Two')]
    const postId = await publishAuction(seller)
    const { endsAt } = await readAuction(one, postId)
    t.equal((await bid(one, postId, 10_000)).body.endsAt, endsAt, 'twenty minutes before the end, nothing moves')
    const soon = new Date(Date.now() + 20_000)
    const hard = new Date(Date.now() + 40_000)
    const set = { endsAt: soon, hardEndsAt: hard }
    await app.server.ctx.db.updateTable('auctions').set(set).where('postId', '=', postId).execute()
    t.equal((await bid(two, postId, 10_100)).body.error.details.endsAt, soon.toISOString())
    const moved = Date.parse((await bid(two, postId, 10_500)).body.endsAt)
    t.ok(moved > soon.getTime() && moved <= hard.getTime())
    await app.server.ctx.db
      .updateTable('auctions')
      .set({ endsAt: soon, hardEndsAt: new Date(soon.getTime() + 1_000) })
      .where('postId', '=', postId)
      .execute()
    t.equal(Date.parse((await bid(one, postId, 11_000)).body.endsAt), soon.getTime() + 1_000)
  },
)

t.test("creates the winner's deal at the end, and no sale without a bid", async (t) => {
  const seller = await app.signIn('Seller')
  const buyer = await aBidder(app, 'Buyer')
  const postId = await publishAuction(seller)
  const empty = await publishAuction(seller)
  await bid(buyer, postId, 10_000)
  const changed = (await buyer.live()).nextEvent('inbox.changed', ({ what }) => what === 'deal')
  t.match(await close(app, seller, postId), { status: 'sold', leader: 1 })
  const deals = (await buyer.get<Deal[]>(`/api/deals/${buyer.id}`)).body
  t.match(deals, [{ status: 'pending', price: 10_000, postId, make: 'Ford', sellerId: seller.id }])
  t.equal((await changed).id, deals[0]?.id)
  t.match(await close(app, seller, empty), { status: 'no_sale' })
  t.equal((await seller.get<Deal[]>(`/api/deals/${seller.id}`)).body.length, 1)
})

t.test('lets the seller decide below the reserve: accepting sells, declining does not', async (t) => {
  const seller = await app.signIn('Seller')
  const buyer = await aBidder(app, 'Buyer')
  for (const [act, status] of [
    ['accept', 'sold'],
    ['decline', 'no_sale'],
  ] as const) {
    const postId = await publishAuction(seller, { reserveAmount: 20_000 })
    await bid(buyer, postId, 10_000)
    t.match(await close(app, buyer, postId), { status: 'deciding', reserve: 'not_met' })
    t.match((await buyer.get<NotificationsPage>('/api/notifications')).body.items[0], {
      title: 'Reserve not met: your bid of $10,000 is the highest. The seller has 24 hours to answer',
      path: '/deals',
    })
    const [offer] = (await seller.get<Offer[]>(`/api/offers?postId=${postId}`)).body
    t.match(offer, { status: 'open', turn: 'seller', amount: 10_000, source: 'auction' })
    t.equal((await buyer.post(`/api/offers/${offer?.id}/withdraw`, {})).status, 403, 'a bid cannot be withdrawn')
    t.equal((await acceptOffer(buyer, offer?.id)).status, 403, 'the bidder cannot accept it either')
    t.equal((await seller.post(`/api/offers/${offer?.id}/${act}`, { amount: offer?.amount })).status, 200)
    t.equal((await readAuction(buyer, postId)).status, status)
  }
  t.equal((await seller.get<Deal[]>(`/api/deals/${seller.id}`)).body.length, 1)
})

t.test("waits for the bidder after the seller's counter, and ends after 24 silent hours", async (t) => {
  const seller = await app.signIn('Seller')
  const buyer = await aBidder(app, 'Buyer')
  const postId = await publishAuction(seller, { reserveAmount: 20_000 })
  await bid(buyer, postId, 10_000)
  await close(app, buyer, postId)
  const [offer] = (await buyer.get<Offer[]>('/api/offers')).body
  const counter = await seller.post<Offer>(`/api/offers/${offer?.id}/counter`, { amount: 15_000 })
  t.match(counter.body, { turn: 'buyer', amount: 15_000, status: 'open' })
  t.equal((await acceptOffer(seller, offer?.id)).status, 403)
  const past = { expiresAt: new Date(Date.now() - 1) }
  await app.server.ctx.db.updateTable('offers').set(past).where('postId', '=', postId).execute()
  t.equal((await acceptOffer(buyer, offer?.id)).status, 409)
  await until('the auction to end without a sale', async () => (await readAuction(buyer, postId)).status === 'no_sale')
  t.match((await buyer.get<Offer[]>('/api/offers')).body, [{ status: 'expired' }])
})

t.test('lets the seller change the terms until the first bid', async (t) => {
  const seller = await app.signIn('Seller')
  const buyer = await aBidder(app, 'Buyer')
  const postId = await publishAuction(seller)
  const changed = await seller.patch(`/api/inventory/${postId}/auction`, { startAmount: 5_000, reserveAmount: 9_000 })
  t.match(changed.body, { startAmount: 5_000, minNext: 5_000, reserve: 'not_met', seller: { reserveAmount: 9_000 } })
  t.equal((await buyer.patch(`/api/inventory/${postId}/auction`, { startAmount: 1 })).status, 403)
  await bid(buyer, postId, 5_000)
  t.equal((await seller.patch(`/api/inventory/${postId}/auction`, { startAmount: 1_000 })).status, 409)
  await endIn(app, postId, -1)
})

t.test('uses the asking price as the reserve if an auction has no terms', async (t) => {
  const seller = await app.signIn('Seller')
  const postId = await publish(seller, { description: 'Goes to auction today', auction: {} })
  t.match(await readAuction(seller, postId), {
    reserve: 'not_met',
    startAmount: 19_000,
    seller: { reserveAmount: 31_900 },
  })
})

t.test('fixes the buy fee when bidding opens or an offer is made, for auction, offer and deal', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const before = await publishAuction(seller)
  t.notOk('buyFee' in (await readAuction(buyer, before)), 'no fee by default')
  t.same((await buyer.get<OfferTerms>('/api/offers/terms')).body, { buyFee: null })
  const buyFee = { flat: 250, percent: 1.25 }
  t.equal((await seller.patch('/api/admin/network', { buyFee })).status, 403)
  t.equal((await admin.patch('/api/admin/network', { buyFee: { flat: -1, percent: 0 } })).status, 400)
  t.equal((await admin.patch('/api/admin/network', { buyFee: { flat: 0, percent: 26 } })).status, 400)
  t.match((await admin.patch('/api/admin/network', { buyFee })).body, { buyFee })
  t.teardown(() => admin.patch('/api/admin/network', { buyFee: null }))
  const [act] = (await admin.get<AuditPage>('/api/admin/audit?action=network.edit')).body.entries
  t.match(act, { before: { buyFee: null }, after: { buyFee } })

  const [after, undecided] = [await publishAuction(seller), await publishAuction(seller, { reserveAmount: 20_000 })]
  t.notOk('buyFee' in (await readAuction(buyer, before)), 'this auction opened without a fee')
  t.match(await readAuction(buyer, after), { buyFee })
  const postId = await publish(seller)
  const vehicleId = (await buyer.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles[0]?.id
  t.same((await buyer.get<OfferTerms>('/api/offers/terms')).body, { buyFee })
  const offer = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 })
  t.match(offer.body, { buyFee })
  for (const lot of [before, after, undecided]) await bid(buyer, lot, 10_000)

  await admin.patch('/api/admin/network', { buyFee: { flat: 9_000, percent: 0 } })
  for (const lot of [before, after, undecided]) await close(app, seller, lot)
  for (const { id, turn } of (await seller.get<Offer[]>('/api/offers?open=true')).body)
    t.equal((await acceptOffer(seller, id)).status, 200, turn)
  const deals = (await buyer.get<Deal[]>(`/api/deals/${buyer.id}`)).body
  const feeOf = (lot: string) => deals.find((deal) => deal.postId === lot)?.buyFee
  t.same([before, after, undecided, postId].map(feeOf), [undefined, 375, 375, 625])
  t.match((await seller.get(`/api/deal/${deals[0]?.id}`)).body, { id: deals[0]?.id })
})

t.test(
  'stops a dealer who wins and cancels twice in 90 days until an admin allows bids, if the network says so',
  async (t) => {
    const { db } = app.server.ctx
    const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
    const admin = await app.signIn('Lanewire', { role: 'admin' })
    t.teardown(() => admin.patch('/api/admin/network', { stopAfterCancels: true }))
    const winAndCancel = async (by = buyer) => {
      const postId = await publishAuction(seller)
      await bid(buyer, postId, 10_000)
      await close(app, seller, postId)
      const deal = (await buyer.get<Deal[]>(`/api/deals/${buyer.id}`)).body.find((one) => one.postId === postId)
      t.match(await by.post(`/api/deal/${deal?.id}/cancel`), { status: 200, body: { status: 'cancelled' } })
      return deal?.id ?? ''
    }
    const open = await publishAuction(seller)
    let amount = 10_000
    const bidOnIt = async () => (await bid(buyer, open, (amount += 1_000))).body.error?.message ?? 'taken'
    const old = await winAndCancel()
    const cancelledDaysAgo = (days: number) => ({ at: new Date(Date.now() - days * 24 * 3_600_000) })
    await db.updateTable('dealSteps').set(cancelledDaysAgo(91)).where('dealId', '=', old).execute()
    await winAndCancel(seller)
    await winAndCancel()
    t.equal(await bidOnIt(), 'taken', 'only one in 90 days: cancellations by the seller do not count')
    const other = await aBidder(app, 'Other')
    await bid(other, open, (amount += 1_000))
    await winAndCancel()
    const refused =
      'You have cancelled 2 auction wins within 90 days. An admin must let you bid again. Write to them from the contact page'
    t.match(await bid(buyer, open, 90_000), { status: 403, body: { error: { message: refused } } })
    t.equal((await setMaximum(buyer, open, 90_000)).status, 403)
    t.match((await admin.get('/api/admin/moderation')).body, {
      cases: [{ kind: 'dealer', subjectId: buyer.id, reports: [{ reporter: null }] }],
    })
    await admin.patch('/api/admin/network', { stopAfterCancels: false })
    t.equal(await bidOnIt(), 'taken', 'the network does not stop dealers')
    await bid(other, open, (amount += 1_000))
    await admin.patch('/api/admin/network', { stopAfterCancels: true })
    t.equal(await bidOnIt(), refused)

    const word = `/api/admin/users/${buyer.id}/bidding`
    for (const caller of [buyer, await app.signIn('Operations', { role: 'ops' })])
      t.equal((await caller.post(word, {})).status, 403)
    t.match((await admin.post<AdminUser>(word, { reason: 'The title was not clean' })).body, { biddingStoppedAt: null })
    t.equal((await admin.post(word, {})).status, 409, 'the dealer may bid already')
    t.equal(await bidOnIt(), 'taken')
    await bid(other, open, (amount += 1_000))
    t.match((await admin.get<AuditPage>('/api/admin/audit?action=user.letBid')).body.entries, [
      { subjectId: buyer.id, reason: 'The title was not clean', after: { biddingStoppedAt: null } },
    ])
    await winAndCancel()
    t.equal(await bidOnIt(), 'taken', 'forgiven cancellations no longer count')
  },
)

t.test('cancels a win without blame if the seller is deleted or suspended', async (t) => {
  const buyer = await aBidder(app, 'Buyer')
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const reason = { reason: 'Sold what was not theirs' }
  const winFrom = async (seller: Caller) => {
    const postId = await publishAuction(seller)
    await bid(buyer, postId, 10_000)
    await close(app, seller, postId)
    return (await buyer.get<Deal[]>('/api/deals')).body.find((one) => one.postId === postId)?.id
  }
  for (const leave of [
    (id: string) => admin.delete(`/api/admin/users/${id}`, reason),
    (id: string) => admin.post(`/api/admin/users/${id}/suspend`, { ...reason, until: null }),
  ]) {
    const seller = await app.signIn('Seller')
    const deals = [await winFrom(seller), await winFrom(seller)]
    t.match(await leave(seller.id), { status: /^20/ })
    for (const id of deals) t.equal((await buyer.post(`/api/deal/${id}/cancel`)).status, 200)
    t.equal((await bid(buyer, await publishAuction(await app.signIn('Other')), 10_000)).status, 201)
  }
})
