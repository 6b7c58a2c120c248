import { sql } from 'kysely'
import t from 'tap'
import type { Offer } from '#shared/schemas/deals.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { SavedSearch } from '#shared/schemas/saved.ts'
import type { BuyOrder, BuyOrders, NewBuyOrder, OrderMatches, OrderPreview } from '#shared/schemas/wanted.ts'
import { expirePosts } from '#server/features/posts/post-lifetime.service.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { hangUp, reconnect } from '#tests/support/redis.ts'
import { aBuyOrder, buyer as signInBuyer, jobsDone } from '#tests/support/wanted.ts'
import { acceptOffer } from '#tests/support/deals.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const signIn = (name: string) => signInBuyer(app, name)
const place = (caller: Caller, about: Partial<NewBuyOrder> = {}) =>
  caller.post<BuyOrder>('/api/buy-orders', aBuyOrder(about))
const ordersOf = async (caller: Caller) => (await caller.get<BuyOrders>('/api/buy-orders')).body
const matchesOf = async (caller: Caller) => (await caller.get<OrderMatches>('/api/buy-orders/matches')).body.items
const noticesOf = async (caller: Caller) =>
  (await caller.get<NotificationsPage>('/api/notifications?limit=50')).body.items.filter(({ kind }) => kind === 'match')
const done = () => jobsDone(app)

async function post(seller: Caller, about: Partial<typeof aVehicle & { trim: string }> = {}) {
  const postId = await publish(seller, { vehicles: [{ ...aVehicle, ...about }] })
  await done()
  return postId
}

t.test('matches a posted vehicle at once, notifies once, and offers with one click', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await signIn('Seller Motors')]
  t.match(await place(buyer), {
    status: 201,
    body: { make: 'Ford', model: 'F-150', price: 30_000, state: 'active', bought: 0, newMatches: 0, onOffer: 0 },
  })
  const [order] = (await ordersOf(buyer)).orders
  const tab = await buyer.live()
  await post(seller, { price: 31_900 })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'match')
  t.match(await noticesOf(buyer), [
    {
      title: '2021 Ford F-150 fits your buy order: asking $31,900',
      body: 'Seller Motors',
      path: /^\/wanted\?vehicle=/,
      actor: { id: seller.id },
    },
  ])
  t.match(await noticesOf(seller), [], 'no other dealer is notified')
  const [match] = await matchesOf(buyer)
  t.match(match, {
    state: 'new',
    offer: 30_000,
    orderId: order?.id,
    vehicle: { price: 31_900, title: '2021 Ford F-150' },
  })
  t.match(await ordersOf(buyer), {
    orders: [{ newMatches: 1, onOffer: 1 }],
    totals: { active: 1, matchesToday: 1, newMatches: 1, perMonth: 3, offers: 0 },
  })
  await buyer.post('/api/buy-orders/matches/seen', { vehicleIds: [match?.vehicle.vehicleId] })
  t.equal((await ordersOf(buyer)).totals.newMatches, 0)

  const { vehicleId = '', postId = '' } = match?.vehicle ?? {}
  const pressed = { vehicleId, amount: match?.offer, buyOrderId: order?.id }
  const offer = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, pressed)
  t.match(offer, { status: 201, body: { amount: 30_000, source: 'order', turn: 'seller' } })
  t.match(await matchesOf(buyer), [{ state: 'offered', lastOffer: { id: offer.body.id, turn: 'seller' } }])
  t.match((await ordersOf(buyer)).totals, { offers: 1 })
  await buyer.post(`/api/offers/${offer.body.id}/withdraw`, {})
  t.match(await matchesOf(buyer), [{ state: 'seen', lastOffer: null }], 'Undo')

  const again = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, pressed)
  await acceptOffer(seller, again.body.id)
  t.match(await ordersOf(buyer), { orders: [{ bought: 1, state: 'active', onOffer: 0 }], totals: { bought: 1 } })
  t.same(await matchesOf(buyer), [], 'the vehicle is not on offer anymore')
})

