import t from 'tap'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { connectAlone } from '#server/features/admin/backups/backup-tables.repository.ts'
import { expirePosts } from '#server/features/posts/post-lifetime.service.ts'
import { startApp } from '#tests/support/app.ts'
import { aBidder, bid, close, publishAuction, readAuction } from '#tests/support/bidding.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { aPhoto, upload } from '#tests/support/uploads.ts'
import { acceptOffer } from '#tests/support/deals.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

/** A different vehicle of the same make as `aVehicle`. Its VIN has a typo, so only the other fields show that it is a different vehicle. */
const focus = { ...aVehicle, vin: '1FAHP3K20CL123457', model: 'Focus', year: 2012 }
const camry = { ...aVehicle, vin: '4T1BE46K19U856421', make: 'Toyota', model: 'Camry', year: 2009 }

t.test('lets the seller edit text, vehicles and photos, and tells readers of the post', async (t) => {
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const id = await publish(seller, { vehicles: [aVehicle, camry], type: 'multiple' })
  const before = (await seller.get<PostDetail>(`/api/inventory/${id}`)).body
  const tab = await reader.live()
  await tab.view({ kind: 'post', id, on: true })
  const photo = await upload(seller, await aPhoto(40, 30))
  const kept = before.vehicles[1]
  const { status, body } = await seller.patch<PostDetail>(`/api/inventory/${id}`, {
    title: ' One left ',
    photoUrls: [photo],
    vehicles: [
      { ...camry, id: kept?.id, price: 9_950.5, status: 'pending' },
      { ...aVehicle, vin: '1FTFW1E59NKD69096' },
    ],
  })
  t.equal(status, 200)
  t.match(body, { title: 'One left', vehicleCount: 2, availableCount: 1, photoUrls: [new URL(photo).pathname] })
  t.match(body.vehicles[0], { id: kept?.id, price: 9_950.5, status: 'pending' })
  t.equal(body.vehicles[1]?.vin, '1FTFW1E59NKD69096')
  t.match(await tab.nextEvent('post.edited', (event) => event.version >= body.version), { postId: id })
  t.equal((await reader.get('/api/inventory?search=1FTFW1E59NKD69096')).headers.get('x-total-count'), '1')
})

t.test("keeps another tab's change to a vehicle that an edit names without fields", async (t) => {
  const seller = await app.signIn('Webb Bros')
  const id = await publish(seller, { vehicles: [aVehicle, camry], type: 'multiple' })
  const change = (vehicles: object[]) => seller.patch<PostDetail>(`/api/inventory/${id}`, { vehicles })
  const { vehicles } = (await seller.get<PostDetail>(`/api/inventory/${id}`)).body
  const [truck, car] = vehicles.map((vehicle) => vehicle.id)
  t.equal((await change([{ id: truck }, { ...camry, id: car, price: 7_000 }])).status, 200, 'from one tab')
  const { status, body } = await change([
    { ...aVehicle, id: truck, notes: 'Two keys' },
    { id: car, status: 'pending' },
  ])
  t.equal(status, 200)
  t.match(body.vehicles, [
    { ...aVehicle, id: truck, notes: 'Two keys' },
    { ...camry, id: car, price: 7_000, status: 'pending' },
  ])
})

