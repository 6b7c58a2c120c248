import t from 'tap'
import type { FindAnswer } from '#shared/schemas/find.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aBidder, bid, publishAuction, readAuction } from '#tests/support/bidding.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'

// What others bid or offered for stays as it was, or their word ends with it.

const app = await startApp(t)
t.beforeEach(app.startOver)

const hourMs = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()
const later = { startsAt: inHours(1), endsAt: inHours(2) }
const junk = { ...aVehicle, vin: '1HGCM82633A004352', year: 2003, make: 'Honda', model: 'Accord', mileage: 210_000 }

const vehiclesOf = async (caller: Caller, postId: string) =>
  (await caller.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles
const edit = (seller: Caller, postId: string, patch: object) => seller.patch(`/api/inventory/${postId}`, patch)
const noticesOf = async (caller: Caller) =>
  (await caller.get<NotificationsPage>('/api/notifications')).body.items.map(({ title }) => title)

t.test('another vehicle does not come first where a bid stands: the first is what is sold', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const auction = { startAmount: 500, reserveAmount: null }
  const title = 'Live auction: two cars'
  const postId = await publish(seller, { title, type: 'multiple', vehicles: [aVehicle, junk], auction })
  const [first, second] = await vehiclesOf(seller, postId)
  await bid(buyer, postId, 20_000)
  const swapped = [
    { ...junk, id: second?.id },
    { ...aVehicle, id: first?.id },
  ]
  t.match(await edit(seller, postId, { vehicles: swapped }), {
    status: 409,
    body: { error: { message: /^A bid stands on this auction/ } },
  })
  t.equal((await edit(seller, postId, { vehicles: swapped.toReversed() })).status, 200, 'as it was')
})

t.test('a maximum at the start ends with what it was set for, and its dealer is told', async (t) => {
  const [seller, holder] = [await aBidder(app, 'Seller'), await aBidder(app, 'Holder')]
  const postId = await publishAuction(seller, later)
  const [vehicle] = await vehiclesOf(seller, postId)
  const own = { ...aVehicle, id: vehicle?.id }
  const set = () => holder.put(`/api/inventory/${postId}/preset`, { amount: 60_000 })
  const standing = async () => (await readAuction(holder, postId)).you.preset
  await set()
  for (const harmless of [
    { vehicles: [{ ...own, price: 29_900, notes: 'New brakes' }] },
    { description: 'One owner' },
  ]) {
    await edit(seller, postId, harmless)
    t.equal(await standing(), 60_000, Object.keys(harmless).join())
  }
  const other = [
    { vehicles: [{ ...own, mileage: 148_210 }] },
    { vehicles: [{ ...junk, id: vehicle?.id }] },
    { title: 'Live auction: a car' },
    { vehicles: [junk] },
  ]
  for (const [told, patch] of other.entries()) {
    await set()
    t.equal((await edit(seller, postId, patch)).status, 200)
    t.equal(await standing(), null, JSON.stringify(patch).slice(0, 40))
    const notices = await noticesOf(holder)
    t.equal(notices.length, told + 1)
    t.equal(notices[0], 'Your maximum at the start was not placed: the seller has changed what is sold')
  }
})

t.test('a maximum at the start ends with the buy fee under which it was set', async (t) => {
  const [seller, holder] = [await aBidder(app, 'Seller'), await aBidder(app, 'Holder')]
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const postId = await publishAuction(seller, later)
  await holder.put(`/api/inventory/${postId}/preset`, { amount: 60_000 })
  await admin.patch('/api/admin/network', { buyFee: { flat: 500, percent: 0 } })
  t.teardown(() => admin.patch('/api/admin/network', { buyFee: null }))
  t.equal((await readAuction(holder, postId)).you.preset, 60_000, 'the auction keeps the fee that it was opened with')
  await seller.patch(`/api/inventory/${postId}/auction`, later)
  t.match(await readAuction(holder, postId), { buyFee: { flat: 500 }, you: { preset: null } })
  t.same(await noticesOf(holder), ['Your maximum at the start was not placed: the buy fee has changed'])
})

