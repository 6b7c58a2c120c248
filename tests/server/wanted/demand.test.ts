import { sql } from 'kysely'
import t from 'tap'
import type { Deal, Offer } from '#shared/schemas/deals.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { BuyOrder, Demand, DemandList, DemandRequest, NewBuyOrder } from '#shared/schemas/wanted.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { aBuyOrder, buyer as signInBuyer, jobsDone } from '#tests/support/wanted.ts'
import { acceptOffer } from '#tests/support/deals.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

/** VINs with valid check digits. */
const vins: readonly [string, string, string, string] = [
  '1FTFW1E55MFA48213',
  '1FTFW1E51MFA00000',
  '1FTFW1E53MFA00001',
  '1FTFW1E55MFA00002',
]
const car = { vin: vins[0], year: 2021, make: 'Ford', model: 'F-150', trim: 'XLT', mileage: 48_210, zip: '74103' }

const signIn = (name: string) => signInBuyer(app, name)
const place = async (caller: Caller, about: Partial<NewBuyOrder> = {}) => {
  const { status, body } = await caller.post<BuyOrder>('/api/buy-orders', aBuyOrder(about))
  if (status !== 201) throw new Error(`the order was refused: ${status} ${JSON.stringify(body)}`)
  return body
}
const ask = (caller: Caller, about: Partial<DemandRequest> = {}) =>
  caller.post<Demand>('/api/demand', { ...car, ...about })
const list = async (caller: Caller, query = '') => (await caller.get<DemandList>(`/api/demand/list${query}`)).body

async function buyersOf(about: Partial<NewBuyOrder>[]): Promise<Caller[]> {
  const buyers: Caller[] = []
  for (const [index, one] of about.entries()) {
    const buyer = await signIn(`Buyer ${index + 1}`)
    await place(buyer, one)
    buyers.push(buyer)
  }
  return buyers
}

async function post(seller: Caller, about: Partial<typeof aVehicle & { trim: string }> = {}) {
  const postId = await publish(seller, { vehicles: [{ ...aVehicle, vin: car.vin, trim: 'XLT', ...about }] })
  await jobsDone(app)
  const { body } = await seller.get<PostDetail>(`/api/inventory/${postId}`)
  return { postId, vehicleId: body.vehicles[0]?.id ?? '' }
}

async function block(one: Caller | undefined, other: Caller | undefined): Promise<void> {
  const chat = await one?.post<{ id: string }>('/api/chats', { dealerId: other?.id })
  const answer = await one?.patch(`/api/chats/${chat?.body.id}`, { blocked: true })
  if (answer?.status !== 200) throw new Error(`the block was refused: ${answer?.status}`)
}

/** Returns the secrets that occur in the responses. */
const tells = (answers: unknown[], secrets: string[]): string[] => {
  const text = JSON.stringify(answers)
  return secrets.filter((secret) => text.includes(secret))
}

t.test('shows a posting dealer the demand and offers the vehicle to the best order in one click', async (t) => {
  await sql`insert into postal_places (code, lat, lng, city, region, country) values
    ('74103', 36.15, -95.99, 'Tulsa', 'OK', 'US'), ('75201', 32.78, -96.8, 'Dallas', 'TX', 'US')
    on conflict do nothing`.execute(app.server.ctx.db)
  const seller = await app.signIn('Seller Motors')
  const [best] = await buyersOf([
    { price: 31_000, perMonth: 2, near: '75201', within: 300, note: 'Title within 10 days', trims: ['XLT'] },
    { price: 30_000, near: '75201', within: 200 },
    { price: 29_000, perMonth: 4, showName: true },
    { price: 40_000, trims: ['Lariat'] },
  ])
  const { status, body: demand } = await ask(seller)
  t.equal(status, 200)
  t.match(demand, {
    dealers: 2,
    perMonth: 6,
    best: 31_000,
    nearest: 240,
    withheld: null,
    orders: [
      { price: 31_000, miles: 240, perMonth: 2, name: null, note: 'Title within 10 days' },
      { price: 29_000, miles: null, perMonth: 4, name: 'Buyer 3' },
    ],
  })
  const { vehicleId } = await post(seller, { price: 32_000 })
  const [first] = demand.orders
  const offer = await seller.post<Offer>('/api/demand/offer', { ref: first?.ref, vehicleId })
  t.match(offer, { status: 201, body: { amount: 31_000, turn: 'buyer', source: 'order', buyer: { id: best?.id } } })
  t.equal((await seller.post('/api/demand/offer', { ref: first?.ref, vehicleId })).status, 409, 'once')
  t.equal((await acceptOffer(seller, offer.body.id)).status, 403, 'the buyer answers')
  const accepted = await (best && acceptOffer(best, offer.body.id))
  t.match(accepted?.body, { status: 'accepted' })
  t.match((await best?.get<Deal[]>(`/api/deals/${best.id}`))?.body, [{ price: 31_000, status: 'pending' }])
  t.match((await best?.get('/api/buy-orders'))?.body, { orders: [{ bought: 1 }] })
})

