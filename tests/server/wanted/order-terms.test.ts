import { sql } from 'kysely'
import t from 'tap'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { SavedSearch } from '#shared/schemas/saved.ts'
import type { BuyOrder, BuyOrders, NewBuyOrder } from '#shared/schemas/wanted.ts'
import { refreshFind, queueMatching } from '#server/features/find/refresh-find.service.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { aBuyOrder, buyer as signInBuyer, jobsDone } from '#tests/support/wanted.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const signIn = (name: string) => signInBuyer(app, name)
const place = (caller: Caller, about: Partial<NewBuyOrder> = {}) =>
  caller.post<BuyOrder & { error: { message: string; details: unknown } }>('/api/buy-orders', aBuyOrder(about))
const noticesOf = async (caller: Caller) =>
  (await caller.get<NotificationsPage>('/api/notifications?limit=50')).body.items.filter(({ kind }) => kind === 'match')
const daysFromNow = (iso: string) => Math.round((Date.parse(iso) - Date.now()) / 86_400_000)

async function post(seller: Caller, about: Partial<typeof aVehicle> = {}) {
  const postId = await publish(seller, { vehicles: [{ ...aVehicle, ...about }] })
  await jobsDone(app)
  const { body } = await seller.get<PostDetail>(`/api/inventory/${postId}`)
  return { postId, vehicleId: body.vehicles[0]?.id ?? '' }
}

t.test('renews an ended order with new terms, and never shortens one by renewing', async (t) => {
  const buyer = await signIn('Buyer Motors')
  const { body: order } = await place(buyer, { days: 90 })
  const change = (body: object) => buyer.patch<BuyOrder>(`/api/buy-orders/${order.id}`, body)
  const renewed = await change({ act: 'renew' })
  t.equal(daysFromNow(renewed.body.expiresAt), 90, 'the later of the two')
  await change({ act: 'end' })
  t.match(await change({ note: 'Any color', days: 30 }), { status: 200, body: { state: 'active', note: 'Any color' } })
  await sql`update buy_orders set expires_at = now() - interval '1 day'`.execute(app.server.ctx.db)
  const saved = await change({ note: 'Any color at all' })
  t.match(saved, { status: 200, body: { state: 'active', note: 'Any color at all' } })
  t.equal(daysFromNow(saved.body.expiresAt), 30)
  await change({ act: 'end' })
  t.equal((await change({ act: 'pause' })).status, 409, 'an ended order cannot be paused')
  const { db } = app.server.ctx
  await sql`update dealers set email_verified_at = null where id = ${buyer.id}`.execute(db)
  t.equal((await change({ note: '' })).status, 403, 'renewing it requires the same as a new order')
})

