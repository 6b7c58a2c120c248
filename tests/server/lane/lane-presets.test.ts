import { sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { setPostHidden } from '#server/features/posts/posts-changes.service.ts'
import { openOrReschedule } from '#server/features/auctions/presets/auction-presets.service.ts'
import { type Caller, startApp } from '../../support/app.ts'
import { aBidder, publishAuction, readAuction } from '../../support/bidding.ts'
import { until } from '../../support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const hourMs = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const later = { startsAt: inMs(hourMs), endsAt: inMs(2 * hourMs) }

const preset = (caller: Caller, postId: string, amount: number) =>
  caller.put(`/api/inventory/${postId}/preset`, { amount })
const noticesOf = async (caller: Caller) =>
  (await caller.get<NotificationsPage>('/api/notifications')).body.items.map(({ title, body }) => `${title} | ${body}`)
const presetOf = async (caller: Caller, postId: string) => (await readAuction(caller, postId)).you.preset
const notPlaced = 'Your preset maximum was not placed'
const title = 'Live auction: 2021 Ford F-150 XLT'

async function open(postId: string): Promise<void> {
  const { db } = app.server.ctx
  await db
    .updateTable('auctions')
    .set({ startsAt: inMs(-1) })
    .where('postId', '=', postId)
    .execute()
  await until('the worker', async () => {
    const waiting = await db.selectFrom('auctionPresets').select('key').where('postId', '=', postId).execute()
    return waiting.length === 0
  })
}

async function connect(t: Test): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: app.services.DATABASE_URL })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

const untilWaiting = (watcher: pg.Client, pid: number) =>
  until('the worker to wait', async () => {
    const { rows } = await watcher.query(`select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`, [
      pid,
    ])
    return rows.length > 0
  })

t.test('notifies preset owners of an auction ended before it opened, and never places the bids', async (t) => {
  const [seller, holder, other] = [
    await aBidder(app, 'Seller'),
    await aBidder(app, 'Holder'),
    await aBidder(app, 'Other'),
  ]
  const postId = await publishAuction(seller, later)
  await preset(holder, postId, 15_000)
  const tab = await holder.live()
  await seller.post(`/api/inventory/${postId}/auction/end`, { reason: 'Sold on the lot' })
  await tab.nextEvent('inbox.changed', ({ what, id }) => what === 'lane' && id === postId)
  const told = [`${notPlaced}: the seller has ended the auction | ${title}: Sold on the lot`]
  t.same(await noticesOf(holder), told, 'immediately, not at the planned start')
  t.same(await noticesOf(other), [])
  t.equal(await presetOf(holder, postId), null)
  t.equal((await seller.patch(`/api/inventory/${postId}/auction`, later)).status, 200, 'its seller runs it again')
  await open(postId)
  t.match(await readAuction(holder, postId), { status: 'open', bidCount: 0 })
  t.same(await noticesOf(holder), told)
  await seller.patch(`/api/inventory/${postId}/auction`, later)
  t.equal((await preset(holder, postId, 16_000)).status, 204)
  await seller.post(`/api/inventory/${postId}/auction/end`, { reason: 'Keeping it' })
  t.equal((await noticesOf(holder)).length, 2, 'each maximum has its own notification')
})

t.test('notifies preset owners of an auction deleted with its post before it opened', async (t) => {
  const [seller, holder] = [await aBidder(app, 'Seller'), await aBidder(app, 'Holder')]
  const { ctx } = app.server
  for (const [what, go] of [
    ['sold', (id: string) => seller.patch(`/api/inventory/${id}`, { status: 'sold', endAuction: true })],
    ['deleted', (id: string) => seller.delete(`/api/inventory/${id}?endAuction=true`)],
    ['hidden', (id: string) => ctx.transact((tx, emit) => setPostHidden(tx, emit, id, true))],
  ] as const) {
    const postId = await publishAuction(seller, later)
    await preset(holder, postId, 15_000)
    const before = await noticesOf(holder)
    await go(postId)
    const after = await noticesOf(holder)
    t.same(
      after.slice(0, after.length - before.length),
      [`${notPlaced}: the vehicle is no longer for sale | ${title}`],
      what,
    )
    await open(postId)
    t.same(await noticesOf(holder), after, `${what}: told once`)
  }
  const postId = await publishAuction(seller, later)
  await preset(holder, postId, 15_000)
  const before = (await noticesOf(holder)).length
  await seller.patch(`/api/inventory/${postId}`, { status: 'sold', endAuction: true })
  await seller.post(`/api/inventory/${postId}/relist`)
  t.match(await readAuction(holder, postId), { status: 'open', bidCount: 0, you: { preset: null } })
  t.equal((await noticesOf(holder)).length, before + 1, 'the holder was notified once that the maximum was deleted')
})

t.test('links preset owners to an existing page, whatever happened to the post', async (t) => {
  const [seller, holder] = [await aBidder(app, 'Seller'), await aBidder(app, 'Holder')]
  const { ctx } = app.server
  const pathAfter = async (go: (id: string) => unknown) => {
    const postId = await publishAuction(seller, later)
    await preset(holder, postId, 15_000)
    await go(postId)
    const [notice] = (await holder.get<NotificationsPage>('/api/notifications')).body.items
    t.equal(notice?.title, `${notPlaced}: the vehicle is no longer for sale`)
    return notice?.path.replace(postId, 'ID')
  }
  t.equal(
    await pathAfter((id) => seller.patch(`/api/inventory/${id}`, { status: 'sold', endAuction: true })),
    '/post/ID',
  )
  t.equal(await pathAfter((id) => seller.delete(`/api/inventory/${id}?endAuction=true`)), '/lane')
  t.equal(await pathAfter((id) => ctx.transact((tx, emit) => setPostHidden(tx, emit, id, true))), '/lane')
})

