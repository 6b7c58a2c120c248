import t, { type Test } from 'tap'
import { setPostHidden } from '#server/features/posts/posts-changes.service.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '../../support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { aBidder, bid, close, endIn, publishAuction, readAuction } from '../../support/bidding.ts'
import { aPost, aVehicle, publish } from '../../support/factories.ts'
import { until } from '../../support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const listed = async (caller: Caller, sort: string) =>
  (await caller.get<Post[]>(`/api/inventory?sort=${sort}`)).body.map(({ id }) => id)
const auctionOf = async (caller: Caller, postId: string) =>
  (await caller.get<Auction>(`/api/inventory/${postId}/auction`)).status
const postOf = async (caller: Caller, postId: string) => (await caller.get<PostDetail>(`/api/inventory/${postId}`)).body
const noticesOf = async (caller: Caller) =>
  (await caller.get<NotificationsPage>('/api/notifications')).body.items.map(({ title, body, path }) => ({
    title,
    body,
    path,
  }))
const end = (caller: Caller, postId: string, reason = 'Sold on the lot') =>
  caller.post<Auction & { error: { code: string; message: string } }>(`/api/inventory/${postId}/auction/end`, {
    reason,
  })

t.test("opens bidding by the seller's switch, not by words in the post", async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const words = await publish(seller, { title: 'Live auction: 2021 Ford F-150' })
  t.match(await postOf(buyer, words), { isAuction: true, hasAuction: false })
  t.equal(await auctionOf(buyer, words), 404)
  t.equal((await bid(buyer, words, 50_000)).status, 404)
  t.ok((await listed(buyer, 'for-sale')).includes(words), 'it is for sale at a price')
  t.notOk((await listed(buyer, 'auction-promo')).includes(words))
  const on = await publish(seller, { title: 'Live auction: 2021 Ford F-150', auction: {} })
  t.match(await postOf(buyer, on), { isAuction: true, hasAuction: true })
  t.equal((await bid(buyer, on, 50_000)).status, 201)
  t.notOk((await listed(buyer, 'for-sale')).includes(on))
  t.ok((await listed(buyer, 'auction-promo')).includes(on))
  const silent = await seller.post('/api/inventory', aPost({ auction: {} }))
  t.match(
    silent,
    { status: 400, body: { error: { message: /^To run an auction, mention it/ } } },
    'an auction must be mentioned in the post',
  )
})

t.test('changes only the badge when an edit mentions an auction', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const postId = await publish(seller)
  const path = `/api/inventory/${postId}`
  const [vehicle] = (await postOf(buyer, postId)).vehicles
  await buyer.post(`/api/inventory/${postId}/offers`, { vehicleId: vehicle?.id, amount: 20_000 })
  const edited = await seller.patch<PostDetail>(path, { description: 'No auction fees' })
  t.match(edited, { status: 200, body: { isAuction: true, hasAuction: false } })
  t.equal(await auctionOf(buyer, postId), 404)
  t.match((await buyer.get<{ status: string }[]>('/api/offers')).body, [{ status: 'open' }], 'its offers remain')
  t.ok((await listed(buyer, 'for-sale')).includes(postId))
  t.equal((await buyer.patch(path, { auction: {} })).status, 403)
  t.match(await seller.patch(path, { auction: { startAmount: 9_000 } }), { status: 200, body: { hasAuction: true } })
  t.match(await readAuction(buyer, postId), { status: 'open', startAmount: 9_000 })
  t.match((await buyer.get<{ status: string }[]>('/api/offers')).body, [{ status: 'ended' }])
  t.match(await seller.patch(path, { auction: {} }), { status: 409 }, 'it already runs')
  const plain = await publish(seller)
  t.match(await seller.patch(`/api/inventory/${plain}`, { auction: {} }), { status: 400 })
  t.match(
    await seller.patch(`/api/inventory/${plain}`, { title: 'Now an auction', auction: {} }),
    { status: 200, body: { isAuction: true, hasAuction: true } },
    'words and switch in one edit',
  )
})

t.test('keeps an existing auction switched on, whatever its post says later', async (t) => {
  const app = await startApp(t)
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const postId = await publishAuction(seller)
  await seller.patch(`/api/inventory/${postId}`, { description: 'Clean history', auction: undefined })
  t.match(await postOf(buyer, postId), { hasAuction: true })
  t.equal((await bid(buyer, postId, 50_000)).status, 201)
})

