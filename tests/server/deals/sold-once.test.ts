import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { Deal, DealDetail, DealStatus, Offer } from '#shared/schemas/deals.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { NewPost, PostDetail } from '#shared/schemas/posts.ts'
import type { SheetReport } from '#shared/schemas/posting.ts'
import { brokenConstraint } from '#server/platform/database/db.ts'
import { startApp, type Caller } from '#tests/support/app.ts'
import { aBidder, bid, close, endIn, publishAuction, readAuction } from '#tests/support/bidding.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
const { db } = app.server.ctx
const camry = { ...aVehicle, vin: '4T1BE46K19U856421', make: 'Toyota', model: 'Camry', year: 2009 }

const read = async (caller: Caller, postId: string) => (await caller.get<PostDetail>(`/api/inventory/${postId}`)).body
const edit = (seller: Caller, postId: string, patch: object) =>
  seller.patch<PostDetail & ErrorBody>(`/api/inventory/${postId}`, patch)
const act = (
  caller: Caller,
  { id, amount }: Pick<Offer, 'id' | 'amount'>,
  what: 'accept' | 'counter' | 'decline',
  body = {},
) => caller.post<Offer & ErrorBody>(`/api/offers/${id}/${what}`, { ...(what === 'accept' && { amount }), ...body })
const toAuction = { title: 'Live auction: 2021 Ford F-150 XLT', auction: {} }

async function offer(buyer: Caller, postId: string, amount = 30_000, place = 0) {
  const vehicleId = (await read(buyer, postId)).vehicles[place]?.id ?? ''
  return buyer.post<Offer & ErrorBody>(`/api/inventory/${postId}/offers`, { vehicleId, amount })
}

async function someone(about: Partial<NewPost> = {}) {
  const [seller, buyer, other] = [await app.signIn('Seller'), await app.signIn('Buyer'), await aBidder(app, 'Other')]
  return { seller, buyer, other, postId: await publish(seller, about) }
}

const living = async (postId: string) =>
  db.selectFrom('deals').selectAll().where('postId', '=', postId).where('status', '<>', 'cancelled').execute()

const dealOf = async (seller: Caller, postId: string) =>
  (await seller.get<Deal[]>('/api/deals')).body.find((deal) => deal.postId === postId)

async function complete(seller: Caller, buyer: Caller, dealId: string) {
  await seller.post(`/api/deal/${dealId}/approve`)
  for (const party of [seller, buyer])
    await party.post(`/api/deal/${dealId}/documents/odometer/signature`, { name: 'A Dealer' })
  const { body } = await buyer.post<DealDetail>(`/api/deal/${dealId}/complete`)
  t.equal(body.status, 'completed')
}

t.test('ends offers when bidding opens and tells their buyers where to bid', async (t) => {
  const { seller, buyer, other, postId } = await someone()
  const [open, second] = [(await offer(buyer, postId)).body, (await offer(other, postId, 8_000)).body]
  await act(seller, second, 'counter', { amount: 9_000 })
  const tab = await buyer.live()
  t.equal((await edit(seller, postId, toAuction)).status, 200)
  t.equal((await readAuction(buyer, postId)).status, 'open')
  await tab.nextEvent('inbox.changed', ({ what, id }) => what === 'deal' && id === open.id)
  for (const caller of [buyer, other]) {
    t.match((await caller.get<Offer[]>(`/api/offers?postId=${postId}`)).body, [{ status: 'ended', dealId: null }])
    t.match((await caller.get<NotificationsPage>('/api/notifications')).body.items[0], {
      kind: 'deal',
      title: /^Offer of \$\S+ ended: the vehicle is going to auction$/,
      body: 'The seller put the vehicle up for auction, which ended the offer. You can bid on it now.',
      path: `/post/${postId}`,
    })
  }
  t.match(await act(seller, open, 'accept'), { status: 409, body: { error: { message: /no longer open/ } } })
  t.equal((await act(other, second, 'accept')).status, 409, 'a countered offer cannot be accepted either')
  t.same(await living(postId), [])
  t.equal((await offer(buyer, postId)).status, 409, 'new offers are refused')
})