t.test('an offer ends when its seller makes another vehicle of the one that it was for', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const postId = await publish(seller)
  const [vehicle] = await vehiclesOf(seller, postId)
  const own = { ...aVehicle, id: vehicle?.id }
  const offer = async () =>
    (await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId: own.id, amount: 30_000 })).body
  const [{ id }] = [await offer()]
  const statusOf = async (offerId: string) =>
    (await buyer.get<Offer[]>('/api/offers')).body.find((one) => one.id === offerId)?.status
  await edit(seller, postId, { vehicles: [{ ...own, price: 29_900, notes: 'New brakes', color: 'Blue' }] })
  t.equal(await statusOf(id), 'open', 'price, notes and the like are the seller’s')
  t.equal((await edit(seller, postId, { vehicles: [{ ...junk, id: own.id }] })).status, 200)
  t.equal(await statusOf(id), 'ended')
  t.equal((await seller.post(`/api/offers/${id}/accept`, {})).status, 409)
  t.same(await noticesOf(buyer), ['Offer of $30,000 ended: the vehicle was changed'])
  t.equal((await offer()).status, 'open', 'what is there now may be offered for')
})

t.test('what was on offer does not become other inventory without a plan', async (t) => {
  const seller = await app.signIn('Seller')
  const postId = await publish(seller)
  const [vehicle] = await vehiclesOf(seller, postId)
  const own = { ...aVehicle, id: vehicle?.id }
  await app.server.ctx.db.deleteFrom('subscriptions').where('dealerId', '=', seller.id).execute()
  t.equal((await seller.post('/api/inventory', { title: 'New', type: 'single', vehicles: [junk] })).status, 402)
  t.equal((await edit(seller, postId, { vehicles: [{ ...own, price: 29_000, color: 'Blue' }] })).status, 200)
  for (const field of ['vin', 'year', 'make', 'model'] as const)
    t.equal((await edit(seller, postId, { vehicles: [{ ...own, [field]: junk[field] }] })).status, 402, field)
  t.same(
    (await vehiclesOf(seller, postId)).map(({ vin }) => vin),
    [aVehicle.vin],
  )
})

t.test(
  'nobody buys from a seller who is suspended: auctions end, and neither bid nor offer is taken or accepted',
  async (t) => {
    const seller = await app.signIn('Seller')
    const [buyer, holder] = [await aBidder(app, 'Buyer'), await aBidder(app, 'Holder')]
    const admin = await app.signIn('Lanewire', { role: 'admin' })
    const [running, coming, sale] = [
      await publishAuction(seller),
      await publishAuction(seller, later),
      await publish(seller),
    ]
    const [vehicle] = await vehiclesOf(buyer, sale)
    const offer = (amount: number) =>
      buyer.post<Offer>(`/api/inventory/${sale}/offers`, { vehicleId: vehicle?.id, amount })
    await bid(buyer, running, 20_000)
    await holder.put(`/api/inventory/${coming}/preset`, { amount: 60_000 })
    const { id } = (await offer(30_000)).body
    t.equal((await seller.post(`/api/offers/${id}/counter`, { amount: 31_000 })).status, 200)

    t.equal((await admin.post(`/api/admin/users/${seller.id}/suspend`, { reason: 'fraud', until: null })).status, 200)
    t.match(await readAuction(buyer, running), { status: 'no_sale' })
    t.match(await readAuction(buyer, coming), { status: 'no_sale' })
    t.equal((await bid(holder, running, 30_000)).status, 409)
    t.match(await buyer.post(`/api/offers/${id}/accept`, {}), {
      status: 409,
      body: { error: { message: 'This vehicle is no longer available' } },
    })
    t.equal((await offer(32_000)).status, 409)
    t.same((await buyer.get(`/api/deals/${buyer.id}`)).body, [])
    t.ok((await noticesOf(buyer)).includes('The auction ended without a sale: its seller may not sell now'))
    t.match(await noticesOf(holder), [/^Your maximum at the start was not placed/])

    await admin.post(`/api/admin/users/${seller.id}/reinstate`, {})
    const sales = async (sale: string) => (await buyer.get<FindAnswer>(`/api/find?sale=${sale}`)).body.total
    await until('their vehicles to be found again', async () => (await sales('fixed')) === 3)
    t.same([await sales('live'), await sales('coming')], [0, 0], 'at a price, as no auction runs')
    const again = await buyer.post(`/api/offers/${id}/accept`, {})
    t.equal(again.status, 200, 'what was offered stands for as long as it stood')
  },
)