t.test('limits a reference to its reader, its vehicle and half an hour', async (t) => {
  const [seller, other] = [await app.signIn('Seller Motors'), await app.signIn('Other Motors')]
  await buyersOf([{}])
  const [ref, again] = [await ask(seller), await ask(seller, { mileage: 48_211 })].map(
    ({ body }) => body.orders[0]?.ref,
  )
  t.ok(ref)
  t.not(ref, again, 'two references to one order cannot be linked')
  const mine = await post(seller, { vin: vins[1] })
  t.equal((await seller.post('/api/demand/offer', { ref, vehicleId: mine.vehicleId })).status, 404, 'another vehicle')
  const theirs = await post(other, { vin: vins[0] })
  t.equal((await other.post('/api/demand/offer', { ref, vehicleId: theirs.vehicleId })).status, 404, 'another reader')
  t.equal((await seller.post('/api/demand/offer', { ref, vehicleId: theirs.vehicleId })).status, 404)
  t.equal((await seller.post('/api/demand/offer', { ref: 'made-up', vehicleId: mine.vehicleId })).status, 404)
  const { ref: late } = (await ask(seller, { vin: vins[2] })).body.orders[0] ?? {}
  const posted = await post(seller, { vin: vins[2] })
  t.capture(app.server.ctx, 'now', () => new Date(Date.now() + 31 * 60_000))
  t.equal((await seller.post('/api/demand/offer', { ref: late, vehicleId: posted.vehicleId })).status, 404)
})

t.test('repeats an answer for a while, but asks again about a vehicle nobody wanted', async (t) => {
  const seller = await app.signIn('Seller Motors')
  t.match((await ask(seller)).body, { dealers: 0, best: null, orders: [] })
  const [buyer] = await buyersOf([{ price: 30_000, drive: '4wd' }])
  const { body: first } = await ask(seller)
  t.match(first, { dealers: 1, best: 30_000, orders: [{ drive: '4wd' }] }, 'an order placed shortly afterwards')
  const { db } = app.server.ctx
  await sql`update buy_orders set priced_at = now() - interval '2 minutes'`.execute(db)
  const orders = await buyer?.get<{ orders: BuyOrder[] }>('/api/buy-orders')
  t.equal((await buyer?.patch(`/api/buy-orders/${orders?.body.orders[0]?.id}`, { price: 31_000 }))?.status, 200)
  t.match(
    (await ask(seller)).body,
    { dealers: 1, best: 30_000, orders: [{ price: 30_000 }] },
    'asking again does not reveal a change',
  )
  t.match((await ask(seller, { mileage: 48_211 })).body, { best: 31_000 }, 'another question has its own answer')
})

t.test('answers three questions about a VIN in ten minutes on any server, then repeats the last', async (t) => {
  const seller = await app.signIn('Seller Motors')
  await buyersOf([
    { milesMax: 48_212, price: 30_000 },
    { milesMax: 60_000, price: 29_000 },
  ])
  const other = await startApp(t, {}, app.services)
  const elsewhere = other.on(other, seller)
  for (const mileage of [48_210, 48_211]) t.match((await ask(seller, { mileage })).body, { best: 30_000 })
  t.match((await ask(elsewhere, { mileage: 48_213 })).body, { best: 29_000, isEarlier: false })
  t.match(
    (await ask(seller, { mileage: 48_212 })).body,
    { best: 29_000, isEarlier: true },
    'asking again does not reveal a price limit',
  )
  t.match(
    (await ask(seller, { mileage: 48_210 })).body,
    { best: 30_000, isEarlier: false },
    'a vehicle was checked before',
  )
  t.match(
    (await ask(seller, { vin: vins[1], mileage: 48_212 })).body,
    { best: 30_000, isEarlier: false },
    'another VIN',
  )
})