t.test('ends offers made after an auction without a bid when it runs again', async (t) => {
  const { seller, buyer, postId } = await someone(toAuction)
  t.match(await close(app, seller, postId), { status: 'no_sale' })
  const made = (await offer(buyer, postId)).body
  t.equal(made.status, 'open')
  t.equal((await seller.patch(`/api/inventory/${postId}/auction`, { startAmount: 8_000 })).status, 200)
  t.equal((await act(seller, made, 'accept')).status, 409)
  t.match((await buyer.get<Offer[]>('/api/offers')).body, [{ id: made.id, status: 'ended' }])
})

t.test(
  'either sells by an offer accepted as bidding opens, or opens bidding, but never does both for a vehicle',
  async (t) => {
    const { seller, buyer } = await someone()
    for (let round = 0; round < 8; round++) {
      const postId = await publish(seller)
      const made = (await offer(buyer, postId)).body
      const [accepted, edited] = await Promise.all([act(seller, made, 'accept'), edit(seller, postId, toAuction)])
      t.ok([200, 409].includes(accepted.status), `${accepted.status}`)
      const sold = (await living(postId)).length === 1
      t.equal(edited.status, sold ? 409 : 200)
      t.equal(sold, accepted.status === 200)
      t.equal((await readAuction(buyer, postId)).status === 'open', !sold)
    }
  },
)

