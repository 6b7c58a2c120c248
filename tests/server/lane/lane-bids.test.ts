import { randomUUID } from 'node:crypto'
import t from 'tap'
import { sql } from 'kysely'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { Auction, RefusedReserve } from '#shared/schemas/auctions.ts'
import type { Lane } from '#shared/schemas/lane.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { openOrReschedule } from '#server/features/auctions/presets/auction-presets.service.ts'
import { closeDue, placeBids } from '#server/features/auctions/auctions.repository.ts'
import type { Db } from '#server/platform/database/db.ts'
import { type Answer, type Caller, startApp } from '../../support/app.ts'
import { askForPlans } from '#tests/support/billing.ts'
import { aBidder, bid, close, endIn, publishAuction, readAuction, setMaximum } from '../../support/bidding.ts'
import { setNoonZone } from '#tests/support/one-day.ts'
import { until } from '../../support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const hourMs = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const later = { startsAt: inMs(hourMs), endsAt: inMs(2 * hourMs) }

type Refusable<T> = Answer<T & { error: { code: string; message: string; details: RefusedReserve } }>

const preset = (caller: Caller, postId: string, amount: number): Promise<Refusable<object>> =>
  caller.put(`/api/inventory/${postId}/preset`, { amount })
const lower = (caller: Caller, postId: string, amount: number, key = randomUUID()): Promise<Refusable<Auction>> =>
  caller.post(`/api/inventory/${postId}/auction/reserve`, { amount }, { 'idempotency-key': key })
const limitTo = (caller: Caller, dayLimit: number | null, timeZone?: string) =>
  caller.patch('/api/settings', {
    lane: { dayLimit },
    ...(timeZone !== undefined && { quietHours: { on: false, from: '22:00', to: '07:00', timeZone } }),
  })
const dayOf = async (caller: Caller) => (await caller.get<Lane>('/api/lane')).body.day
const noticesOf = async (caller: Caller) =>
  (await caller.get<NotificationsPage>('/api/notifications')).body.items.map(({ title }) => title)

const opened = async (db: Db, postId: string) =>
  db
    .updateTable('auctions')
    .set({ startsAt: new Date(Date.now() - 1) })
    .where('postId', '=', postId)
    .execute()

const open = (postId: string) => opened(app.server.ctx.db, postId)

const waiting = async (postId: string) =>
  app.server.ctx.db.selectFrom('auctionPresets').select('bidderId').where('postId', '=', postId).execute()

t.test('places presets in the order they were set when bidding opens', async (t) => {
  await askForPlans(t, app)
  const seller = await aBidder(app, 'Seller')
  const [one, two, three] = [await aBidder(app, 'One'), await aBidder(app, 'Two'), await aBidder(app, 'Three')]
  const postId = await publishAuction(seller, later)
  t.equal((await preset(one, postId, 15_000)).status, 204)
  t.equal((await preset(two, postId, 15_000)).status, 204)
  t.equal((await preset(three, postId, 12_000)).status, 204)
  t.equal((await preset(one, postId, 16_000)).status, 204)
  t.equal((await preset(one, postId, 15_000)).status, 204, 'changed, so it comes after the second')
  t.match((await readAuction(one, postId)).you, { preset: 15_000 })
  t.match((await readAuction(two, postId)).you, { preset: 15_000, number: null })
  t.match((await preset(one, postId, 9_999)).body.error, { message: 'Enter $10,000 or more' })
  t.equal((await preset(seller, postId, 15_000)).status, 403, 'not on your own auction')
  t.equal((await preset(app.visitor, postId, 15_000)).status, 401)
  t.equal((await preset(await app.signIn('No Plan', { plan: null }), postId, 15_000)).status, 402)
  t.equal((await preset(one, randomUUID(), 15_000)).status, 404)
  const fourth = await aBidder(app, 'Fourth')
  await preset(fourth, postId, 20_000)
  t.equal((await fourth.delete(`/api/inventory/${postId}/preset`)).status, 204)
  t.equal((await fourth.delete(`/api/inventory/${postId}/preset`)).status, 204, 'removing it again changes nothing')
  const tab = await two.live()
  await open(postId)
  t.match(await tab.nextEvent('lane.placed'), { postId })
  const auction = await readAuction(two, postId)
  t.match(auction, { amount: 15_000, leader: auction.you.number, you: { number: 1, maximum: 15_000, preset: null } })
  for (const behind of [one, three]) t.same(await noticesOf(behind), ['You have been outbid'])
  t.same(await noticesOf(two), [], 'the earlier of two equal maximums leads')
  t.match((await preset(three, postId, 30_000)).body.error, { code: 'conflict', message: /^Bidding has opened/ })
  t.equal((await readAuction(fourth, postId)).you.number, null, 'a removed maximum is removed')
})