t.test('matches up to a tenth above the price and again after a price drop, notifying once', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await signIn('Seller Motors')]
  await place(buyer)
  const postId = await post(seller, { price: 33_001 })
  t.same(await matchesOf(buyer), [], 'more than a tenth above')
  const { body } = await seller.get<PostDetail>(`/api/inventory/${postId}`)
  const vehicles = (price: number) => ({ vehicles: [{ ...aVehicle, id: body.vehicles[0]?.id, price }] })
  await seller.patch(`/api/inventory/${postId}`, vehicles(33_000))
  await done()
  t.match(await matchesOf(buyer), [{ offer: 30_000 }])
  await seller.patch(`/api/inventory/${postId}`, vehicles(28_500))
  await done()
  t.match(await matchesOf(buyer), [{ offer: 28_500 }], 'the lower of the two')
  t.equal((await noticesOf(buyer)).length, 1)
  await seller.patch(`/api/inventory/${postId}`, { status: 'sold' })
  await done()
  t.same(await matchesOf(buyer), [])
  await seller.post(`/api/inventory/${postId}/relist`)
  await done()
  t.equal((await matchesOf(buyer)).length, 1, 'available again')
  t.equal((await noticesOf(buyer)).length, 1, 'and still only one notification')
})

t.test('notifies of a reactivated post like of a new one', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await signIn('Seller Motors')]
  const path = `/api/inventory/${await post(seller)}`
  const { ctx } = app.server
  await sql`update posts set expires_at = now() - interval '1 minute'`.execute(ctx.db)
  await expirePosts(ctx)
  await done()
  await place(buyer)
  t.match(await seller.patch(path, { status: 'active' }), { status: 200, body: { status: 'active' } })
  await done()
  t.equal((await noticesOf(buyer)).length, 1)
  await expirePosts(ctx)
  t.match((await seller.get(path)).body, { status: 'active' })

  const tab = await buyer.live()
  await seller.patch(path, { status: 'expired' })
  await done()
  t.ok(
    await tab.nextEvent('inbox.changed', ({ what }) => what === 'match'),
    'dealers with it as a match receive its removal',
  )
  t.same(await matchesOf(buyer), [])
})

t.test('notifies once of vehicles posted while Redis was unavailable', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await signIn('Seller Motors')]
  await place(buyer)
  await buyer.post('/api/saved-searches', { kind: 'find', query: 'mmt=Ford~F-150' })
  const { redis } = app.server.ctx
  const connections = [redis.queue, redis.commands, redis.publisher]
  await Promise.all(connections.map(hangUp))
  const postId = await publish(seller)
  t.same(await noticesOf(buyer), [])
  await Promise.all(connections.map(reconnect))
  await done()
  t.match(await matchesOf(buyer), [{ state: 'new', vehicle: { postId } }])
  t.equal((await noticesOf(buyer)).length, 1, 'for both combined')
})

t.test('matches exactly the terms of an order', async (t) => {
  const seller = await signIn('Seller Motors')
  await sql`insert into postal_places (code, lat, lng, city, region, country) values
    ('74103', 36.15, -95.99, 'Tulsa', 'OK', 'US'), ('75201', 32.78, -96.8, 'Dallas', 'TX', 'US')
    on conflict do nothing`.execute(app.server.ctx.db)
  const near = { near: '75201' }
  const cases: [string, Partial<NewBuyOrder>, boolean][] = [
    ['any', {}, true],
    ['written in another way', { make: 'FORD', model: 'f150' }, true],
    ['another model', { model: 'F-250' }, false],
    ['its trim', { trims: ['Lariat', 'XLT'] }, true],
    ['another trim', { trims: ['Lariat'] }, false],
    ['its year', { yearFrom: 2021, yearTo: 2021 }, true],
    ['older', { yearTo: 2020 }, false],
    ['newer', { yearFrom: 2022 }, false],
    ['years the wrong way round', { yearFrom: 2022, yearTo: 2020 }, true],
    ['fewer miles', { milesMax: 48_209 }, false],
    ['near enough', { ...near, within: 300 }, true],
    ['too far', { ...near, within: 200 }, false],
    ['without photos', { photosOnly: true }, false],
    ['another drivetrain', { drive: 'rwd' }, false],
  ]
  const buyers = new Map<string, Caller>()
  for (const [name, about] of cases) {
    const buyer = await signIn(name)
    buyers.set(name, buyer)
    t.equal((await place(buyer, { milesMax: 60_000, ...about })).status, 201, name)
  }
  await post(seller, { trim: 'XLT' })
  for (const [name, , fits] of cases) {
    const buyer = buyers.get(name)
    t.equal(buyer && (await matchesOf(buyer)).length, fits ? 1 : 0, name)
  }
})

