import { sql } from 'kysely'
import t from 'tap'
import type { Offer } from '#shared/schemas/deals.ts'
import type { FindAnswer } from '#shared/schemas/find.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { BuyOrder, BuyOrders, Demand, NewBuyOrder, OrderMatches } from '#shared/schemas/wanted.ts'
import { pauseUnanswered } from '#server/features/wanted/matching.service.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { close, setMaximum } from '#tests/support/bidding.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { aBuyOrder, buyer as signInBuyer, jobsDone } from '#tests/support/wanted.ts'
import { acceptOffer } from '#tests/support/deals.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const signIn = (name: string) => signInBuyer(app, name)
const place = async (caller: Caller, about: Partial<NewBuyOrder> = {}) =>
  (await caller.post<BuyOrder>('/api/buy-orders', aBuyOrder(about))).body
const ordersOf = async (caller: Caller) => (await caller.get<BuyOrders>('/api/buy-orders')).body
const matchesOf = async (caller: Caller) => (await caller.get<OrderMatches>('/api/buy-orders/matches')).body.items

const vinOf = (number: number) => `1FTFW1E50MFA${String(number).padStart(5, '0')}`
const fleet = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...aVehicle, vin: vinOf(from + index) }))

async function post(seller: Caller, vehicles: (typeof aVehicle)[] = [aVehicle]) {
  const type = vehicles.length > 1 ? 'multiple' : 'single'
  const postId = await publish(seller, { type, vehicles })
  await jobsDone(app)
  const { body } = await seller.get<PostDetail>(`/api/inventory/${postId}`)
  return { postId, vehicleId: body.vehicles[0]?.id ?? '', vehicles: body.vehicles }
}

const offerFor = (buyer: Caller, { postId, vehicleId }: { postId: string; vehicleId: string }, about: object) =>
  buyer.post<Offer & { error: { message: string } }>(`/api/inventory/${postId}/offers`, { vehicleId, ...about })

async function age(hours: number) {
  const { db } = app.server.ctx
  const older = sql`interval '1 hour' * ${hours}`
  await sql`update buy_order_matches set at = at - ${older}`.execute(db)
  await sql`update buy_orders set answered_at = answered_at - ${older}`.execute(db)
  await sql`update find_vehicles set changed_at = changed_at - ${older}`.execute(db)
  await pauseUnanswered(app.server.ctx)
}

t.test('pauses an order after ten unanswered matches in a row until it is resumed', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  const order = await place(buyer)
  const first = await post(seller, fleet(0, 12))
  await pauseUnanswered(app.server.ctx)
  t.match((await ordersOf(buyer)).orders, [{ state: 'active', newMatches: 12 }], 'one post with many vehicles')
  await age(23)
  t.match((await ordersOf(buyer)).orders, [{ state: 'active' }], 'within the day')
  await buyer.post(`/api/buy-orders/${order.id}/${first.vehicleId}/dismiss`)
  await age(2)
  t.match((await ordersOf(buyer)).orders, [{ state: 'active' }], 'the answer restarted the count')
  await post(seller, fleet(20, 10))
  const tab = await buyer.live()
  await Promise.all([age(25), tab.nextEvent('inbox.changed', ({ what }) => what === 'match')])
  t.match((await ordersOf(buyer)).orders, [{ state: 'paused', pauseReason: 'unanswered' }])
  const { body } = await buyer.get<NotificationsPage>('/api/notifications')
  t.match(body.items[0], { title: 'Still buying? Your buy order for Ford F-150 is paused' })
  const resumed = await buyer.patch<BuyOrder>(`/api/buy-orders/${order.id}`, { act: 'resume' })
  t.match(resumed.body, { state: 'active', pauseReason: null })
  await age(0)
  t.match((await ordersOf(buyer)).orders, [{ state: 'active' }])
})