t.test('refuses an edit that posting would refuse, and changes nothing', async (t) => {
  const { signIn } = app
  const [seller, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const id = await publish(seller)
  const foreign = (await seller.get<PostDetail>(`/api/inventory/${await publish(seller)}`)).body.vehicles[0]?.id
  for (const patch of [
    { title: '  ' },
    { vehicles: [] },
    { vehicles: [{ make: 'Ford' }] },
    { vehicles: [{ ...aVehicle, id: foreign }] },
    { vehicles: [{ id: foreign }] },
  ])
    t.equal((await seller.patch(`/api/inventory/${id}`, patch)).status, 400, JSON.stringify(patch).slice(0, 40))
  t.equal((await other.patch(`/api/inventory/${id}`, { title: 'Mine' })).status, 403)
  t.equal((await other.delete(`/api/inventory/${id}`)).status, 403)
  t.equal((await other.post(`/api/inventory/${id}/relist`)).status, 403)
  t.match((await seller.get(`/api/inventory/${id}`)).body, {
    title: '2021 Ford F-150 XLT',
    vehicles: [aVehicle],
    vehicleCount: 1,
  })
})

t.test('removes a deleted post from every screen', async (t) => {
  const { signIn } = app
  const [seller, reader] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const id = await publish(seller)
  const tab = await reader.live()
  await tab.view({ kind: 'post', id, on: true })
  t.equal((await seller.delete(`/api/inventory/${id}`)).status, 204)
  t.same(await tab.nextEvent('post.removed'), { postId: id })
  t.equal((await reader.get(`/api/inventory/${id}`)).status, 404)
  t.equal((await reader.get('/api/inventory')).headers.get('x-total-count'), '0')
  t.equal((await seller.delete(`/api/inventory/${id}`)).status, 404)
})

t.test('marks the vehicles of a sold post as sold, and offers them for thirty days when relisted', async (t) => {
  const { signIn, server } = app
  const seller = await signIn()
  const id = await publish(seller)
  const later = await publish(seller, { title: 'Posted later' })
  t.equal((await seller.post(`/api/inventory/${id}/relist`)).status, 409, 'an active post cannot be relisted')
  t.match((await seller.patch(`/api/inventory/${id}`, { status: 'sold' })).body, {
    availableCount: 0,
    vehicles: [{ status: 'sold' }],
  })
  t.match((await seller.post(`/api/inventory/${id}/relist`)).body, { status: 'active', availableCount: 1 })
  const feed = await seller.get<PostDetail[]>('/api/inventory')
  t.same(
    feed.body.map((post) => post.id),
    [id, later],
    'it is first again',
  )
  const row = await server.ctx.db.selectFrom('posts').select('expiresAt').where('id', '=', id).executeTakeFirst()
  const days = ((row?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000
  t.ok(days > 29 && days < 31)
})

t.test('marks a post sold with its last vehicle, and active again with an available one', async (t) => {
  const seller = await app.signIn('Webb Bros')
  const id = await publish(seller, { type: 'multiple', vehicles: [aVehicle, camry] })
  const path = `/api/inventory/${id}`
  const [truck, sedan] = (await seller.get<PostDetail>(path)).body.vehicles
  const move = async (vehicle: typeof truck, status: string) =>
    (await seller.patch(path, { vehicle: { id: vehicle?.id, status } })).body
  t.match(await move(truck, 'sold'), { status: 'active', availableCount: 1 })
  t.match(await move(sedan, 'pending'), { status: 'active', availableCount: 0 })
  t.match(await move(sedan, 'sold'), { status: 'sold', availableCount: 0 })
  t.match(await move(truck, 'available'), { status: 'active', availableCount: 1 })
})

t.test(
  'reactivates an expired post that has no available vehicle only with a vehicle that no deal has sold',
  async (t) => {
    const [seller, buyer] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
    const id = await publish(seller)
    const path = `/api/inventory/${id}`
    const vehicle = (await seller.get<PostDetail>(path)).body.vehicles[0]?.id ?? ''
    const end = async () => {
      await seller.patch(path, { vehicle: { id: vehicle, status: 'sold' } })
      t.match((await seller.patch(path, { status: 'expired' })).body, { status: 'expired', availableCount: 0 })
    }
    await end()
    t.match((await seller.patch(path, { status: 'active' })).body, { status: 'active', availableCount: 1 })
    const offer = await buyer.post<{ id: string }>(`${path}/offers`, { vehicleId: vehicle, amount: 30_000 })
    const deal = await acceptOffer(seller, offer.body.id)
    const completed = { status: 'completed', vehicleId: vehicle } as const
    await app.server.ctx.db.updateTable('deals').set(completed).where('id', '=', deal.body.dealId).execute()
    await end()
    t.equal((await seller.patch(path, { status: 'active' })).status, 409, 'a deal sold it')
    t.match((await seller.get(path)).body, { status: 'expired', availableCount: 0 })
  },
)

t.test('expires a post live after its time and tells its seller once', async (t) => {
  const { signIn, server } = app
  const [seller, reader] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const [due, fresh] = [await publish(seller), await publish(seller)]
  const tab = await reader.live()
  await tab.view({ kind: 'post', id: due, on: true })
  await server.ctx.db
    .updateTable('posts')
    .set({ expiresAt: new Date(Date.now() - 1_000) })
    .where('id', '=', due)
    .execute()
  await Promise.all([expirePosts(server.ctx), expirePosts(server.ctx)])
  t.match(await tab.nextEvent('post.changed', (event) => event.status === 'expired'), { postId: due })
  t.match((await seller.get(`/api/inventory/${fresh}`)).body, { status: 'active' })
  const { body } = await seller.get<{ items: { title: string; path: string }[] }>('/api/notifications')
  t.match(body.items, [{ title: 'Your post expired: 2021 Ford F-150 XLT', path: `/post/${due}` }])
  t.equal(body.items.length, 1)
})

t.test('keeps the auctioned vehicle unchanged from the first bid until the auction is decided', async (t) => {
  const [seller, buyer] = [await app.signIn('Webb Bros'), await aBidder(app, 'Boyle Motor')]
  const id = await publishAuction(seller, { reserveAmount: 20_000 })
  await bid(buyer, id, 10_000)
  const path = `/api/inventory/${id}`
  const before = (await seller.get<PostDetail>(path)).body
  const vehicle = { ...aVehicle, id: before.vehicles[0]?.id }
  await seller.patch(path, { description: 'One owner' })
  const stands = async (standing: string) => {
    for (const patch of [
      { title: 'Live auction: another truck' },
      { description: 'Sold elsewhere' },
      { status: 'sold' },
      { status: 'expired' },
      { vehicle: { id: vehicle.id, status: 'sold' } },
      { vehicles: [{ ...vehicle, vin: '1FTFW1E59NKD69096' }] },
      { vehicles: [{ ...vehicle, mileage: 12 }] },
      { vehicles: [{ ...aVehicle }] },
      { vehicles: [vehicle, camry] },
    ]) {
      const { status, body } = await seller.patch<{ error: { message: string } }>(path, patch)
      t.equal(status, 409, `${standing}: ${JSON.stringify(patch).slice(0, 60)}`)
      t.match(body.error.message, /^This auction has a bid/)
    }
    t.equal((await seller.delete(path)).status, 409)
  }
  await stands('running')
  const added = {
    description: 'One owner. Second key found',
    vehicles: [{ ...vehicle, price: 30_900, notes: 'New brakes' }],
  }
  t.equal((await seller.patch(path, added)).status, 200, 'other fields may change')
  t.match(await close(app, seller, id), { status: 'deciding' })
  await stands('deciding')
  const [offer] = (await seller.get<{ id: string }[]>(`/api/offers?postId=${id}`)).body
  await seller.post(`/api/offers/${offer?.id}/decline`, {})
  t.equal((await seller.patch(path, { title: 'Back on the lot' })).status, 200)
  t.equal((await seller.delete(path)).status, 204)
})

t.test('keeps what the auctioned vehicle discloses once there is a bid', async (t) => {
  const [seller, buyer] = [await app.signIn('Webb Bros'), await aBidder(app, 'Boyle Motor')]
  const said = { notes: 'Frame damage on the left', location: 'Tulsa, OK' }
  const id = await publish(seller, {
    title: 'Live auction: 2021 Ford F-150',
    vehicles: [{ ...aVehicle, ...said }],
    auction: { startAmount: 10_000, reserveAmount: null },
  })
  const path = `/api/inventory/${id}`
  const vehicle = { ...aVehicle, ...said, id: (await seller.get<PostDetail>(path)).body.vehicles[0]?.id }
  t.equal((await bid(buyer, id, 10_000)).status, 201)
  for (const change of [{ notes: '' }, { notes: 'Clean' }, { location: 'Miami, FL' }]) {
    t.equal((await seller.patch(path, { vehicles: [{ ...vehicle, ...change }] })).status, 409, JSON.stringify(change))
    const changed = [{ id: vehicle.id, ...change }]
    t.equal((await seller.patch(path, { vehicleChanges: { changed } })).status, 409, JSON.stringify(change))
  }
  const longer = { notes: `${said.notes}. Second key found` }
  t.equal((await seller.patch(path, { vehicles: [{ ...vehicle, ...longer }] })).status, 200, 'notes may be extended')
})

t.test('ends and resumes an auction without a bid with its post', async (t) => {
  const [seller, buyer] = [await app.signIn('Webb Bros'), await aBidder(app, 'Boyle Motor')]
  const id = await publishAuction(seller)
  const path = `/api/inventory/${id}`
  const status = async () => (await readAuction(buyer, id)).status
  const ends = { endAuction: true }
  await seller.patch(path, { status: 'sold', ...ends })
  t.equal(await status(), 'no_sale')
  t.equal((await bid(buyer, id, 10_000)).status, 409)
  t.equal((await seller.patch(`${path}/auction`, { startAmount: 9_000 })).status, 409, 'not while the post is sold')
  await seller.post(`${path}/relist`)
  t.match(await readAuction(buyer, id), { status: 'open', startAmount: 10_000, reserve: 'none' })
  await seller.patch(path, { title: '2021 Ford F-150', ...ends })
  t.equal(await status(), 'no_sale', 'the post no longer mentions an auction')
  await seller.patch(path, { title: '2021 Ford F-150, auction' })
  t.equal(await status(), 'no_sale', 'words alone do not open it')
  await seller.patch(path, { status: 'expired' })
  await seller.patch(path, { status: 'active' })
  t.equal(await status(), 'open', 'it resumes with the post')
  t.match(await close(app, seller, id), { status: 'no_sale' })
  await seller.patch(path, { description: 'One owner' })
  t.equal(await status(), 'no_sale', 'an edit does not reopen it')
  t.equal((await seller.patch(`${path}/auction`, { startAmount: 8_000 })).status, 200, 'the seller reopens it')
  t.match(await readAuction(buyer, id), { status: 'open', startAmount: 8_000 })
  const plain = await publish(seller)
  await seller.patch(`/api/inventory/${plain}`, { description: 'Live auction from noon', auction: {} })
  t.match(await readAuction(buyer, plain), { status: 'open', startAmount: 19_000 }, 'the seller opened it')
  t.equal((await seller.delete(`/api/inventory/${plain}?endAuction=true`)).status, 204)
  t.equal((await bid(buyer, plain, 20_000)).status, 409)
})

t.test('asks the seller to confirm a change that would end an auction without a bid', async (t) => {
  const seller = await app.signIn('Webb Bros')
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const end = new Date(Date.now() + 7_200_000).toISOString()
  for (const times of [{}, { startsAt: later, endsAt: end }]) {
    const id = await publish(seller, {
      title: 'Live auction: two vehicles',
      type: 'multiple',
      vehicles: [aVehicle, camry],
      auction: { startAmount: 500, reserveAmount: null, ...times },
    })
    const path = `/api/inventory/${id}`
    const before = (await seller.get<PostDetail>(path)).body
    const [lot, other] = before.vehicles.map((vehicle) => vehicle.id)
    const refusals = [
      { status: 'sold' },
      { status: 'expired' },
      { vehicle: { id: lot, status: 'pending' } },
      { vehicle: { id: lot, status: 'sold' } },
      { vehicles: [{ id: lot, status: 'pending' }, { id: other }] },
      { vehicles: [{ id: other }] },
      { vehicleChanges: { changed: [{ id: lot, status: 'sold' }] } },
      { vehicleChanges: { removed: [lot] } },
      { vehicles: [{ id: other }, { id: lot }] },
      { vehicleChanges: { changed: [{ id: lot, ...camry }] } },
      { vehicleChanges: { changed: [{ id: lot, ...focus }] } },
      { title: '2021 Ford F-150' },
    ]
    const refused = { status: 409, body: { error: { details: { code: 'ENDS_AUCTION' } } } }
    for (const patch of refusals) t.match(await seller.patch(path, patch), refused, JSON.stringify(patch))
    t.match(await seller.delete(path), refused)
    t.match((await seller.get<PostDetail>(path)).body, { status: 'active', vehicles: before.vehicles })
    t.equal((await readAuction(seller, id)).status, 'open')
    t.equal((await seller.patch(path, { vehicle: { id: other, status: 'sold' } })).status, 200, 'another vehicle')
    t.equal((await seller.patch(path, { description: 'One owner' })).status, 200)
    t.equal((await seller.patch(path, { vehicle: { id: lot, status: 'pending' }, endAuction: true })).status, 200)
    t.equal((await readAuction(seller, id)).status, 'no_sale')
  }
})

t.test(
  'ends the auction of a vehicle that is removed from its post, and does not run it with another one',
  async (t) => {
    const seller = await app.signIn('Webb Bros')
    for (const isSoldBefore of [false, true]) {
      const id = await publish(seller, {
        title: 'Live auction: two vehicles',
        type: 'multiple',
        vehicles: [aVehicle, camry],
        auction: { startAmount: 500, reserveAmount: null },
      })
      const path = `/api/inventory/${id}`
      const [lot] = (await seller.get<PostDetail>(path)).body.vehicles
      const sold = { vehicle: { id: lot?.id, status: 'sold' }, endAuction: true }
      if (isSoldBefore) t.equal((await seller.patch(path, sold)).status, 200)
      t.equal((await seller.patch(path, { vehicleChanges: { removed: [lot?.id] }, endAuction: true })).status, 200)
      const ended = { status: 'no_sale', endReason: 'The seller removed or replaced the vehicle' }
      t.match(await readAuction(seller, id), ended)
      await seller.patch(path, { status: 'expired' })
      await seller.post(`${path}/relist`)
      t.match(await readAuction(seller, id), ended)
    }
  },
)

t.test('keeps the changes of two tabs that edit a post', async (t) => {
  const seller = await app.signIn('Webb Bros')
  const id = await publish(seller, { vehicles: [aVehicle, camry], type: 'multiple' })
  const edit = (vehicleChanges: object) => seller.patch<PostDetail>(`/api/inventory/${id}`, { vehicleChanges })
  const { vehicles } = (await seller.get<PostDetail>(`/api/inventory/${id}`)).body
  const [truck, car] = vehicles.map((vehicle) => vehicle.id)
  const civic = { ...aVehicle, vin: '2HGES16575H591234', make: 'Honda', model: 'Civic' }
  t.equal((await edit({ changed: [{ id: car, price: 7_000 }], added: [civic] })).status, 200, 'from one tab')
  const { status, body } = await edit({ changed: [{ id: truck, notes: 'Two keys', color: '', mileage: 50_000 }] })
  t.equal(status, 200)
  t.match(body.vehicles, [
    { ...aVehicle, id: truck, notes: 'Two keys', color: null, mileage: 50_000 },
    { ...camry, id: car, price: 7_000 },
    civic,
  ])
  t.equal(body.vehicleCount, 3)
  const removed = await edit({ removed: [truck, car] })
  t.match(removed.body, { vehicleCount: 1, vehicles: [civic] }, 'the vehicle of the other tab remains')
  t.equal((await edit({ removed: [car] })).status, 200, 'removing a removed vehicle')
  t.equal(
    (await edit({ changed: [{ id: car, price: 6_000 }] })).status,
    409,
    'a change to a removed vehicle is refused',
  )
  const stays = removed.body.vehicles[0]?.id
  for (const changes of [
    { removed: [stays] },
    {
      changed: [
        { id: stays, price: 1 },
        { id: stays, price: 2 },
      ],
    },
    { changed: [{ id: stays, vin: null }] },
    { changed: [{ id: stays, mileage: null }] },
  ])
    t.equal((await edit(changes)).status, 400, JSON.stringify(changes))
  const both = { vehicles: [{ id: stays }], vehicleChanges: { removed: [car] } }
  t.equal((await seller.patch(`/api/inventory/${id}`, both)).status, 400)
})

t.test('completes an edit that deadlocks with the job of its post', async (t) => {
  // Start the app without a worker, because the test runs the job itself.
  const app = await startApp(t, { ROLES: 'api,rt' })
  const seller = await app.signIn('Webb Bros')
  const id = await publish(seller)
  const connect = () => connectAlone(app.services.DATABASE_URL)
  const [job, watcher] = [await connect(), await connect()]
  t.teardown(() => Promise.all([job.end(), watcher.end()]))
  /** Makes the job and an edit deadlock, so that PostgreSQL aborts one. Returns true if the job continued and the edit was retried. */
  const meetHalfway = async () => {
    await job.query('begin')
    const taken = await job.query(`delete from outbox where name = 'post.summarize'`)
    t.equal(taken.rowCount, 1, 'a job locks its row first')
    const edit = seller.patch<PostDetail>(`/api/inventory/${id}`, { title: 'Edited meanwhile' })
    await untilBlocked(watcher, 'insert into "outbox"%')
    // The job and the edit now wait for each other.
    const wentOn = await job.query('update posts set ai_summary = $2 where id = $1', [id, '[]']).then(
      () => true,
      (error: { code?: string }) => t.equal(error.code, '40P01', 'PostgreSQL aborted the job') && false,
    )
    await job.query(wentOn ? 'commit' : 'rollback')
    t.match(await edit, { status: 200, body: { title: 'Edited meanwhile', ...(wentOn && { aiSummary: '[]' }) } })
    return wentOn
  }
  let times = 1
  while (!(await meetHalfway()) && times < 5) times += 1
  t.ok(times < 5, 'PostgreSQL aborted the edit once')
})