t.test('matches no paused, ended, expired or filled order, no blocked dealer and no own vehicle', async (t) => {
  const seller = await signIn('Seller Motors')
  const { db } = app.server.ctx
  const [paused, over, expired] = [await signIn('Paused'), await signIn('Over'), await signIn('Expired')]
  const [filled, blocked, blocking] = [await signIn('Filled'), await signIn('Blocked'), await signIn('Blocking')]
  const ids = new Map<Caller, string>()
  for (const one of [paused, over, expired, filled, blocked, blocking, seller])
    ids.set(one, (await place(one, { perMonth: 1 })).body.id)
  await paused.patch(`/api/buy-orders/${ids.get(paused)}`, { act: 'pause' })
  await over.patch(`/api/buy-orders/${ids.get(over)}`, { act: 'end' })
  await sql`update buy_orders set expires_at = now() - interval '1 second' where id = ${ids.get(expired)}`.execute(db)
  // The buy order allows only one purchase per month.
  await post(seller, { vin: '1FTFW1E50MFA00001' })
  const [first] = await matchesOf(filled)
  const offer = await filled.post<Offer>(`/api/inventory/${first?.vehicle.postId}/offers`, {
    vehicleId: first?.vehicle.vehicleId,
    amount: first?.offer,
    buyOrderId: ids.get(filled),
  })
  await acceptOffer(seller, offer.body.id)
  const chat = async (one: Caller, other: Caller) =>
    (await one.post<{ id: string }>('/api/chats', { dealerId: other.id })).body.id
  t.equal((await blocked.patch(`/api/chats/${await chat(blocked, seller)}`, { blocked: true })).status < 300, true)
  t.equal((await seller.patch(`/api/chats/${await chat(seller, blocking)}`, { blocked: true })).status < 300, true)

  t.match((await ordersOf(filled)).orders, [{ state: 'filled', bought: 1 }])
  t.match((await ordersOf(expired)).orders, [{ state: 'ended' }])
  const second = await post(seller)
  for (const one of [paused, over, expired, filled, blocked, blocking, seller]) t.same(await matchesOf(one), [])
  const vehicleId = (await filled.get<PostDetail>(`/api/inventory/${second}`)).body.vehicles[0]?.id
  const beyond = { vehicleId, amount: 100, buyOrderId: ids.get(filled) }
  t.equal((await filled.post(`/api/inventory/${second}/offers`, beyond)).status, 409, 'more than its monthly quantity')
})

t.test("starts and ends a month by the dealer's clock", async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await signIn('Seller Motors')]
  const { db } = app.server.ctx
  const { body: order } = await place(buyer, { perMonth: 1 })
  const postId = await post(seller)
  const [match] = await matchesOf(buyer)
  const vehicleId = match?.vehicle.vehicleId
  const { body: offer } = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, {
    vehicleId,
    amount: 30_000,
    buyOrderId: order.id,
  })
  const { body: accepted } = await acceptOffer(seller, offer.id)
  const inZone = (timeZone: string) =>
    buyer.patch('/api/settings', { quietHours: { on: false, from: '22:00', to: '07:00', timeZone } })
  const boughtAt = (moment: string) =>
    sql`update deals set created_at = ${moment} where id = ${accepted.dealId}`.execute(db)
  // December 1 in Tokyo, but still November in Chicago.
  const clock = t.capture(app.server.ctx, 'now', () => new Date('2026-11-30T18:00:00Z'))
  void clock
  await sql`update buy_orders set expires_at = '2027-02-01' where id = ${order.id}`.execute(db)
  await boughtAt('2026-11-30T10:00:00Z')
  await inZone('America/Chicago')
  t.match((await ordersOf(buyer)).orders, [{ bought: 1, state: 'filled', nextMonthAt: '2026-12-01T06:00:00.000Z' }])
  await inZone('Asia/Tokyo')
  t.match((await ordersOf(buyer)).orders, [{ bought: 0, state: 'active', nextMonthAt: '2026-12-31T15:00:00.000Z' }])
  await boughtAt('2026-11-30T15:30:00Z')
  t.match((await ordersOf(buyer)).orders, [{ bought: 1, state: 'filled' }], 'half past midnight in Tokyo')
})