t.test(
  'does not pause an order for matches it could not take for lack of a plan or because it was filled',
  async (t) => {
    const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
    await askForPlans(t, app)
    await place(buyer, { perMonth: 1 })
    const { postId, vehicles } = await post(seller, fleet(0, 12))
    const plan = (status: 'active' | 'past_due') =>
      app.server.ctx.db.updateTable('subscriptions').set({ status }).where('dealerId', '=', buyer.id).execute()
    await plan('past_due')
    await age(25)
    t.match((await ordersOf(buyer)).orders, [{ state: 'paused', pauseReason: 'plan' }])
    await plan('active')
    await age(0)
    const [order] = (await ordersOf(buyer)).orders
    t.match(order, { state: 'active', pauseReason: null }, 'it continues automatically and counts from here')
    const { body: offer } = await offerFor(
      buyer,
      { postId, vehicleId: vehicles[0]?.id ?? '' },
      { amount: 20_000, buyOrderId: order?.id },
    )
    await acceptOffer(seller, offer.id)
    await sql`update buy_orders set answered_at = now() - interval '1 year'`.execute(app.server.ctx.db)
    await age(25)
    t.match((await ordersOf(buyer)).orders, [{ state: 'filled' }])
    await sql`update deals set status = 'cancelled'`.execute(app.server.ctx.db)
    await age(0)
    t.match((await ordersOf(buyer)).orders, [{ state: 'active' }])
    await sql`update buy_orders set answered_at = now() - interval '1 year'`.execute(app.server.ctx.db)
    await age(0)
    t.match((await ordersOf(buyer)).orders, [{ state: 'paused', pauseReason: 'unanswered' }], 'while it takes vehicles')
  },
)

t.test('does not count a vehicle gone within a day as unanswered', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  await place(buyer)
  const { postId, vehicles } = await post(seller, fleet(0, 12))
  const sold = vehicles.slice(0, 3)
  for (const one of sold) await seller.patch(`/api/inventory/${postId}`, { vehicle: { id: one.id, status: 'sold' } })
  await age(25)
  t.match((await ordersOf(buyer)).orders, [{ state: 'active' }], 'nine remain')
  const { db } = app.server.ctx
  await sql`update find_vehicles set changed_at = now() where vehicle_id = ${sold[0]?.id}`.execute(db)
  await age(0)
  t.match((await ordersOf(buyer)).orders, [{ state: 'paused' }], 'one was on offer for a day')
})

t.test('counts vehicles of blocked or suspended sellers neither as new nor as unanswered', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  await place(buyer)
  await post(seller, fleet(0, 12))
  const { body: chat } = await buyer.post<{ id: string }>('/api/chats', { dealerId: seller.id })
  const block = (blocked: boolean) => buyer.patch(`/api/chats/${chat.id}`, { blocked })
  const suspend = (suspendedAt: Date | null) =>
    app.server.ctx.db.updateTable('dealers').set({ suspendedAt }).where('id', '=', seller.id).execute()
  const none = { orders: [{ state: 'active', newMatches: 0 }], totals: { newMatches: 0 } }
  await block(true)
  t.same(await matchesOf(buyer), [])
  t.match(await ordersOf(buyer), none, 'counts include only listed matches')
  await age(25)
  t.match(await ordersOf(buyer), none, 'nobody can answer a match they cannot see')
  await block(false)
  await suspend(new Date())
  await age(0)
  t.same(await matchesOf(buyer), [])
  t.match(await ordersOf(buyer), none)
  await suspend(null)
  t.match(await ordersOf(buyer), { orders: [{ state: 'active', newMatches: 12 }], totals: { newMatches: 12 } })
  await age(0)
  t.match((await ordersOf(buyer)).orders, [{ state: 'paused', pauseReason: 'unanswered' }])
})