t.test('removes presets below a raised start and says so in time; keeps them otherwise', async (t) => {
  const [seller, low, high] = [await aBidder(app, 'Seller'), await aBidder(app, 'Low'), await aBidder(app, 'High')]
  const postId = await publishAuction(seller, later)
  await preset(low, postId, 11_000)
  await preset(high, postId, 15_000)
  await seller.patch(`/api/inventory/${postId}/auction`, { startAmount: 11_000, ...later })
  t.same([await presetOf(low, postId), await noticesOf(low)], [11_000, []], 'it reaches the start')
  await seller.patch(`/api/inventory/${postId}/auction`, { startAmount: 12_000, ...later })
  t.same(await noticesOf(low), [
    `${notPlaced}: the seller raised the starting amount above it | ${title}: bidding now starts at $12,000`,
  ])
  t.same([await presetOf(low, postId), await presetOf(high, postId)], [null, 15_000])
  t.same(await noticesOf(high), [])
  t.equal((await preset(low, postId, 13_000)).status, 204, 'there is time for another bid')
  const moved = { startsAt: inMs(1.5 * hourMs), endsAt: inMs(2.5 * hourMs), reserveAmount: 14_000 }
  await seller.patch(`/api/inventory/${postId}/auction`, moved)
  t.same([await presetOf(low, postId), await presetOf(high, postId)], [13_000, 15_000], 'a moved start, a reserve')
  await open(postId)
  t.match(await readAuction(high, postId), { amount: 13_500, bidCount: 3, you: { number: 1, maximum: 15_000 } })
})

t.test('holds presets for a new start that the seller sets as the old one arrives', async (t) => {
  const [seller, holder] = [await aBidder(app, 'Seller'), await aBidder(app, 'Holder')]
  const { ctx } = app.server
  const [mover, watcher] = [await connect(t), await connect(t)]
  const postId = await publishAuction(seller)
  // Simulate an uncommitted change by the seller while a worker places preset bids.
  await mover.query('begin')
  await mover.query(`update auctions set starts_at = starts_at + interval '10 minutes' where post_id = $1`, [postId])
  await ctx.db.insertInto('auctionPresets').values({ postId, bidderId: holder.id, maxCents: 1_500_000 }).execute()
  let worker: number | undefined
  const handedIn = ctx.transact(async (tx, emit) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    worker = rows[0]?.pid
    await openOrReschedule(tx, emit, postId)
  })
  await untilWaiting(watcher, await until('the worker', () => worker))
  await mover.query('commit')
  await handedIn
  t.match(await readAuction(holder, postId), { bidCount: 0, you: { preset: 15_000 } })
  t.same(await noticesOf(holder), [])
  await open(postId)
  t.match(await readAuction(holder, postId), { amount: 10_000, you: { maximum: 15_000 } })
})

t.test('refuses presets from dealers who may not bid', async (t) => {
  const [seller, stopped] = [await aBidder(app, 'Seller'), await aBidder(app, 'Stopped')]
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  t.teardown(() => admin.patch('/api/admin/network', { stopAfterCancels: true }))
  const postId = await publishAuction(seller, later)
  t.equal((await preset(stopped, postId, 15_000)).status, 204)
  const { db } = app.server.ctx
  await db.updateTable('dealers').set({ biddingStoppedAt: new Date() }).where('id', '=', stopped.id).execute()
  t.match(await preset(stopped, postId, 16_000), {
    status: 403,
    body: { error: { message: /An admin must let you bid/ } },
  })
  t.equal(await presetOf(stopped, postId), 15_000)
  t.equal((await stopped.delete(`/api/inventory/${postId}/preset`)).status, 204, 'and can remove an existing maximum')
  await admin.patch('/api/admin/network', { stopAfterCancels: false })
  t.equal((await preset(stopped, postId, 16_000)).status, 204, "without the network's rule")
})

t.test('does not turn a preset maximum into a bid if the dealer lacks the required verified license', async (t) => {
  const [seller, holder, other] = [
    await aBidder(app, 'Seller'),
    await aBidder(app, 'Holder'),
    await aBidder(app, 'Other'),
  ]
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { db } = app.server.ctx
  const verify = (id: string, licenseVerifiedAt: Date | null) =>
    db.updateTable('dealers').set({ licenseVerifiedAt }).where('id', '=', id).execute()
  const ids = [
    await publishAuction(seller, later),
    await publishAuction(seller, later),
    await publishAuction(seller, later),
  ] as const
  for (const { id } of [holder, other]) await verify(id, new Date())
  for (const postId of ids)
    for (const caller of [holder, other]) t.equal((await preset(caller, postId, 15_000)).status, 204)
  t.teardown(() => admin.patch('/api/admin/network', { verifiedOnly: false }))
  await admin.patch('/api/admin/network', { verifiedOnly: true })
  await verify(holder.id, null)
  await open(ids[0])
  t.match(await readAuction(other, ids[0]), { bidCount: 1, you: { maximum: 15_000 } })
  const refused = `${notPlaced}: only verified dealers can bid here`
  t.same(await noticesOf(holder), [`${refused} | ${title}`])
  await verify(holder.id, new Date())
  await db
    .updateTable('dealers')
    .set({ licenseExpiresOn: inMs(-48 * hourMs).slice(0, 10) })
    .where('id', '=', holder.id)
    .execute()
  await open(ids[1])
  t.match(await readAuction(other, ids[1]), { bidCount: 1 })
  t.same((await noticesOf(holder)).length, 2, 'nor with an expired license')
  await admin.patch('/api/admin/network', { verifiedOnly: false })
  await open(ids[2])
  t.match(await readAuction(other, ids[2]), { bidCount: 2 }, 'it becomes a bid if the network requires no license')
})