t.test('lets the seller end an auction without a bid or below the reserve, and tells bidders once', async (t) => {
  const [seller, one, two] = [await app.signIn('Seller'), await aBidder(app, 'One'), await aBidder(app, 'Two')]
  const admin = await app.signIn('Staff', { role: 'admin' })
  const postId = await publishAuction(seller, { reserveAmount: 15_000 })
  await bid(one, postId, 10_000)
  await bid(two, postId, 11_000)
  t.equal((await end(one, postId)).status, 403)
  t.equal((await end(app.visitor, postId)).status, 401)
  t.equal((await end(seller, postId, '  ')).status, 400, 'a reason is required')
  t.equal((await end(seller, postId, 'x'.repeat(501))).status, 400)
  const ended = await end(seller, postId)
  t.match(ended, { status: 200, body: { status: 'no_sale', endReason: 'Sold on the lot', amount: 11_000 } })
  t.match((await bid(two, postId, 20_000)).body.error, { message: 'This auction is over' })
  const told = {
    title: 'The seller ended the auction: Live auction: 2021 Ford F-150 XLT',
    body: 'Sold on the lot',
    path: `/post/${postId}`,
  }
  for (const bidder of [one, two])
    t.same(
      (await noticesOf(bidder)).filter(({ title }) => title.includes('ended the auction')),
      [told],
    )
  t.equal((await end(seller, postId)).status, 409, 'it has ended')
  const { entries } = (await admin.get<AuditPage>('/api/admin/audit?action=auction')).body
  t.match(entries, [{ action: 'auction.end', subjectId: postId, reason: 'Sold on the lot', before: { bidCount: 2 } }])
  const quiet = await publishAuction(seller)
  t.match((await end(seller, quiet)).body, { status: 'no_sale', endReason: 'Sold on the lot' })
  await seller.patch(`/api/inventory/${quiet}`, { status: 'sold' })
  await seller.post(`/api/inventory/${quiet}/relist`)
  t.match(await readAuction(seller, quiet), { status: 'no_sale' }, 'relisting does not reopen it')
  const again = await seller.patch<Auction>(`/api/inventory/${quiet}/auction`, { startAmount: 8_000 })
  t.match(again.body, { status: 'open', endReason: null }, 'its seller runs it again')
})

t.test('pauses an auction without a bid while its vehicle is pending, and resumes it afterwards', async (t) => {
  const seller = await app.signIn('Seller')
  const set = async (postId: string, status: string, place = 0) => {
    const vehicle = (await postOf(seller, postId)).vehicles[place]
    const patch = { vehicle: { id: vehicle?.id, status }, endAuction: true }
    t.equal((await seller.patch(`/api/inventory/${postId}`, patch)).status, 200)
    return (await readAuction(seller, postId)).status
  }
  const postId = await publish(seller, {
    title: 'Live auction: two trucks',
    type: 'multiple',
    vehicles: [aVehicle, { ...aVehicle, vin: '1FTFW1E59NKD69096' }],
    auction: { startAmount: 7_700, reserveAmount: null },
  })
  t.equal(await set(postId, 'sold', 1), 'open', 'the auction sells another vehicle')
  t.equal(await set(postId, 'pending'), 'no_sale')
  t.equal(await set(postId, 'available', 1), 'no_sale', 'the auctioned vehicle is still pending')
  t.equal(await set(postId, 'available'), 'open')
  t.match(await readAuction(seller, postId), { startAmount: 7_700 }, 'with the earlier terms')
  await end(seller, postId)
  await set(postId, 'pending')
  t.equal(await set(postId, 'available'), 'no_sale', 'its seller had ended it')
  const over = await publishAuction(seller)
  await close(app, seller, over)
  await set(over, 'pending')
  t.equal(await set(over, 'available'), 'no_sale', 'its time had passed')
  const hidden = await publishAuction(seller)
  const { ctx } = app.server
  for (const hide of [true, false]) await ctx.transact((tx, emit) => setPostHidden(tx, emit, hidden, hide))
  t.equal(await set(hidden, 'available'), 'no_sale', 'staff had stopped it')
})

t.test('does not reopen an auction that ended without a bid when its post is offered again', async (t) => {
  const seller = await app.signIn('Seller')
  for (const away of ['sold', 'expired'])
    for (const back of ['relisted', 'active']) {
      const postId = await publishAuction(seller)
      const path = `/api/inventory/${postId}`
      await close(app, seller, postId)
      await seller.patch(path, { status: away })
      const answer = back === 'active' ? seller.patch(path, { status: back }) : seller.post(`${path}/relist`)
      t.match(await answer, { status: 200, body: { status: 'active' } })
      t.match(await readAuction(seller, postId), { status: 'no_sale' }, `${away}, then ${back}`)
      t.match((await seller.patch(`${path}/auction`, {})).body, { status: 'open' }, 'its seller runs it again')
    }
})

t.test('keeps the start and end of a future auction whose vehicle was unavailable meanwhile', async (t) => {
  const seller = await app.signIn('Seller')
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const times = { startsAt: inHours(48), endsAt: inHours(49) }
  const postId = await publishAuction(seller, times)
  const { hardEndsAt } = await readAuction(seller, postId)
  const id = (await postOf(seller, postId)).vehicles[0]?.id
  const path = `/api/inventory/${postId}`
  for (const [away, back] of [
    [{ vehicle: { id, status: 'pending' } }, { vehicle: { id, status: 'available' } }],
    [{ status: 'sold' }, { status: 'active' }],
  ]) {
    await seller.patch(path, { ...away, endAuction: true })
    t.match(await readAuction(seller, postId), { status: 'no_sale' })
    await seller.patch(path, back)
    t.match(await readAuction(seller, postId), { status: 'open', ...times, hardEndsAt })
  }
  await seller.patch(path, { status: 'expired', endAuction: true })
  await seller.post(`${path}/relist`)
  t.match(await readAuction(seller, postId), { status: 'open', ...times })
})