t.test('places a preset once: after a crash, before the first bid, and with a moved start', async (t) => {
  const seller = await aBidder(app, 'Seller')
  const [one, two] = [await aBidder(app, 'One'), await aBidder(app, 'Two')]
  const { ctx } = app.server
  const postId = await publishAuction(seller, later)
  await preset(one, postId, 15_000)
  await ctx.transact((tx, emit) => openOrReschedule(tx, emit, postId))
  t.match(await readAuction(one, postId), { bidCount: 0, you: { preset: 15_000 } }, 'the job ran early and waits')
  const dies = ctx.transact(async (tx, emit) => {
    await opened(tx, postId)
    await openOrReschedule(tx, emit, postId)
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
  })
  await t.rejects(dies)
  t.match(await readAuction(one, postId), { bidCount: 0, you: { preset: 15_000 } }, 'nothing has changed')
  const request = { postId, bidderId: two.id, key: randomUUID(), kind: 'bid' as const, cents: 1_200_000 }
  const { outcomes } = await ctx.db.transaction().execute(async (tx) => {
    await opened(tx, postId)
    return placeBids(tx, [request])
  })
  t.match(
    outcomes,
    [{ refusal: null, priceCents: 1_250_000, leads: false, bidderNumber: 2 }],
    'the maximum came before',
  )
  await until('the worker', async () => (await waiting(postId)).length === 0)
  await ctx.transact((tx, emit) => openOrReschedule(tx, emit, postId))
  const { bids } = await readAuction(one, postId)
  t.same(
    bids.map(({ amount, no }) => [no, amount]),
    [
      [3, 12_500],
      [2, 12_000],
      [1, 10_000],
    ],
  )
  const raised = await publishAuction(seller, later)
  await preset(two, raised, 11_000)
  await seller.patch(`/api/inventory/${raised}/auction`, { startAmount: 12_000, ...later })
  await open(raised)
  await until('the worker', async () => (await waiting(raised)).length === 0)
  t.match(await noticesOf(two), [/not placed: the seller raised the starting amount above it$/])
  const withdrawn = await publishAuction(seller, later)
  await preset(one, withdrawn, 15_000)
  await seller.post(`/api/inventory/${withdrawn}/auction/end`, { reason: 'Sold on the lot' })
  await open(withdrawn)
  t.equal((await readAuction(one, withdrawn)).bidCount, 0)
  t.match(await noticesOf(one), [/not placed: the seller has ended the auction$/])
})

