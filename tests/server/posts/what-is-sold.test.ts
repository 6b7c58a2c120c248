import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import type { FindAnswer } from '#shared/schemas/find.ts'
import type { DealDetail, Offer } from '#shared/schemas/deals.ts'
import type { Lane } from '#shared/schemas/lane.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { aBidder, bid, close, publishAuction, readAuction } from '#tests/support/bidding.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'
import { acceptOffer } from '#tests/support/deals.ts'

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

/** Waits until Find shows the `wanted` kind of sale for each vehicle. Undefined means that Find does not list the vehicle. */
async function findsSold(t: Test, caller: Caller, vehicleIds: (string | undefined)[], wanted: (string | undefined)[]) {
  const read = async () => {
    const { items } = (await caller.get<FindAnswer>('/api/find')).body
    return vehicleIds.map((id) => items.find(({ vehicleId }) => vehicleId === id)?.sale)
  }
  await until('Find to update', async () => isDeepStrictEqual(await read(), wanted)).catch(() => undefined)
  t.same(await read(), wanted)
}

t.test('refuses to put another vehicle first where the first has a bid', async (t) => {
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
    body: { error: { message: /^This auction has a bid/ } },
  })
  t.equal((await edit(seller, postId, { vehicles: swapped.toReversed() })).status, 200, 'the order is unchanged')
})

t.test(
  'auctions the first vehicle of a post with several, and keeps the other vehicles on offer at their price',
  async (t) => {
    const seller = await app.signIn('Seller')
    const [bidder, buyer] = [await aBidder(app, 'Bidder'), await aBidder(app, 'Buyer')]
    const title = 'Live auction: three cars'
    const third = { ...junk, vin: '1HGCM82633A004353' }
    const postId = await publish(seller, { title, type: 'multiple', vehicles: [aVehicle, junk, third] })
    const [lot, other, last] = (await vehiclesOf(seller, postId)).map(({ id }) => id)
    const offer = (vehicleId: string | undefined) =>
      buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 9_000 })
    const statusOf = async (offerId: string) =>
      (await buyer.get<Offer[]>('/api/offers')).body.find((one) => one.id === offerId)?.status
    const act = (offerId: string, name: string) =>
      name === 'accept' ? acceptOffer(seller, offerId) : seller.post(`/api/offers/${offerId}/${name}`, {})
    const finds = (...wanted: (string | undefined)[]) => findsSold(t, buyer, [lot, other, last], wanted)

    const [onLot, onOther] = [(await offer(lot)).body.id, (await offer(other)).body.id]
    const opened = await edit(seller, postId, { auction: { startAmount: 500, reserveAmount: 40_000 } })
    t.equal(opened.status, 200)
    t.same([await statusOf(onLot), await statusOf(onOther)], ['ended', 'open'])
    await bid(bidder, postId, 20_000)
    await finds('live', 'fixed', 'fixed')
    t.match(await offer(lot), { status: 409, body: { error: { message: /in a live auction/ } } })

    t.equal((await act(onOther, 'accept')).status, 200)
    t.match(await readAuction(bidder, postId), { status: 'open', amount: 20_000 })
    await finds('live', undefined, 'fixed')
    t.equal((await edit(seller, postId, { vehicle: { id: lot, status: 'sold' } })).status, 409)
    t.equal((await edit(seller, postId, { vehicle: { id: last, status: 'sold' } })).status, 200)
    await finds('live', undefined, undefined)
    await edit(seller, postId, { vehicle: { id: last, status: 'available' } })

    t.equal((await close(app, bidder, postId)).status, 'deciding')
    await finds(undefined, undefined, 'fixed')
    t.match(await offer(lot), { status: 409, body: { error: { message: /deciding/ } } })
    t.equal((await offer(last)).status, 201)
  },
)

t.test('lets the seller edit the other vehicles, even with a bid or a waiting maximum', async (t) => {
  const [seller, bidder] = [await app.signIn('Seller'), await aBidder(app, 'Bidder')]
  const title = 'Live auction: two cars'
  const post = (auction: object) => publish(seller, { title, type: 'multiple', vehicles: [aVehicle, junk], auction })
  const [running, coming] = [await post({ startAmount: 500, reserveAmount: null }), await post(later)]
  await bid(bidder, running, 20_000)
  await bidder.put(`/api/inventory/${coming}/preset`, { amount: 60_000 })
  for (const postId of [running, coming]) {
    const [first, second] = await vehiclesOf(seller, postId)
    const lot = { ...aVehicle, id: first?.id }
    t.equal(
      (await edit(seller, postId, { vehicles: [lot, { ...junk, id: second?.id, mileage: 211_000 }] })).status,
      200,
    )
    t.equal((await edit(seller, postId, { vehicles: [lot] })).status, 200)
  }
  t.equal((await readAuction(bidder, coming)).you.preset, 60_000)
  t.match(await readAuction(bidder, running), { status: 'open', bidCount: 1 })
})