t.test('sums up more than fifty matches a day in an hourly notice', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await signIn('Seller Motors')]
  const { db } = app.server.ctx
  await buyer.post('/api/saved-searches', { kind: 'find', query: 'mmt=Ford' })
  const vehicles = Array.from({ length: 60 }, (_, index) => ({
    ...aVehicle,
    vin: `1FTFW1E50MFA${String(index).padStart(5, '0')}`,
  }))
  await publish(seller, { type: 'multiple', vehicles })
  await done()
  t.equal((await noticesOf(buyer)).length, 50)
  await sql`update outbox set run_at = now() where name = 'find.digest'`.execute(db)
  await jobsDone(app, 'find.digest')
  t.match((await noticesOf(buyer))[0], {
    title: '10 more vehicles for your buy orders and saved searches',
    path: '/watchlist',
  })
  await place(buyer, { price: 40_000 })
  const [another] = vehicles
  await post(seller, { ...another, vin: '1FTFW1E50MFA00099' })
  await sql`update outbox set run_at = now() where name = 'find.digest'`.execute(db)
  await jobsDone(app, 'find.digest')
  t.match((await noticesOf(buyer))[0], { title: /^1 more vehicle for/, path: '/wanted' }, "at its match's location")
})

t.test('notifies of vehicles for a saved Find search by the same rules', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await signIn('Seller Motors')]
  const query = 'mmt=Ford~F-150,Toyota~Camry&year=2019-2021&price=-32000&miles=-50000&sale=fixed&as=cards'
  const saved = await buyer.post<SavedSearch>('/api/saved-searches', { kind: 'find', query })
  t.match(saved, {
    status: 201,
    body: {
      kind: 'find',
      search: 'Ford F-150 or Toyota Camry, 2019 to 2021, up to $32,000, under 50,000 mi, fixed price',
      query: 'mmt=Ford~F-150,Toyota~Camry&year=2019-2021&price=-32000&miles=-50000&sale=fixed',
    },
  })
  t.equal((await buyer.post<SavedSearch>('/api/saved-searches', { kind: 'find', query })).body.id, saved.body.id)
  t.equal(
    (await buyer.post('/api/saved-searches', { kind: 'find', query: 'as=cards&near=74112' })).status,
    400,
    'of nothing',
  )
  await post(seller, { price: 32_001 })
  t.same(await noticesOf(buyer), [])
  const postId = await post(seller, { vin: '1FTFW1E50MFA00001' })
  await post(seller, { make: 'Toyota', model: 'Camry', vin: '4T1G11AK5MU401238', price: 18_900 })
  t.match(await noticesOf(buyer), [
    { title: /2021 Toyota Camry, asking \$18,900$/ },
    {
      title: /^New for "Ford F-150 or .*": 2021 Ford F-150, asking \$31,900$/,
      path: new RegExp(`^/post/${postId}\\?vehicle=`),
    },
  ])
  await buyer.delete(`/api/saved-searches/${saved.body.id}`)
  await post(seller, { vin: '1FTFW1E50MFA00002' })
  t.equal((await noticesOf(buyer)).length, 2, 'forgotten')
  t.match(await buyer.post('/api/saved-searches', { kind: 'find', query: 'posted=7' }), {
    status: 201,
    body: { search: 'last 7 days', query: 'posted=7' },
  })
})

t.test('suspends an order while its dealer has no paid plan and continues with it', async (t) => {
  await askForPlans(t, app)
  const [buyer, seller] = [await signIn('Buyer Motors'), await signIn('Seller Motors')]
  const { body: order } = await place(buyer)
  const plan = (status: 'active' | 'past_due') =>
    app.server.ctx.db.updateTable('subscriptions').set({ status }).where('dealerId', '=', buyer.id).execute()
  await plan('past_due')
  t.match((await ordersOf(buyer)).orders, [{ state: 'paused', pauseReason: 'plan' }])
  t.equal((await buyer.patch(`/api/buy-orders/${order.id}`, { act: 'resume' })).status, 402)
  await post(seller)
  t.same([await matchesOf(buyer), await noticesOf(buyer)], [[], []], 'neither the buyer nor sellers are notified')
  await plan('active')
  t.match((await ordersOf(buyer)).orders, [{ state: 'active', pauseReason: null }])
  await post(seller)
  t.equal((await matchesOf(buyer)).length, 1)
})