t.test('counts wins, leads and undecided auctions toward the day limit', async (t) => {
  const [seller, buyer, rival] = [
    await aBidder(app, 'Seller'),
    await aBidder(app, 'Buyer'),
    await aBidder(app, 'Rival'),
  ]
  const [won, decided, led, next] = [
    await publishAuction(seller),
    await publishAuction(seller, { reserveAmount: 90_000 }),
    await publishAuction(seller),
    await publishAuction(seller),
  ]
  await setNoonZone(buyer)
  await bid(buyer, won, 11_000)
  await close(app, seller, won)
  await bid(buyer, decided, 12_000)
  await close(app, seller, decided)
  await setMaximum(buyer, led, 15_000)
  t.same(await dayOf(buyer), { limit: null, used: 38_000, won: 11_000, committed: 22_000, headroom: 5_000 })
  const tab = await buyer.live()
  t.match((await limitTo(buyer, 50_000)).body, { lane: { dayLimit: 50_000, autoPin: true } })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'lane')
  const refused = await bid(buyer, next, 12_500)
  t.equal(refused.status, 409)
  t.match(refused.body.error, {
    message: 'This would put you at $50,500 of your $50,000 day limit',
    details: { code: 'LIMIT', used: 50_500, limit: 50_000, minNext: 10_000 },
  })
  t.equal((await setMaximum(buyer, next, 12_000.01)).body.error.details.code, 'LIMIT')
  t.equal((await bid(buyer, next, 12_000)).status, 201, 'up to the limit itself')
  t.equal((await setMaximum(buyer, led, 15_000.01)).status, 409, 'nor a higher maximum while leading')
  t.equal((await setMaximum(buyer, led, 14_000)).status, 201, 'a lower maximum is always accepted')
  t.equal((await bid(rival, next, 13_000)).status, 201, 'another dealer has none')
  t.match(await dayOf(buyer), { used: 37_000 }, 'an outbid dealer can use the amount again')
  t.match((await limitTo(buyer, 12_345.678)).status, 400)
  const coming = await publishAuction(seller, later)
  await preset(buyer, coming, 40_000)
  await open(coming)
  await until('the notice', async () => (await noticesOf(buyer)).some((title) => title.endsWith('over your day limit')))
  t.equal((await readAuction(buyer, coming)).bidCount, 0, 'the limit also applies at the start')
  await limitTo(buyer, null)
  t.equal((await bid(buyer, next, 90_000)).status, 201)
})

t.test("starts the day limit at the dealer's midnight and returns a cancelled deal's amount", async (t) => {
  const [seller, buyer] = [await aBidder(app, 'Seller'), await aBidder(app, 'Buyer')]
  const { db } = app.server.ctx
  const [won, next] = [await publishAuction(seller), await publishAuction(seller)]
  await bid(buyer, won, 10_000)
  await close(app, seller, won)
  for (const timeZone of ['Pacific/Kiritimati', 'America/Los_Angeles', 'Not/AZone']) {
    // Set the time zone directly in the database, because the API rejects unknown zones. A browser may report such a zone.
    await limitTo(buyer, 15_000, timeZone === 'Not/AZone' ? 'America/Chicago' : timeZone)
    await sql`update dealers set settings = jsonb_set(settings, '{quietHours,timeZone}', ${JSON.stringify(timeZone)}::jsonb)
      where id = ${buyer.id}`.execute(db)
    const zone = timeZone === 'Not/AZone' ? 'America/Chicago' : timeZone
    const {
      rows: [midnight],
    } = await sql<{ at: Date }>`select date_trunc('day', clock_timestamp(), ${zone}) as at`.execute(db)
    const wonAt = (ms: number) =>
      db
        .updateTable('deals')
        .set({ createdAt: new Date((midnight?.at.getTime() ?? 0) + ms) })
        .where('buyerId', '=', buyer.id)
        .execute()
    await wonAt(-1)
    t.match(await dayOf(buyer), { won: 0 }, `${timeZone}: before midnight`)
    await wonAt(0)
    t.match(await dayOf(buyer), { won: 10_000 }, `${timeZone}: since then`)
    t.equal((await bid(buyer, next, 10_000)).status, 409)
  }
  await db.updateTable('deals').set({ status: 'cancelled' }).where('buyerId', '=', buyer.id).execute()
  t.equal((await bid(buyer, next, 10_000)).status, 201)
})