t.test("counts the seller's offer and the buyer's answer to it as answering the match", async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  await place(buyer)
  const vin = '1FTFW1E55MFA48213'
  const car = await post(seller, [{ ...aVehicle, vin }])
  const about = { vin, year: 2021, make: 'Ford', model: 'F-150', trim: '', mileage: 48_210, zip: '' }
  const { ref } = (await seller.post<Demand>('/api/demand', about)).body.orders[0] ?? {}
  const { body: offer } = await seller.post<Offer>('/api/demand/offer', { ref, vehicleId: car.vehicleId })
  t.match(await matchesOf(buyer), [{ state: 'offered', lastOffer: { id: offer.id, status: 'open', turn: 'buyer' } }])
  t.match(await ordersOf(buyer), { orders: [{ newMatches: 0 }], totals: { newMatches: 0 } })
  await buyer.post(`/api/offers/${offer.id}/decline`, {})
  const [declined] = await matchesOf(buyer)
  t.match(declined, { state: 'offered', lastOffer: { id: offer.id, status: 'declined' } }, 'how it ended')
  const again = await offerFor(buyer, car, { amount: declined?.offer, buyOrderId: declined?.orderId })
  t.equal(again.status, 201, 'and it can be offered again')
  t.match(await matchesOf(buyer), [{ state: 'offered', lastOffer: { id: again.body.id, status: 'open' } }])
})

t.test('counts an offer outside the order as an answer, and does not notify of one made while posting', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  const order = await place(buyer)
  const car = await post(seller)
  const { body: offer } = await offerFor(buyer, car, { amount: 20_000 })
  t.match(await matchesOf(buyer), [{ state: 'offered', lastOffer: { id: offer.id, turn: 'seller' } }])
  await sql`delete from buy_order_matches`.execute(app.server.ctx.db)
  await sql`delete from find_alerts`.execute(app.server.ctx.db)
  await sql`delete from notifications`.execute(app.server.ctx.db)
  await seller.patch(`/api/inventory/${car.postId}`, { title: 'Another title' })
  await jobsDone(app)
  t.match(await matchesOf(buyer), [{ orderId: order.id, state: 'offered' }])
  const { body } = await buyer.get<NotificationsPage>('/api/notifications')
  t.same(
    body.items.filter(({ kind }) => kind === 'match'),
    [],
    'the offer already notified them',
  )
})

t.test('applies dismissed, seen and counted to all orders of the dealer', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  const first = await place(buyer)
  await place(buyer, { price: 29_500 })
  const car = await post(seller)
  t.match(await ordersOf(buyer), { totals: { newMatches: 1, matchesToday: 1 } }, 'one vehicle')
  t.equal((await buyer.post(`/api/buy-orders/${first.id}/${car.vehicleId}/dismiss`)).status, 204)
  t.same(await matchesOf(buyer), [], 'by no order')
  t.match(await ordersOf(buyer), { totals: { newMatches: 0 } })
  await place(buyer, { price: 31_000 })
  await seller.patch(`/api/inventory/${car.postId}`, { title: 'Another title' })
  await jobsDone(app)
  t.same(await matchesOf(buyer), [], 'nor by a later order')
})

t.test('offers no more than the current price and updates the tabs with the match', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  const order = await place(buyer)
  const car = await post(seller)
  const tab = await buyer.live()
  await seller.patch(`/api/inventory/${car.postId}`, {
    vehicles: [{ ...aVehicle, id: car.vehicleId, price: 25_000 }],
  })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'match')
  const late = await offerFor(buyer, car, { amount: 30_000, buyOrderId: order.id })
  t.equal(late.status, 409)
  t.match(late.body.error.message, 'The seller now asks $25,000. Review the price and offer again')
  t.equal((await offerFor(buyer, car, { amount: 25_000, buyOrderId: order.id })).status, 201)
  const dear = await post(seller, [{ ...aVehicle, vin: vinOf(1) }])
  t.match(
    (await offerFor(buyer, dear, { amount: 31_000, buyOrderId: order.id })).body.error.message,
    'This buy order pays $30,000',
    "nor above the order's price",
  )
  const sold = seller.patch(`/api/inventory/${dear.postId}`, { vehicle: { id: dear.vehicleId, status: 'sold' } })
  await Promise.all([sold, tab.nextEvent('inbox.changed', ({ what }) => what === 'match')])
  await Promise.all([
    seller.delete(`/api/inventory/${car.postId}`),
    tab.nextEvent('inbox.changed', ({ what }) => what === 'match'),
  ])
})