t.test('limits orders, requires a plan and a confirmed address, and keeps them private', async (t) => {
  await askForPlans(t, app)
  const [buyer, other] = [await signIn('Buyer Motors'), await signIn('Other Motors')]
  const unconfirmed = await app.signIn('New Motors')
  t.equal((await place(unconfirmed)).status, 403)
  const free = await signInBuyer(app, 'Free Motors', { plan: null })
  t.equal((await place(free)).status, 402)
  t.equal((await app.visitor.get('/api/buy-orders')).status, 401)
  const refused: Partial<Record<keyof NewBuyOrder, unknown>>[] = [
    { price: 0 },
    { perMonth: 51 },
    { perMonth: 0 },
    { days: 91 },
    { make: ' ' },
    { model: '-' },
    { note: 'x'.repeat(201) },
    { milesMax: 0 },
    { yearFrom: 1800 },
    { near: '00000' },
    { trims: Array.from({ length: 11 }, () => 'XLT') },
  ]
  for (const about of refused)
    t.equal((await buyer.post('/api/buy-orders', { ...aBuyOrder(), ...about })).status, 400, JSON.stringify(about))
  const { body: order } = await place(buyer)
  t.equal((await other.patch(`/api/buy-orders/${order.id}`, { act: 'end' })).status, 404)
  t.equal((await other.post(`/api/buy-orders/${order.id}/${order.id}/dismiss`)).status, 404)
  t.same((await ordersOf(other)).orders, [])
  t.equal((await buyer.patch(`/api/buy-orders/${order.id}`, { price: 29_000 })).status, 409, 'within the minute')
  t.equal((await buyer.patch(`/api/buy-orders/${order.id}`, { act: 'resume' })).status, 409)
  await sql`update buy_orders set priced_at = now() - interval '2 minutes'`.execute(app.server.ctx.db)
  t.match((await buyer.patch<BuyOrder>(`/api/buy-orders/${order.id}`, { price: 29_000 })).body, { price: 29_000 })
  t.match((await buyer.patch<BuyOrder>(`/api/buy-orders/${order.id}`, { act: 'end' })).body, { state: 'ended' })
  t.match((await buyer.patch<BuyOrder>(`/api/buy-orders/${order.id}`, { act: 'renew' })).body, { state: 'active' })
  for (let more = 1; more < 50; more++) await place(buyer)
  t.equal((await place(buyer)).status, 409, 'above fifty')
})

t.test('shows market figures from five vehicles, and warns about and flags a far lower price', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await signIn('Seller Motors')]
  const admin = await app.signIn('Network', { role: 'admin' })
  const previewOf = async () => {
    const { price: _price, perMonth: _perMonth, days: _days, showName: _showName, note: _note, ...search } = aBuyOrder()
    return (await buyer.post<OrderPreview>('/api/buy-orders/preview', search)).body
  }
  const vehicles = [20_000, 25_000, 30_000, 35_000].map((price, index) => ({
    ...aVehicle,
    price,
    vin: `1FTFW1E50MFA0000${index}`,
  }))
  await publish(seller, { type: 'multiple', vehicles })
  t.match(await previewOf(), { onOffer: 4, newIn7Days: 4, askedQuartiles: null, sold90: null })
  await publish(seller, { vehicles: [{ ...aVehicle, price: 40_000 }] })
  t.match(await previewOf(), { onOffer: 5, askedQuartiles: [25_000, 30_000, 35_000], sold90: null, placeKnown: true })
  t.match((await place(buyer, { price: 11_999 })).body, { isLow: true })
  await done()
  const { body } = await admin.get<NotificationsPage>('/api/notifications')
  t.match(body.items, [{ kind: 'moderation', path: `/admin/users/${buyer.id}` }])
  t.match((await place(buyer, { price: 12_000 })).body, { isLow: false })
})
