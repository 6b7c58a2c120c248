import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import t from 'tap'
import type { Post } from '#shared/schemas/posts.ts'
import { seededRandom } from '#server/db/seed/random.ts'
import { makeVehicle } from '#server/db/seed/vehicles.ts'
import { refreshFind } from '#server/features/find/refresh-find.service.ts'
import { verifyFind } from '#server/features/find/find.jobs.ts'
import { expirePosts } from '#server/features/posts/post-lifetime.service.ts'
import { setPostHidden } from '#server/features/posts/posts-changes.service.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { bothOnOffer, rowsOfFind } from '#tests/support/find-rows.ts'
import { startNode } from '#tests/support/node-process.ts'
import { until } from '#tests/support/wait.ts'
import { acceptOffer } from '#tests/support/deals.ts'

const app = await startApp(t, { ROLES: 'api' })
const { ctx } = app.server
const { db } = ctx

const vehiclesOf = async (caller: Caller, postId: string) =>
  (await caller.get<Partial<Post>>(`/api/inventory/${postId}`)).body.vehicles ?? []

t.test('keeps row numbers when rows are rebuilt', async (t) => {
  const postId = await publish(await app.signIn())
  const numbers = async () =>
    (
      await sql`select row_no, (select last_value from find_vehicles_row_no_seq) as last from find_vehicles
      where post_id = ${postId}`.execute(db)
    ).rows
  const before = await numbers()
  await ctx.transact((tx) => refreshFind(tx, [postId]))
  await sql`update vehicles set mileage = 1 where post_id = ${postId}`.execute(db)
  t.equal(await ctx.transact((tx) => refreshFind(tx, [postId])), 1)
  t.same(await numbers(), before)
})

t.test('repairs sellers whose rating or suspension Find missed', async (t) => {
  const seller = await app.signIn('Forgotten Motors')
  await publish(seller)
  t.equal(await verifyFind(ctx), 0)
  await sql`update dealers set rating = 4.5, suspended_at = now() where id = ${seller.id}`.execute(db)
  t.equal(await verifyFind(ctx), 1)
  t.same(...(await bothOnOffer(db)))
  await sql`update dealers set suspended_at = null where id = ${seller.id}`.execute(db)
  t.equal(await verifyFind(ctx), 1)
  t.equal(await verifyFind(ctx), 0)
})

t.test('equals a rebuild after any writes in any order', async (t) => {
  const random = seededRandom(7)
  const seller = await app.signIn('Writer', { plan: 'premium', city: 'Tulsa', state: 'OK' })
  await seller.patch('/api/profile', { zip: '74112' })
  const [buyer, admin] = [await app.signIn('Writer’s Buyer'), await app.signIn('Staff', { role: 'admin' })]
  // Use a second dealer, because suspending a dealer signs them out.
  const other = await app.signIn('Suspended Motors')
  await publish(other)
  const posts: string[] = []
  const deals: string[] = []
  const one = () => {
    const { vin, year, make, model, trim, mileage, priceCents } = makeVehicle(random, 2025)
    return {
      vin,
      year,
      make,
      model,
      trim,
      mileage,
      price: priceCents / 100,
      city: random.pick(['Tulsa', 'Nowhere']),
      state: 'OK',
    }
  }
  const acts = [
    async () => {
      const many = random.chance(0.4)
      const vehicles = many ? [one(), one(), one()] : [one()]
      posts.push(await publish(seller, { title: 'An auction', type: many ? 'multiple' : 'single', vehicles }))
    },
    async (id: string) => {
      const [first] = await vehiclesOf(seller, id)
      await seller.patch(`/api/inventory/${id}`, {
        vehicle: { id: first?.id, status: random.pick(['sold', 'available', 'pending']) },
        endAuction: true,
      })
    },
    (id: string) =>
      seller.patch(`/api/inventory/${id}`, { status: random.pick(['sold', 'active', 'expired']), endAuction: true }),
    (id: string) =>
      seller.patch(`/api/inventory/${id}`, {
        title: random.pick(['AWD hybrid auction', 'Diesel 4x4 auction']),
        vehicles: [one()],
        endAuction: true,
      }),
    (id: string) => seller.patch(`/api/inventory/${id}`, { auction: { startAmount: 5_000 } }),
    (id: string) => seller.post(`/api/inventory/${id}/relist`),
    (id: string) => seller.delete(`/api/inventory/${id}?endAuction=true`),
    (id: string) => ctx.transact(async (tx, emit) => void (await setPostHidden(tx, emit, id, random.chance(0.5)))),
    async (id: string) => {
      const [first] = await vehiclesOf(seller, id)
      const asked = { vehicleId: first?.id, amount: 9_000 }
      const offer = await buyer.post<{ id: string }>(`/api/inventory/${id}/offers`, asked)
      const { body } = await acceptOffer(seller, offer.body.id)
      if (typeof body.dealId === 'string') deals.push(body.dealId)
    },
    () => buyer.post(`/api/deal/${random.pick([...deals, ''])}/cancel`),
    (id: string) =>
      ctx.transact(async (tx) => void (await sql`update posts set expires_at = now() where id = ${id}`.execute(tx))),
    () => expirePosts(ctx),
    () => {
      const act = random.pick(['suspend', 'reinstate', 'reinstate'])
      return admin.post(`/api/admin/users/${other.id}/${act}`, { reason: 'A reason', until: null })
    },
    () => seller.patch('/api/profile', { zip: random.pick(['10001', '74112']) }),
  ]
  for (let turn = 0; turn < 150; turn++) {
    const act = turn < 8 ? acts[0] : random.pick(acts)
    await act?.(random.pick(posts.length === 0 ? [''] : posts))
  }
  await seller.patch('/api/profile', { zip: '74112' })
  const kept = await rowsOfFind(db)
  t.ok(kept.length > 5)
  t.ok(deals.length > 2, 'some were bought')
  t.same(...(await bothOnOffer(db)), 'what plain SQL says')
  t.equal(await verifyFind(ctx), 0, 'every writer has updated the rows')
  await seller.patch('/api/profile', { zip: '10001' })
  t.notSame(await rowsOfFind(db), kept, "a vehicle without a place is at its seller's")
  t.equal(await verifyFind(ctx), 0)
  await seller.patch('/api/profile', { zip: '74112' })
  await db.transaction().execute(async (tx) => {
    await sql`delete from find_vehicles`.execute(tx)
    const rows = await tx.selectFrom('posts').select('id').execute()
    await refreshFind(
      tx,
      rows.map(({ id }) => id),
    )
  })
  t.same(await rowsOfFind(db), kept)
})

t.test('continues comparing where the last run stopped, in any process, and starts over at the end', async (t) => {
  const seller = await app.signIn('Long Tail Motors')
  const first = await publish(seller)
  // Insert as many posts as one run compares, so that the run does not reach the last post.
  await sql`insert into posts (dealer_id, type, title) select ${seller.id}, 'single', 'Nothing' from generate_series(1, 5000)`.execute(
    db,
  )
  const last = await publish(seller)
  const drive = (postId: string) => sql`update vehicles set mileage = mileage + 1 where post_id = ${postId}`.execute(db)
  await drive(last)
  t.equal(await verifyFind(ctx), 0, 'it is not reached')
  // A new schedule runs immediately, then every hour.
  const worker = await startNode(t, app.services, { ROLES: 'worker' })
  await until('the last post', async () => {
    const [found, expected] = await bothOnOffer(db)
    return isDeepStrictEqual(found, expected)
  })
  await worker.kill()
  await drive(first)
  t.equal(await verifyFind(ctx), 1, 'from the beginning')
})