t.test('lists a post for sale beside its auction if it has more vehicles', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  await buyer.post('/api/saved-searches', { search: 'accord', sort: 'for-sale' })
  const about = { title: 'Live auction', auction: { startAmount: 500, reserveAmount: null } }
  const one = await publish(seller, { ...about, vehicles: [aVehicle] })
  const two = await publish(seller, { ...about, type: 'multiple', vehicles: [aVehicle, junk] })
  const forSale = async () =>
    (await buyer.get<{ id: string }[]>('/api/inventory?sort=for-sale')).body.map(({ id }) => id)
  t.same(await forSale(), [two])
  await until('the notification of the saved search', async () => (await noticesOf(buyer)).length > 0)
  const [, second] = await vehiclesOf(seller, two)
  await edit(seller, two, { vehicle: { id: second?.id, status: 'sold' } })
  t.same(await forSale(), [], `the other post (${one}) is not for sale either`)
})

t.test("shows no other vehicle's picture in the Lane", async (t) => {
  const seller = await app.signIn('Seller')
  const photos = ['https://example.com/accord.jpg']
  const about = { title: 'Live auction', type: 'multiple' as const, auction: {} }
  await publish(seller, { ...about, vehicles: [aVehicle, { ...junk, photos }] })
  const { running } = (await seller.get<Lane>('/api/lane')).body
  t.same(
    running.map(({ model, photoUrl }) => [model, photoUrl]),
    [[aVehicle.model, null]],
  )
})

t.test('ends a preset maximum with the vehicle it was set for, and tells its dealer', async (t) => {
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
    { vehicles: [{ ...own, year: 2020 }] },
    { title: 'Live auction: a car' },
    { vehicles: [junk], endAuction: true },
  ]
  for (const [told, patch] of other.entries()) {
    await set()
    t.equal((await edit(seller, postId, patch)).status, 200)
    t.equal(await standing(), null, JSON.stringify(patch).slice(0, 40))
    const notices = await noticesOf(holder)
    t.equal(notices.length, told + 1)
    t.equal(notices[0], 'Your preset maximum was not placed: the seller changed the vehicle')
  }
})

t.test('ends a preset maximum with the buy fee under which it was set', async (t) => {
  const [seller, holder] = [await aBidder(app, 'Seller'), await aBidder(app, 'Holder')]
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const postId = await publishAuction(seller, later)
  await holder.put(`/api/inventory/${postId}/preset`, { amount: 60_000 })
  await admin.patch('/api/admin/network', { buyFee: { flat: 500, percent: 0 } })
  t.teardown(() => admin.patch('/api/admin/network', { buyFee: null }))
  t.equal((await readAuction(holder, postId)).you.preset, 60_000, 'the auction keeps its first fee')
  await seller.patch(`/api/inventory/${postId}/auction`, later)
  t.match(await readAuction(holder, postId), { buyFee: { flat: 500 }, you: { preset: null } })
  t.same(await noticesOf(holder), ['Your preset maximum was not placed: the buy fee has changed'])
})

t.test('ends an offer when its seller turns the vehicle into another one', async (t) => {
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
  t.equal(await statusOf(id), 'open', 'the seller may change price and notes')
  t.equal((await edit(seller, postId, { vehicles: [{ ...junk, id: own.id }] })).status, 200)
  t.equal(await statusOf(id), 'ended')
  t.equal((await acceptOffer(seller, id)).status, 409)
  t.same(await noticesOf(buyer), ['Offer of $30,000 ended: the vehicle was changed'])
  t.equal((await offer()).status, 'open', 'the new vehicle accepts offers')
})

t.test(
  'ends an offer and tells its buyer when the vehicle is removed or sold, and keeps the history of deals',
  async (t) => {
    const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
    const third = { ...junk, vin: '1HGCM82633A004353' }
    const postId = await publish(seller, { type: 'multiple', vehicles: [aVehicle, junk, third] })
    const [first, second, last] = await vehiclesOf(seller, postId)
    const offer = async (vehicleId: string | undefined) =>
      (await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 9_000 })).body
    const statusOf = async ({ id }: Offer) =>
      (await buyer.get<Offer[]>('/api/offers')).body.find((one) => one.id === id)?.status
    const newest = async () => (await buyer.get<NotificationsPage>('/api/notifications')).body.items[0]
    const own = [
      { ...aVehicle, id: first?.id },
      { ...junk, id: second?.id },
    ]

    const [removed, dealt] = [await offer(last?.id), await offer(second?.id)]
    const counter = { amount: 9_500 }
    await seller.post(`/api/offers/${removed.id}/counter`, counter)
    t.equal((await edit(seller, postId, { vehicles: own })).status, 200)
    t.equal(await statusOf(removed), 'ended')
    t.match(await newest(), {
      title: 'Offer of $9,500 ended: the vehicle is no longer for sale',
      body: /^2003 Honda Accord\. /,
      path: '/deals?stage=cancelled',
    })
    t.equal((await buyer.post(`/api/offers/${removed.id}/accept`, counter)).status, 409)

    const { dealId } = (await seller.post<Offer>(`/api/offers/${dealt.id}/accept`, { amount: 9_000 })).body
    await buyer.post(`/api/deal/${dealId}/cancel`)
    const steps = async () => (await buyer.get<DealDetail>(`/api/deal/${dealId}`)).body.steps.map(({ kind }) => kind)
    const told = await steps()
    t.ok(told.includes('offered'))
    t.equal((await edit(seller, postId, { vehicles: own.slice(0, 1) })).status, 200)
    t.same(await steps(), told, 'after the vehicle was removed')

    const sold = await offer(first?.id)
    await edit(seller, postId, { vehicle: { id: first?.id, status: 'sold' } })
    t.equal(await statusOf(sold), 'ended')
    t.match(await newest(), { title: 'Offer of $9,000 ended: the vehicle was sold' })
    await edit(seller, postId, { vehicle: { id: first?.id, status: 'available' } })

    const waits = await offer(first?.id)
    await edit(seller, postId, { vehicle: { id: first?.id, status: 'pending' } })
    t.match(await seller.post(`/api/offers/${waits.id}/counter`, counter), { status: 409 }, 'of an unavailable vehicle')
    await seller.delete(`/api/inventory/${postId}`)
    t.equal(await statusOf(waits), 'ended')
  },
)