t.test('lets a seller lower the reserve, never raise it, without revealing it', async (t) => {
  const [seller, buyer] = [await aBidder(app, 'Seller'), await aBidder(app, 'Buyer')]
  const admin = await app.signIn('Staff', { role: 'admin' })
  const postId = await publishAuction(seller, { reserveAmount: 15_000 })
  await bid(buyer, postId, 12_000)
  const code = async (answer: ReturnType<typeof lower>) => {
    const { status, body } = await answer
    return [status, body.error.details?.code ?? body.error.code]
  }
  t.same(await code(lower(seller, postId, 15_000)), [409, 'RESERVE_HIGHER'])
  t.same(await code(lower(seller, postId, 16_000)), [409, 'RESERVE_HIGHER'])
  t.same(await code(lower(seller, postId, 9_999)), [409, 'BELOW_START'])
  t.same(await code(lower(buyer, postId, 13_000)), [403, 'forbidden'])
  t.same(await code(lower(app.visitor, postId, 13_000)), [401, 'unauthorized'])
  t.same(await code(seller.post(`/api/inventory/${postId}/auction/reserve`, { amount: 13_000 })), [400, 'bad_request'])
  const without = await lower(seller, await publishAuction(seller), 13_000)
  t.match(without, { status: 409, body: { error: { details: { code: 'RESERVE_HIGHER' }, message: /has no reserve/ } } })
  const key = randomUUID()
  const before = await readAuction(buyer, postId)
  t.match(await lower(seller, postId, 13_000, key), { status: 200, body: { seller: { reserveAmount: 13_000 } } })
  t.equal((await lower(seller, postId, 13_000, key)).status, 200, 'the same key is the same change')
  const told = await readAuction(buyer, postId)
  t.match(told, { reserve: 'not_met', seq: before.seq + 1, bidCount: 1, endsAt: before.endsAt, seller: null })
  t.same(
    told.bids.map(({ no }) => no),
    [1],
  )
  await endIn(app, postId, 20_000)
  await app.server.ctx.db
    .updateTable('auctions')
    .set({ hardEndsAt: new Date(Date.now() + 600_000) })
    .where('postId', '=', postId)
    .execute()
  const due = await readAuction(buyer, postId)
  const accepted = await lower(seller, postId, 12_000)
  t.match(accepted.body, { reserve: 'met', status: 'open', amount: 12_000 }, 'accepted: the clock keeps running')
  t.ok(accepted.body.endsAt > due.endsAt, 'and for as long as after a bid')
  t.equal((await bid(await aBidder(app, 'Third'), postId, 12_500)).body.seq, accepted.body.seq + 1)
  t.match((await close(app, seller, postId)).status, 'sold')
  t.same(await code(lower(seller, postId, 11_000)), [409, 'CLOSED'])
  const { entries } = (await admin.get<AuditPage>('/api/admin/audit?action=auction')).body
  t.match(entries, [
    { action: 'auction.accept', subjectId: postId, before: { reserve: 13_000 }, after: { reserve: 12_000 } },
    { action: 'auction.reserve', subjectId: postId, before: { reserve: 15_000 }, after: { reserve: 13_000 } },
  ])
})

t.test('applies a lower reserve, a bid and the end at one moment once each, in some order', async (t) => {
  const [seller, buyer] = [await aBidder(app, 'Seller'), await aBidder(app, 'Buyer')]
  const { db } = app.server.ctx
  for (let round = 0; round < 4; round++) {
    const postId = await publishAuction(seller, { reserveAmount: 15_000 })
    const answers = await Promise.all([
      lower(seller, postId, 14_000),
      bid(buyer, postId, 14_000),
      lower(seller, postId, 13_000),
    ])
    const taken = answers.filter(({ status }) => status < 300).length
    t.match(await readAuction(buyer, postId), { reserve: 'met', seq: taken, bidCount: 1, amount: 14_000 })
    await endIn(app, postId, -1)
    const [late, closed] = await Promise.all([
      lower(seller, postId, 12_000),
      db.transaction().execute((tx) => closeDue(tx, postId)),
    ])
    t.match(late, { status: 409, body: { error: { details: { code: 'CLOSED' } } } })
    t.ok(closed?.status ?? (await until('the sweep', async () => (await readAuction(buyer, postId)).status !== 'open')))
  }
})