t.test('makes a deal from one of several offers accepted at once', async (t) => {
  const { seller, postId } = await someone()
  const buyers = await Promise.all(['One', 'Two', 'Three', 'Four'].map((name) => app.signIn(name)))
  const offers = await Promise.all(buyers.map(async (buyer) => (await offer(buyer, postId)).body))
  const answers = await Promise.all(offers.map((one) => act(seller, one, 'accept')))
  t.same(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
  t.equal((await living(postId)).length, 1)
  const statuses = await db.selectFrom('offers').select('status').where('postId', '=', postId).execute()
  t.same(statuses.map(({ status }) => status).toSorted(), ['accepted', 'declined', 'declined', 'declined'])
})

t.test('refuses an earlier offer while its auction runs, ends or is decided', async (t) => {
  const { seller, buyer, other } = await someone()
  for (const reserveAmount of [null, 20_000]) {
    const postId = await publishAuction(seller, { reserveAmount })
    // Recreate data that an earlier version could leave behind.
    const [vehicle] = (await read(seller, postId)).vehicles
    const parties = { postId, vehicleId: vehicle?.id ?? '', sellerId: seller.id, buyerId: buyer.id }
    const sale = { ...parties, amountCents: 3_000_000, source: 'offer' } as const
    const old = await db.insertInto('offers').values(sale).returning('id').executeTakeFirstOrThrow()
    const asked = { ...old, amount: 30_000 }
    t.match(await act(seller, asked, 'accept'), { status: 409, body: { error: { message: /in a live auction/ } } })
    await bid(other, postId, 10_000)
    await endIn(app, postId, -1)
    const answers = await Promise.all([1, 2, 3].map(() => act(seller, asked, 'accept')))
    t.ok(answers.every(({ status }) => status === 409))
    await until('the end', async () => (await readAuction(buyer, postId)).status !== 'open')
    t.equal((await act(seller, asked, 'accept')).status, 409)
    t.equal((await offer(buyer, postId)).status, 409)
    if (reserveAmount === null) t.match(await living(postId), [{ source: 'auction', buyerId: other.id }])
    else {
      t.same(await living(postId), [])
      const highest = (await other.get<Offer[]>(`/api/offers?postId=${postId}`)).body[0]
      t.equal((await act(seller, highest ?? { id: '', amount: 0 }, 'accept')).status, 200)
      t.equal((await act(seller, asked, 'accept')).status, 409, 'nor after the decision')
    }
    t.equal((await living(postId)).length, 1)
  }
})

t.test('refuses a second active deal of a vehicle in the database and says so', async (t) => {
  const { seller, buyer, other, postId } = await someone()
  const [first, second] = [(await offer(buyer, postId)).body, (await offer(other, postId)).body]
  await act(seller, first, 'accept')
  const [deal] = await living(postId)
  if (deal === undefined) throw new Error('there is no deal')
  const { id: _, ...again } = deal
  const insert = (status: DealStatus) =>
    db
      .insertInto('deals')
      .values({ ...again, status })
      .execute()
      .then(() => 'taken', brokenConstraint)
  for (const status of ['pending', 'approved', 'completed'] as const)
    t.equal(await insert(status), 'deals_living', status)
  t.equal(await insert('cancelled'), 'taken')
  // Simulate a vehicle that was made available by mistake.
  await db.updateTable('vehicles').set({ status: 'available' }).where('postId', '=', postId).execute()
  await db.updateTable('offers').set({ status: 'open' }).where('id', '=', second.id).execute()
  t.match(await act(seller, second, 'accept'), {
    status: 409,
    body: { error: { message: 'This vehicle is no longer available' } },
  })
})

t.test('offers a vehicle again after a cancelled deal, but not after a completed one', async (t) => {
  const { seller, buyer, other, postId } = await someone()
  await act(seller, (await offer(buyer, postId)).body, 'accept')
  await buyer.post(`/api/deal/${(await dealOf(seller, postId))?.id}/cancel`)
  t.equal((await act(seller, (await offer(other, postId)).body, 'accept')).status, 200)
  await complete(seller, other, (await dealOf(seller, postId))?.id ?? '')
  t.match(await read(seller, postId), { status: 'sold', vehicles: [{ status: 'sold' }] })
  for (const refused of [
    await seller.post<ErrorBody>(`/api/inventory/${postId}/relist`),
    await edit(seller, postId, { status: 'active' }),
  ])
    t.match(refused, { status: 409, body: { error: { message: /sold/ } } })
  t.match(await read(seller, postId), { status: 'sold' })
  t.equal((await offer(buyer, postId)).status, 409)
})

t.test('does not let the seller take a vehicle out of its deal', async (t) => {
  const { seller, buyer, postId } = await someone({ vehicles: [aVehicle, camry], type: 'multiple' })
  await act(seller, (await offer(buyer, postId)).body, 'accept')
  const { vehicles } = await read(seller, postId)
  const [dealt, free] = [
    { ...aVehicle, id: vehicles[0]?.id },
    { ...camry, id: vehicles[1]?.id },
  ]
  const refuses = async (...patches: object[]) => {
    for (const patch of patches) {
      const { status, body } = await edit(seller, postId, patch)
      t.equal(status, 409, JSON.stringify(patch).slice(0, 80))
      t.match(body.error.message, /deal/)
    }
  }
  await refuses(
    { vehicle: { id: dealt.id, status: 'available' } },
    { vehicles: [{ ...dealt, status: 'available' }, free] },
    { vehicles: [free] },
    { vehicles: [{ ...aVehicle }, free] },
    { vehicles: [{ ...dealt, status: 'pending' }, free], vehicle: { id: dealt.id, status: 'available' } },
  )
  t.equal(
    (await edit(seller, postId, { vehicles: [{ ...dealt, status: 'pending', price: 29_900 }, free] })).status,
    200,
  )
  t.equal(
    (await edit(seller, postId, { vehicle: { id: free.id, status: 'sold' } })).status,
    200,
    'others can be edited',
  )
  await edit(seller, postId, { status: 'sold' })
  t.match((await seller.post(`/api/inventory/${postId}/relist`)).body, {
    vehicles: [{ status: 'pending' }, { status: 'available' }],
  })
  await complete(seller, buyer, (await dealOf(seller, postId))?.id ?? '')
  await refuses(
    { vehicle: { id: dealt.id, status: 'available' } },
    { vehicles: [{ ...dealt, status: 'sold' }, free], vehicle: { id: dealt.id, status: 'available' } },
  )
  await edit(seller, postId, { status: 'sold' })
  t.match((await seller.post(`/api/inventory/${postId}/relist`)).body, {
    status: 'active',
    availableCount: 1,
    vehicles: [{ status: 'sold' }, { status: 'available' }],
  })
})

t.test('does not open bidding on a vehicle that is in a deal', async (t) => {
  const { seller, buyer, postId } = await someone()
  await act(seller, (await offer(buyer, postId)).body, 'accept')
  const notForSale = { status: 409, body: { error: { message: /vehicle is not for sale/ } } }
  t.match(await edit(seller, postId, toAuction), notForSale)
  t.match(await read(seller, postId), { isAuction: false, hasAuction: false }, 'a refused edit changes nothing')
  await buyer.post(`/api/deal/${(await dealOf(seller, postId))?.id}/cancel`)
  t.equal((await edit(seller, postId, toAuction)).status, 200)
  t.equal((await readAuction(buyer, postId)).status, 'open')
  const [vehicle] = (await read(seller, postId)).vehicles
  const sold = { vehicle: { id: vehicle?.id, status: 'sold' }, endAuction: true }
  t.equal((await edit(seller, postId, sold)).status, 200)
  t.equal((await readAuction(buyer, postId)).status, 'no_sale', 'the auction ends with its vehicle')
  t.match(await seller.patch(`/api/inventory/${postId}/auction`, { startAmount: 8_000 }), notForSale)
})

t.test('ends an auction whose vehicle is gone without a sale, and continues with the next', async (t) => {
  const { seller, buyer, other } = await someone()
  const [gone, good] = [await publishAuction(seller), await publishAuction(seller)]
  for (const postId of [gone, good]) await bid(other, postId, 10_000)
  const [vehicle] = (await read(seller, gone)).vehicles
  // Simulate a vehicle that was sold by an earlier version of the server.
  await db
    .insertInto('deals')
    .values({ postId: gone, vehicleId: vehicle?.id ?? '', sellerId: seller.id, buyerId: buyer.id, priceCents: 1 })
    .execute()
  await endIn(app, gone, -2_000)
  t.match(await close(app, seller, good), { status: 'sold' })
  t.match(await close(app, seller, gone), { status: 'no_sale' })
  for (const caller of [seller, other]) {
    const { items } = (await caller.get<NotificationsPage>('/api/notifications')).body
    t.match(
      items.filter(({ path }) => path === `/post/${gone}`),
      [{ title: 'The auction ended without a sale: its vehicle is no longer available' }],
    )
  }
  t.match(await living(gone), [{ buyerId: buyer.id }])
})

t.test('sells nothing from a removed post', async (t) => {
  const { seller, buyer, postId } = await someone()
  const made = (await offer(buyer, postId)).body
  await act(seller, made, 'counter', { amount: 31_000 })
  t.equal((await seller.delete(`/api/inventory/${postId}`)).status, 204)
  t.match(await act(buyer, made, 'accept'), { status: 409, body: { error: { message: /no longer open/ } } })
  t.same(await living(postId), [])
})

t.test('does not offer sold vehicles again when a spreadsheet is read again', async (t) => {
  const list = 'VIN,Make,Model,Price\n1FTFW1E59NKD69096,Ford,F-150,31900\n4T1BE46K19U856421,Toyota,Camry,8950\n'
  const host = await startWebsite(t, (_request, response) => response.setHeader('content-type', 'text/csv').end(list))
  const { signIn } = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
  const [seller, buyer] = [await signIn('Seller'), await signIn('Buyer')]
  const spreadsheetUrl = `http://${host}/list.csv`
  const postId = await publish(seller, { type: 'spreadsheet', vehicles: [], spreadsheetUrl })
  const imported = () =>
    until('the import', async () => {
      const { body } = await seller.get<SheetReport>(`/api/inventory/${postId}/sheet`)
      return body.state === 'done' ? read(seller, postId) : undefined
    })
  await imported()
  await act(seller, (await offer(buyer, postId, 30_000, 0)).body, 'accept')
  t.equal((await seller.post(`/api/inventory/${postId}/sheet`)).status, 200)
  const post = await imported()
  t.match(post, { vehicleCount: 2, availableCount: 1 })
  t.match(post.vehicles, [
    { vin: '4T1BE46K19U856421', status: 'available' },
    { vin: '1FTFW1E59NKD69096', status: 'pending' },
  ])
})

t.test('sells nothing to a buyer whose account is deleted', async (t) => {
  const { seller, other: buyer, postId } = await someone()
  const made = (await offer(buyer, postId)).body
  const lot = await publishAuction(seller, { reserveAmount: 20_000 })
  await bid(buyer, lot, 10_000)
  t.match(await close(app, seller, lot), { status: 'deciding' })
  const { email } = await db.selectFrom('dealers').select('email').where('id', '=', buyer.id).executeTakeFirstOrThrow()
  t.equal((await buyer.delete('/api/account', { email })).status, 204)
  t.match((await seller.get<Offer[]>(`/api/offers?postId=${postId}`)).body, [{ id: made.id, status: 'withdrawn' }])
  t.equal((await act(seller, made, 'accept')).status, 409)
  t.same(await living(postId), [])
  t.match((await seller.get<Offer[]>(`/api/offers?postId=${lot}`)).body, [{ status: 'withdrawn' }])
  t.match(await readAuction(seller, lot), { status: 'no_sale' })
})

t.test('sells nothing to a suspended buyer until the suspension ends', async (t) => {
  const { seller, other: buyer, postId } = await someone()
  const made = (await offer(buyer, postId)).body
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const set = (what: string) =>
    admin.post(`/api/admin/users/${buyer.id}/${what}`, { reason: 'Bids that nobody meant', until: null })
  t.equal((await set('suspend')).status, 200)
  for (const what of ['accept', 'counter'] as const)
    t.match(await act(seller, made, what, { amount: 30_000 }), {
      status: 409,
      body: { error: { message: /cannot buy right now/ } },
    })
  t.same(await living(postId), [])
  t.equal((await set('reinstate')).status, 200)
  t.equal((await act(seller, made, 'accept')).status, 200)
})

t.test('ends an auction without a sale if a suspended bidder leads', async (t) => {
  const { seller, other: buyer } = await someone()
  const lot = await publishAuction(seller)
  await bid(buyer, lot, 10_000)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const suspension = { reason: 'Bids that nobody meant', until: null }
  t.equal((await admin.post(`/api/admin/users/${buyer.id}/suspend`, suspension)).status, 200)
  t.match(await close(app, seller, lot), { status: 'no_sale' })
  t.same(await living(lot), [])
  const told = (await seller.get<NotificationsPage>('/api/notifications')).body.items.map(({ title }) => title)
  t.ok(told.includes('The auction ended without a sale: the highest bidder cannot buy right now'))
})

t.test('ends offers to a seller whose account is deleted, and tells their buyers', async (t) => {
  const { seller, other: buyer, postId } = await someone()
  const made = (await offer(buyer, postId)).body
  const lot = await publishAuction(seller, { reserveAmount: 20_000 })
  await bid(buyer, lot, 10_000)
  t.match(await close(app, seller, lot), { status: 'deciding' })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  t.equal(
    (await admin.delete(`/api/admin/users/${seller.id}`, { reason: 'They have closed their dealership' })).status,
    204,
  )
  const offers = (await buyer.get<Offer[]>('/api/offers')).body
  t.same(
    offers.map(({ status }) => status),
    ['ended', 'ended'],
  )
  t.ok(offers.some(({ id }) => id === made.id))
  const told = (await buyer.get<NotificationsPage>('/api/notifications')).body.items.map(({ title }) => title)
  t.equal(told.filter((title) => title.endsWith('ended: the vehicle is no longer for sale')).length, 2)
  t.match((await buyer.get('/api/lane')).body, { day: { committed: 0 } }, 'the bid no longer counts as committed')
})