t.test('notifies moderators once of an order far below asking prices, however it got there', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  const admin = await app.signIn('Network', { role: 'admin' })
  const { db } = app.server.ctx
  const { body: order } = await place(buyer, { price: 11_000 })
  const change = async (body: object) => {
    await sql`update buy_orders set priced_at = now() - interval '2 minutes'`.execute(db)
    const answer = await buyer.patch<BuyOrder>(`/api/buy-orders/${order.id}`, body)
    t.equal(answer.status, 200, JSON.stringify(body))
    return answer.body
  }
  const flags = async () => {
    const { items } = (await admin.get<NotificationsPage>('/api/notifications?limit=50')).body
    return items.filter(({ title }) => title.startsWith('Buy order far below')).length
  }
  const vehicles = [20_000, 25_000, 30_000, 35_000, 40_000].map((price, index) => ({
    ...aVehicle,
    price,
    vin: `1FTFW1E50MFA0000${index}`,
  }))
  await publish(seller, { type: 'multiple', vehicles })
  t.equal(await flags(), 0, 'with nothing on offer no price is far below')

  t.match(await change({ act: 'pause' }), { isLow: true })
  t.equal(await flags(), 0, 'sellers do not see a paused order')
  await change({ act: 'resume' })
  t.equal(await flags(), 1, 'resumed after the market moved')
  await change({ act: 'pause' })
  await change({ act: 'resume' })
  await change({ act: 'renew' })
  await change({ note: 'Any color' })
  t.equal(await flags(), 1, 'and no second flag at the same price')

  t.match(await change({ price: 12_000 }), { isLow: false })
  t.equal(await flags(), 1)
  await change({ price: 11_000 })
  t.equal(await flags(), 2, 'back below')
  await change({ price: 10_000 })
  t.equal(await flags(), 3, 'lower still')
  await change({ act: 'pause' })
  await change({ price: 9_000 })
  t.equal(await flags(), 3)
  await change({ act: 'resume' })
  t.equal(await flags(), 4, 'changed while it was paused')

  const reason = 'Nobody sells at this price'
  await admin.delete(`/api/admin/users/${buyer.id}/buy-orders/${order.id}`, { reason })
  await change({ act: 'renew' })
  t.equal(await flags(), 5, 'renewed after it was ended')
  await sql`update buy_orders set expires_at = now() - interval '1 day'`.execute(db)
  await change({ days: 30 })
  t.equal(await flags(), 6, 'renewed after it expired')

  await change({ price: 13_000 })
  t.match(await change({ milesMax: 50_000, yearFrom: 2021 }), { isLow: false })
  const dear = vehicles.map((vehicle) => ({
    ...vehicle,
    year: 2023,
    price: 50_000,
    vin: vehicle.vin.replace('M', 'P'),
  }))
  await publish(seller, { type: 'multiple', vehicles: dear })
  t.match(await change({ yearFrom: 2023 }), { isLow: true })
  t.equal(await flags(), 7, 'also after terms other than the price change')
  await askForPlans(t, app)
  const plan = (status: 'active' | 'past_due') =>
    db.updateTable('subscriptions').set({ status }).where('dealerId', '=', buyer.id).execute()
  await plan('past_due')
  t.match(await change({ price: 12_500 }), { state: 'paused', pauseReason: 'plan', isLow: true })
  await plan('active')
  t.equal(await flags(), 8, 'moderators are notified once an order that changed during a pause resumes')
})

t.test('shows where a distance is measured from', async (t) => {
  const buyer = await signIn('Buyer Motors')
  t.match(await place(buyer, { within: 300 }), {
    status: 400,
    body: { error: { message: /ZIP or postal code/, details: { fields: ['near'] } } },
  })
  const { body: order } = await place(buyer)
  t.equal((await buyer.patch(`/api/buy-orders/${order.id}`, { within: 300 })).status, 400)
})

t.test('keeps searches of Find and the feed with the same words apart', async (t) => {
  const buyer = await signIn('Buyer Motors')
  const feed = await buyer.post<SavedSearch>('/api/saved-searches', { search: 'Ford F-150', sort: 'recent' })
  const find = await buyer.post<SavedSearch>('/api/saved-searches', { kind: 'find', query: 'mmt=Ford~F-150' })
  t.not(feed.body.id, find.body.id)
  const { body } = await buyer.get<SavedSearch[]>('/api/saved-searches')
  t.match(body, [
    { kind: 'find', search: 'Ford F-150' },
    { kind: 'feed', search: 'Ford F-150' },
  ])
  const again = await buyer.post<SavedSearch>('/api/saved-searches', { search: 'Ford F-150', sort: 'recent' })
  t.match(again.body, { id: feed.body.id, kind: 'feed', query: null })
})

t.test('leaves older vehicles out of a search for the last days and marks price drops', async (t) => {
  const [buyer, seller] = [await signIn('Buyer Motors'), await app.signIn('Seller Motors')]
  const [old, young] = [
    await post(seller, { price: 33_000 }),
    await post(seller, { vin: '1FTFW1E50MFA00001', price: 33_000 }),
  ]
  const { db } = app.server.ctx
  await sql`update posts set created_at = now() - interval '9 days' where id = ${old.postId}`.execute(db)
  await buyer.post('/api/saved-searches', { kind: 'find', query: 'mmt=Ford&price=-32000&posted=7' })
  const cheaper = ({ postId, vehicleId }: typeof old, vin: string) =>
    seller.patch(`/api/inventory/${postId}`, { vehicles: [{ ...aVehicle, vin, id: vehicleId, price: 28_500 }] })
  await cheaper(old, aVehicle.vin)
  await cheaper(young, '1FTFW1E50MFA00001')
  await jobsDone(app)
  const told = await noticesOf(buyer)
  t.match(told, [
    {
      title: 'Price drop: 2021 Ford F-150, asking $28,500, for "Ford, up to $32,000, last 7 days"',
      path: `/post/${young.postId}?vehicle=${young.vehicleId}`,
    },
  ])
  t.equal(told.length, 1)
})