t.test('does not repeat an answer to a dealer blocked or competing since', async (t) => {
  const seller = await signIn('Seller Motors')
  const [blocked] = await buyersOf([{ price: 31_000 }, { price: 30_000 }])
  t.match((await ask(seller)).body, { dealers: 2, best: 31_000 })
  await block(blocked, seller)
  t.match((await ask(seller)).body, { dealers: 1, best: 30_000 })
  await place(seller, { yearFrom: 1990, yearTo: 1990 })
  t.match((await ask(seller)).body, { dealers: 1, best: null, orders: [], withheld: 'order' })
})

t.test('applies blocks in both directions and ignores suspended buyers', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const [blocked, blocking, suspended] = await buyersOf([{}, {}, {}])
  const { db } = app.server.ctx
  t.match((await ask(seller)).body, { dealers: 3 })
  const { vehicleId } = await post(seller)
  const { ref } = (await list(seller, '?have=1')).items[0]?.yours[0] ?? {}
  await block(blocked, seller)
  await block(seller, blocking)
  t.match((await ask(seller, { mileage: 48_211 })).body, { dealers: 1 })
  await sql`update dealers set suspended_at = now() where id = ${suspended?.id}`.execute(db)
  t.match((await ask(seller, { mileage: 48_212 })).body, { dealers: 0 })
  t.same((await list(seller)).items, [])
  t.equal((await seller.post('/api/demand/offer', { ref, vehicleId })).status, 409, 'and it is not offered to them')
})

t.test('shows demand only for an own VIN, and only counts to a competing buyer', async (t) => {
  await askForPlans(t, app)
  const [seller, other] = [await app.signIn('Seller Motors'), await app.signIn('Other Motors')]
  const [buyer] = await buyersOf([{}, {}])
  t.equal((await ask(seller, { vin: '1FTFW1E53MFA48213' })).status, 400, 'the check digit')
  t.equal((await ask(seller, { vin: '4T1G11AK4MU401238' })).status, 400, 'of another make')
  t.equal((await ask(await app.signIn('Free Motors', { plan: null }))).status, 402)
  t.equal((await app.visitor.post('/api/demand', car)).status, 401)
  t.match((await ask(buyer ?? seller)).body, { dealers: 1, best: null, nearest: null, orders: [], withheld: 'order' })
  await post(other)
  t.equal((await ask(seller, { year: 2020 })).status, 409, 'somebody else’s vehicle')
  for (let count = 0; count < 21; count++)
    await sql`insert into demand_asks (dealer_id, vin) values (${seller.id}, ${`1FTFW1E50MFB000${10 + count}`})`.execute(
      app.server.ctx.db,
    )
  t.match((await ask(seller, { vin: vins[1] })).body, { dealers: 2, best: null, orders: [], withheld: 'asked' })
  await sql`update demand_asks set asked_at = now() - interval '8 days'`.execute(app.server.ctx.db)
  t.match((await ask(seller, { vin: vins[2] })).body, { best: 30_000, withheld: null }, 'after a week')
})

t.test('lists models wanted by at least three dealers, with overlapping years', async (t) => {
  const reader = await app.signIn('Reader Motors')
  const years = (yearFrom: number | null, yearTo: number | null) => ({ yearFrom, yearTo, drive: '4wd' as const })
  const buyers = await buyersOf([years(2018, 2020), years(2020, 2021), years(2023, null)])
  await place(buyers[0] ?? reader, years(2019, 2019))
  t.same((await list(reader)).items, [], 'two dealers with three orders, and an order for other years')
  const [third] = await buyersOf([{ ...years(2021, 2021), drive: 'rwd', milesMax: 40_000, perMonth: 1 }])
  t.match(await list(reader), {
    items: [
      {
        make: 'Ford',
        model: 'F-150',
        yearFrom: 2018,
        yearTo: 2021,
        dealers: 3,
        perMonth: 10,
        milesFrom: 40_000,
        milesTo: 60_000,
        mostlyDrive: '4wd',
        trims: [],
        yours: [],
        isRival: false,
      },
    ],
    dealers: 3,
    perMonth: 10,
    makes: ['Ford'],
    next: null,
  })
  t.equal((await list(reader, '?q=f150%20ford')).items.length, 1)
  t.same((await list(reader, '?q=camry')).items, [])
  t.same((await list(reader, '?make=Toyota')).items, [])
  t.same((await list(reader, '?have=1')).items, [])
  t.same((await list(buyers[0] ?? reader)).items, [], 'your own orders never count')

  const { postId } = await post(reader)
  const [group] = (await list(reader, '?have=1')).items
  t.match(group, { yours: [{ postId, best: 30_000, dealers: 1, title: '2021 Ford F-150 XLT', offered: false }] })
  const [own] = group?.yours ?? []
  t.equal((await reader.post('/api/demand/offer', { ref: own?.ref, vehicleId: own?.vehicleId })).status, 201)
  t.match((await list(reader)).items[0]?.yours, [{ offered: true }])

  const rival = await signIn('Rival Motors')
  await post(rival, { vin: vins[3] })
  t.match((await list(rival)).items, [{ isRival: false, yours: [{ best: 30_000 }] }])
  await place(rival, { yearFrom: 1990, yearTo: 1990 })
  t.match((await list(rival)).items, [{ isRival: true, yours: [] }], 'a buyer of the model sees no price')
  await third?.patch(
    `/api/buy-orders/${(await third.get<{ orders: BuyOrder[] }>('/api/buy-orders')).body.orders[0]?.id}`,
    { act: 'pause' },
  )
  t.same((await list(reader)).items, [], 'back below three')
})