t.test('accepts only the amount that was shown', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const postId = await publish(seller)
  const [vehicle] = await vehiclesOf(seller, postId)
  const { body } = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId: vehicle?.id, amount: 8_000 })
  const act = (who: Caller, name: string, amount?: number) =>
    who.post<Offer>(`/api/offers/${body.id}/${name}`, { amount })
  await act(seller, 'counter', 9_000)
  await act(buyer, 'counter', 8_500)
  await act(seller, 'counter', 9_800)
  t.match(await act(buyer, 'accept', 9_000), {
    status: 409,
    body: { error: { message: 'The offer is now $9,800. Check the new amount before you accept' } },
  })
  t.match(await act(buyer, 'accept', 9_800), { status: 200, body: { status: 'accepted', amount: 9_800 } })
})

t.test('refuses a vehicle listed twice in an edit, which would take it out of its deal', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
  const postId = await publish(seller, { type: 'multiple', vehicles: [aVehicle, junk] })
  const [first, second] = await vehiclesOf(seller, postId)
  const { body } = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId: first?.id, amount: 9_000 })
  await acceptOffer(seller, body.id)
  const own = { ...aVehicle, id: first?.id }
  const vehicles = [own, { ...junk, id: second?.id }, { ...own, status: 'available' }]
  t.equal((await edit(seller, postId, { vehicles })).status, 400)
  t.equal((await vehiclesOf(seller, postId))[0]?.status, 'pending')
})

t.test(
  'keeps vehicles sold that a seller marked as sold when the post is offered again or its deal is cancelled',
  async (t) => {
    const [seller, buyer] = [await app.signIn('Seller'), await aBidder(app, 'Buyer')]
    const statuses = async (postId: string) => (await vehiclesOf(seller, postId)).map(({ status }) => status)
    const postId = await publish(seller, { type: 'multiple', vehicles: [aVehicle, junk] })
    const [first, second] = await vehiclesOf(seller, postId)
    await edit(seller, postId, { vehicle: { id: second?.id, status: 'sold' } })
    await edit(seller, postId, { status: 'expired' })
    t.equal((await seller.post(`/api/inventory/${postId}/relist`)).status, 200)
    t.same(await statuses(postId), ['available', 'sold'])

    const { body } = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId: first?.id, amount: 9_000 })
    const { dealId } = (await acceptOffer(seller, body.id)).body
    await edit(seller, postId, { status: 'sold' })
    t.equal((await buyer.post(`/api/deal/${dealId}/cancel`)).status, 200)
    t.same(await statuses(postId), ['sold', 'sold'])
    t.equal((await seller.post(`/api/inventory/${postId}/relist`)).status, 200)
    t.same(await statuses(postId), ['available', 'available'], 'the whole post was sold')
  },
)

t.test('does not let offered vehicles become other inventory without a plan', async (t) => {
  await askForPlans(t, app)
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
  'sells nothing of a suspended seller: ends auctions, and refuses to take or accept bids and offers',
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
    t.match(await acceptOffer(buyer, id), {
      status: 409,
      body: { error: { message: 'This vehicle is no longer available' } },
    })
    t.equal((await offer(32_000)).status, 409)
    t.same((await buyer.get(`/api/deals/${buyer.id}`)).body, [])
    t.ok((await noticesOf(buyer)).includes('The auction ended without a sale: its seller cannot sell right now'))
    t.match(await noticesOf(holder), [/^Your preset maximum was not placed/])

    await admin.post(`/api/admin/users/${seller.id}/reinstate`, {})
    const sales = async (sale: string) => (await buyer.get<FindAnswer>(`/api/find?sale=${sale}`)).body.total
    await until('the vehicles to return to Find', async () => (await sales('fixed')) === 3)
    t.same([await sales('live'), await sales('coming')], [0, 0], 'at a fixed price, because no auction runs')
    const again = await acceptOffer(buyer, id)
    t.equal(again.status, 200, 'the offer is valid for the rest of its time')
  },
)