t.test('includes vehicles without a figure if asked for, or finds only those', async (t) => {
  const [seller, alone] = [await app.signIn('Seller Motors'), await signIn('Alone')]
  // Some fields of this vehicle are removed below, after the orders exist. Vehicles from a spreadsheet may lack these fields.
  const bare = await post(seller, { vin: '1FTFW1E50MFA00001' })
  const searches: [string, number][] = [
    ['price=-32000', 1],
    ['price=-32000,none', 2],
    ['price=none', 1],
    ['year=2022-,none', 0],
    ['year=none', 0],
    ['miles=-50000,none', 2],
    ['miles=-40000,none', 1],
    ['miles=none&price=none', 1],
  ]
  const buyers: Caller[] = []
  for (const [query] of searches) {
    const buyer = await signIn(query)
    const { status } = await buyer.post('/api/saved-searches', { kind: 'find', query: `mmt=Ford&${query}` })
    t.equal(status, 201, query)
    buyers.push(buyer)
  }
  await alone.post('/api/saved-searches', { kind: 'find', query: 'price=none' })
  await app.server.ctx.transact(async (tx, emit) => {
    await sql`update vehicles set price_cents = null, mileage = null where post_id = ${bare.postId}`.execute(tx)
    await refreshFind(tx, [bare.postId])
    await queueMatching(emit, bare.postId)
  })
  await post(seller)
  for (const [index, [query, told]] of searches.entries())
    t.equal((await noticesOf(buyers[index] ?? alone)).length, told, query)
  t.match(await noticesOf(alone), [{ title: /^New for "no price stated": / }])
})

t.test("uses the location's time zone for a dealer's month without quiet hours", async (t) => {
  const buyer = await app.signIn('Buyer Motors', { city: 'Honolulu', state: 'HI' })
  const { db } = app.server.ctx
  await sql`update dealers set email_verified_at = now() where id = ${buyer.id}`.execute(db)
  await place(buyer, { days: 90 })
  t.capture(app.server.ctx, 'now', () => new Date('2026-11-30T18:00:00Z'))
  await sql`update buy_orders set expires_at = '2027-02-01'`.execute(db)
  const nextMonth = async () => (await buyer.get<BuyOrders>('/api/buy-orders')).body.orders[0]
  t.match(await nextMonth(), { nextMonthAt: '2026-12-01T10:00:00.000Z', timeZone: 'Pacific/Honolulu' })
  await sql`insert into postal_places (code, lat, lng, city, region, country) values
    ('10001', 40.75, -73.99, 'New York', 'NY', 'US') on conflict do nothing`.execute(db)
  await buyer.patch('/api/profile', { zip: '10001' })
  t.match(await nextMonth(), { nextMonthAt: '2026-12-01T05:00:00.000Z' }, 'the ZIP code precedes the state')
  await buyer.patch('/api/settings', { quietHours: { on: false, from: '22:00', to: '07:00', timeZone: 'Asia/Tokyo' } })
  t.match(await nextMonth(), { nextMonthAt: '2026-12-31T15:00:00.000Z' }, 'a chosen time zone precedes both')
  await sql`update dealers set settings = '{}', place_id = null, state = '', zip = '' where id = ${buyer.id}`.execute(
    db,
  )
  t.match(await nextMonth(), { nextMonthAt: '2026-12-01T06:00:00.000Z' }, 'without a place, Chicago')
})