t.test('shows demand for own vehicles with a valid VIN, counted, logged and for a while', async (t) => {
  const [seller, other] = [await app.signIn('Seller Motors'), await app.signIn('Other Motors')]
  await buyersOf([{ milesMax: 48_212 }, { price: 29_000 }, { price: 28_000 }])
  const posted = await post(seller)
  const own = async () => (await list(seller)).items[0]
  const logged = t.capture(app.server.ctx.log, 'info')
  const asks = () => logged().filter(({ args: [, words] }) => words === 'demand was asked for')
  t.match(await own(), { yours: [{ best: 30_000, dealers: 3 }], withheld: null })
  await own()
  t.match(
    asks().map(({ args: [about] }) => about),
    [{ dealerId: seller.id, vins: 0, vehicles: 1, withheld: null }],
    'the same vehicle again has the same answer',
  )
  const { db } = app.server.ctx
  t.match(await sql`select vin from demand_asks where dealer_id = ${seller.id}`.execute(db), {
    rows: [{ vin: vins[0] }],
  })
  await sql`update buy_orders set price_cents = 3500000 where price_cents = 3000000`.execute(db)
  t.match(await own(), { yours: [{ best: 30_000 }] }, 'asking again does not reveal a change')
  for (const mileage of [48_211, 48_212, 48_213, 48_214]) {
    await sql`update vehicles set mileage = ${mileage} where id = ${posted.vehicleId}`.execute(db)
    await sql`update find_vehicles set mileage = ${mileage} where vehicle_id = ${posted.vehicleId}`.execute(db)
    await own()
  }
  t.match(
    await own(),
    { yours: [{ best: 35_000 }] },
    'nor by asking with other values: beyond the limit, the last answer is repeated',
  )
  await post(other)
  t.match(await own(), { yours: [], withheld: 'vin' }, 'another dealer also offers the vehicle')
})

t.test('shows demand for sixty own vehicles per hour, and none after many unposted questions', async (t) => {
  const counting = await startApp(t, { RATE_LIMITS: 'on' }, app.services)
  await buyersOf([{}, {}, {}])
  const dealer = await app.signIn('Seller Motors')
  await post(dealer)
  const seller = counting.on(counting, dealer)
  const { commands } = app.server.ctx.redis
  const limitKey = async () => (await commands.keys('*:demand-own-hour:*'))[0] ?? ''
  t.match((await list(seller)).items, [{ yours: [{}], withheld: null }])
  await commands.set(await limitKey(), 60, 'EX', 3_600)
  await commands.del(await commands.keys('*:demand:*'))
  t.match((await list(seller)).items, [{ yours: [{}] }], 'a question of today is not counted again')
  await sql`delete from demand_asks`.execute(app.server.ctx.db)
  await commands.del(await commands.keys('*:demand:*'))
  t.match((await list(seller)).items, [{ yours: [], withheld: 'limit' }])
  t.match((await ask(seller, { vin: vins[1] })).body, { best: 30_000 }, 'the next vehicle is counted separately')
  await commands.del(await limitKey())
  for (let count = 0; count < 21; count++)
    await sql`insert into demand_asks (dealer_id, vin) values (${seller.id}, ${`1FTFW1E50MFB000${10 + count}`})`.execute(
      app.server.ctx.db,
    )
  t.match((await list(seller)).items, [{ yours: [], withheld: 'asked' }])
})