t.test('removes a vehicle that goes to auction from the matches, also while its seller decides', async (t) => {
  const [buyer, bidder] = [await signIn('Buyer Motors'), await app.signIn('Bidder Motors')]
  const seller = await app.signIn('Seller Motors')
  await place(buyer)
  const car = await post(seller)
  t.equal((await matchesOf(buyer)).length, 1)
  const auction = { startAmount: 10_000, reserveAmount: 20_000 }
  const opened = await seller.patch(`/api/inventory/${car.postId}`, { title: 'Live auction: an F-150', auction })
  t.equal(opened.status, 200)
  await jobsDone(app)
  t.same(await matchesOf(buyer), [])
  t.match(await ordersOf(buyer), { orders: [{ newMatches: 0 }], totals: { newMatches: 0 } })
  await setMaximum(bidder, car.postId, 12_000)
  t.match(await close(app, seller, car.postId), { status: 'deciding' })
  await jobsDone(app)
  t.same(await matchesOf(buyer), [])
  const find = async () => {
    await app.server.find.follow()
    return (await buyer.get<FindAnswer>('/api/find?mmt=Ford')).body.total
  }
  t.equal(await find(), 0, 'it cannot be offered')
  const [bid] = (await seller.get<Offer[]>('/api/offers?open=true')).body
  await seller.post(`/api/offers/${bid?.id}/decline`, {})
  await jobsDone(app)
  t.equal(await find(), 1)
  t.equal((await matchesOf(buyer)).length, 1)
})

t.test('notifies dealers with a match that its vehicle is in an auction again', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  await place(buyer)
  const { postId } = await post(seller)
  const auction = { startAmount: 10_000, reserveAmount: null }
  await seller.patch(`/api/inventory/${postId}`, { title: 'Live auction: an F-150', auction })
  t.equal((await seller.post(`/api/inventory/${postId}/auction/end`, { reason: 'The title is not here' })).status, 200)
  await jobsDone(app)
  t.equal((await matchesOf(buyer)).length, 1, 'it can be offered again')
  const tab = await buyer.live()
  const [again] = await Promise.all([
    seller.patch(`/api/inventory/${postId}/auction`, { startAmount: 9_000 }),
    tab.nextEvent('inbox.changed', ({ what }) => what === 'match'),
  ])
  t.equal(again.status, 200)
  t.same(await matchesOf(buyer), [])
})

t.test('marks only the given vehicles as seen, in all orders of the dealer', async (t) => {
  const [buyer, other, seller] = [
    await signIn('Buyer Motors'),
    await signIn('Other Motors'),
    await app.signIn('Seller Motors'),
  ]
  await place(buyer)
  await place(buyer, { price: 29_500 })
  await place(other)
  const [shown, below] = [await post(seller), await post(seller)]
  const see = (caller: Caller, vehicleIds: string[]) => caller.post('/api/buy-orders/matches/seen', { vehicleIds })
  t.equal((await see(buyer, [])).status, 400)
  t.equal(
    (
      await see(
        buyer,
        Array.from({ length: 101 }, () => shown.vehicleId),
      )
    ).status,
    400,
  )
  t.equal((await see(other, [below.vehicleId])).status, 204)
  t.equal((await see(buyer, [shown.vehicleId])).status, 204)
  const states = Object.fromEntries((await matchesOf(buyer)).map(({ state, vehicle }) => [vehicle.vehicleId, state]))
  t.same(states, { [shown.vehicleId]: 'seen', [below.vehicleId]: 'new' })
  const { orders, totals } = await ordersOf(buyer)
  t.match([orders.map(({ newMatches }) => newMatches), totals.newMatches], [[1, 1], 1])
})