t.test('tells a seller about each end without a bid, also after running the auction again', async (t) => {
  await askForPlans(t, app)
  const seller = await app.signIn('Seller')
  const postId = await publishAuction(seller)
  const told = async () =>
    (await noticesOf(seller)).filter(({ title }) => title === 'Your auction ended without a bid').length
  await close(app, seller, postId)
  t.equal(await told(), 1)
  const plan = (status: 'active' | 'past_due') =>
    app.server.ctx.db.updateTable('subscriptions').set({ status }).where('dealerId', '=', seller.id).execute()
  await plan('past_due')
  const refused = await seller.patch(`/api/inventory/${postId}/auction`, { startAmount: 8_000 })
  t.match(
    refused,
    { status: 402, body: { error: { message: /to post inventory$/ } } },
    'it needs a plan, as new ones do',
  )
  await plan('active')
  t.equal((await seller.patch(`/api/inventory/${postId}/auction`, { startAmount: 8_000 })).status, 200)
  await close(app, seller, postId)
  t.equal(await told(), 2)
})

t.test('runs an auction whose reserve is met to its end', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const refused = async (postId: string, message: RegExp, test: Test = t) =>
    test.match(await end(seller, postId), { status: 409, body: { error: { message } } })
  const met = await publishAuction(seller, { reserveAmount: 12_000 })
  await bid(buyer, met, 12_000)
  await refused(met, /reserve is met/)
  const none = await publishAuction(seller)
  await bid(buyer, none, 10_000)
  await refused(none, /no reserve/)
  t.match(await close(app, seller, none), { status: 'sold', endReason: null })
  await refused(none, /over/)
  const due = await publishAuction(seller)
  await endIn(app, due, -1)
  await until('the end', async () => (await readAuction(seller, due)).status === 'no_sale')
  await refused(due, /over/)
  t.equal((await end(seller, await publish(seller))).status, 404)
})

t.test('tells every bidder once when an auction is removed with its post', async (t) => {
  const [one, two] = [await aBidder(app, 'One'), await aBidder(app, 'Two')]
  const admin = await app.signIn('Staff', { role: 'admin' })
  const { ctx } = app.server
  const hide = (postId: string) => ctx.transact((tx, emit) => setPostHidden(tx, emit, postId, true))
  const leave = (_postId: string, seller: Caller) =>
    admin.delete(`/api/admin/users/${seller.id}`, { reason: 'Asked for it' })
  for (const [what, go] of Object.entries({ hidden: hide, 'of a seller who is gone': leave })) {
    const seller = await app.signIn('Seller')
    const postId = await publishAuction(seller)
    await bid(one, postId, 10_000)
    await bid(two, postId, 11_000)
    await go(postId, seller)
    await hide(postId)
    const told = {
      title: 'The auction ended without a sale: its post was taken down',
      body: 'Live auction: 2021 Ford F-150 XLT',
      path: '/lane',
    }
    for (const bidder of [one, two])
      t.same(
        (await noticesOf(bidder)).filter(({ title }) => /without a sale/.test(title)),
        [told],
        what,
      )
    for (const bidder of [one, two])
      await ctx.db.deleteFrom('notifications').where('dealerId', '=', bidder.id).execute()
  }
})

t.test('ignores the bid of a deleted account and tells the seller', async (t) => {
  const seller = await app.signIn('Seller')
  const admin = await app.signIn('Staff', { role: 'admin' })
  for (const [what, reserveAmount] of [
    ['sold', null],
    ['below the reserve', 15_000],
  ] as const) {
    const buyer = await aBidder(app, 'Buyer')
    const postId = await publishAuction(seller, { reserveAmount })
    await bid(buyer, postId, 10_000)
    t.equal((await admin.delete(`/api/admin/users/${buyer.id}`, { reason: 'Asked for it' })).status, 204)
    t.match(await close(app, seller, postId), { status: 'no_sale', amount: 10_000 }, what)
    t.same((await seller.get('/api/deals')).body, [], what)
    t.same((await seller.get('/api/offers?open=true')).body, [], what)
    t.same((await noticesOf(seller))[0], {
      title: 'The auction ended without a sale: the highest bidder is no longer on Lanewire',
      body: 'Live auction: 2021 Ford F-150 XLT',
      path: `/post/${postId}`,
    })
    t.equal((await postOf(seller, postId)).vehicles[0]?.status, 'available')
  }
})