t.test("measures demand from the vehicle's location and lists it around any place", async (t) => {
  await sql`insert into postal_places (code, lat, lng, city, region, country) values
    ('74103', 36.15, -95.99, 'Tulsa', 'OK', 'US'), ('75201', 32.78, -96.8, 'Dallas', 'TX', 'US')
    on conflict do nothing`.execute(app.server.ctx.db)
  const seller = await app.signIn('Seller Motors')
  await sql`update dealers set city = 'Tulsa', state = 'OK', zip = '74103', place_id = place_of('74103')
    where id = ${seller.id}`.execute(app.server.ctx.db)
  await buyersOf([
    { near: '75201', within: 100 },
    { near: '75201', within: 100 },
    { near: '75201', within: 100 },
  ])
  const at = { zip: '', city: 'Dallas', state: 'TX' }
  t.match((await ask(seller, { zip: '' })).body, { dealers: 0 }, "at its dealer's location")
  t.match((await ask(seller, at)).body, { dealers: 3, nearest: 10 }, 'at its city')
  t.match((await list(seller)).items, [{ nearest: 240 }])
  t.match(await list(seller, '?within=100'), { items: [], placeKnown: true })
  t.match(await list(seller, '?near=75201&within=100'), { items: [{ nearest: 10 }], placeKnown: true })
  t.match(await list(seller, '?near=00000&within=100'), { items: [{ nearest: null }], placeKnown: false })
})

t.test("never reveals an order's dealer, nor its price to dealers who may not see it", async (t) => {
  const [reader, buyer] = [await app.signIn('Reader Motors'), await signIn('Quiet Motors')]
  const order = await place(buyer, { price: 31_357, note: '' })
  await buyersOf([{ price: 30_000 }, { price: 30_000 }])
  const { vehicleId, postId } = await post(reader, { vin: vins[1], price: 31_900 })
  await place(await signIn('Rival Motors'), {})
  const secrets = [order.id, buyer.id, 'Quiet Motors']
  const calls = [
    reader.get('/api/buy-orders'),
    reader.get('/api/buy-orders/matches'),
    reader.get('/api/demand/list'),
    reader.get('/api/demand/list?have=1'),
    reader.get('/api/demand/list?q=f150&make=Ford&near=75201'),
    reader.get('/api/find?facets=1'),
    reader.get('/api/find?near=75201&within=100&facets=1&price=-1'),
    reader.get('/api/find/words?text=ford+f150+quiet+motors'),
    reader.get('/api/find/since?after=2026-01-01T00:00:00.000Z'),
    reader.get('/api/saved-searches'),
    reader.get(`/api/admin/users/${buyer.id}/buy-orders`),
    reader.post('/api/demand/offer', { ref: 'made-up', vehicleId }),
    reader.get('/api/notifications'),
    reader.get('/api/offers'),
    reader.get(`/api/inventory/${postId}`),
    ask(reader, { vin: vins[2] }),
    reader.patch(`/api/buy-orders/${order.id}`, { act: 'pause' }),
    reader.post(`/api/buy-orders/${order.id}/${vehicleId}/dismiss`),
    reader.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 1, buyOrderId: order.id }),
    reader.post('/api/buy-orders/preview', aBuyOrder()),
  ]
  const answers = (await Promise.all(calls)).map(({ body }) => body)
  t.same(tells(answers, secrets), [], 'nothing that identifies the buyer')
  const rival = await signIn('Second Rival')
  await place(rival, { price: 20_000 })
  const seen = [await ask(rival, { vin: vins[3] }), await rival.get('/api/demand/list')].map(({ body }) => body)
  t.same(tells(seen, [...secrets, '31357']), [], 'and no price to buyers of the same model')
  const elsewhere = await post(buyer, { vin: vins[0] })
  const borrowed = { vehicleId: elsewhere.vehicleId, amount: 1_000, buyOrderId: order.id }
  t.equal((await reader.post(`/api/inventory/${elsewhere.postId}/offers`, borrowed)).status, 404)
})

t.test('logs how often a dealer asks for demand and what was shown', async (t) => {
  const seller = await app.signIn('Seller Motors')
  await buyersOf([{}, {}])
  const logged = t.capture(app.server.ctx.log, 'info')
  await ask(seller)
  await ask(seller)
  await ask(seller, { vin: vins[1] })
  const told = logged().flatMap(({ args: [about, words] }) => (words === 'demand was asked for' ? [about] : []))
  t.match(told, [
    { dealerId: seller.id, vins: 1, dealers: 2, withheld: null },
    { dealerId: seller.id, vins: 2, dealers: 2, withheld: null },
  ])
  t.equal(told.length, 2, 'the same question again is answered as before')
  t.notMatch(JSON.stringify(told), vins[0], 'the VIN is stored in the database only')
})
