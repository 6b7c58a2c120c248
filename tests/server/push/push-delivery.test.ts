import { randomUUID } from 'node:crypto'
import t from 'tap'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { endPresets } from '#server/features/auctions/presets/auction-presets.service.ts'
import { pushChat } from '#server/features/push/push.service.ts'
import type { JobRun } from '#server/platform/jobs/jobs.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aBidder, publishAuction } from '#tests/support/bidding.ts'
import { publish } from '#tests/support/factories.ts'
import { activeNow, comment, openChat, pushJobsOf, untilReceived } from '#tests/support/push-jobs.ts'
import { devicesOf, register, startPushService, type TestBrowser } from '#tests/support/push-service.ts'
import { until } from '#tests/support/wait.ts'

const service = await startPushService(t)
const other = await startPushService(t)
const app = await startApp(t, { FETCH_PRIVATE_HOSTS: `${service.host},${other.host}` })
t.beforeEach(app.startOver)

const { ctx } = app.server
const { forgetActive, pushMessage, skipWaits, untilIdle, waiting } = pushJobsOf(app)

async function withDevice(caller: Caller, from = service): Promise<TestBrowser> {
  const browser = from.subscribe()
  await register(caller, browser)
  return browser
}

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)

t.test('keeps the sound of the first push if a message arrives while the job runs', async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos', { name: 'Ann' }), await app.signIn('Ben Motors')]
  const browser = await withDevice(ben)
  const { chatId, write } = await openChat(ann, ben)
  await write('Is it still there?')
  const payload = { chatId, dealerId: ben.id, late: false }
  const run = { id: 'a run', attempt: 1, stopping: new AbortController().signal }
  /** A run of a job that was requested again in the meantime, so the worker skips its last step. */
  const overtaken: JobRun = { ...run, complete: async () => undefined }
  await pushChat(ctx, payload, overtaken)
  await pushChat(ctx, payload, { ...run, complete: (work) => ctx.transact(work) })
  await untilReceived(browser)
  t.match(browser.received[0]?.payload.notification, { title: 'Ann', silent: false })
})

t.test('removes a device only after seven days of failures without a long pause', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const browser = await withDevice(seller)
  const postId = await publish(seller)
  const fail = async (content: string) => {
    browser.answers.push(413)
    await comment(buyer, postId, content)
    await until('the answer', () => browser.answers.length === 0)
    await untilIdle()
  }
  await fail('First')
  await ctx.db
    .updateTable('pushDevices')
    .set({ failedSince: daysAgo(20), lastFailedAt: daysAgo(20) })
    .execute()
  await fail('Long after')
  const [device] = await devicesOf(seller)
  t.ok(Date.parse(device?.failing?.at ?? '') > daysAgo(1).getTime(), 'a new fault, shown with its own date')
  await ctx.db
    .updateTable('pushDevices')
    .set({ failedSince: daysAgo(8), lastFailedAt: daysAgo(1) })
    .execute()
  await fail('Again')
  t.same(await devicesOf(seller), [], 'failing for eight days')
})

t.test('cuts long texts between characters', async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos', { name: 'Ann' }), await app.signIn('Ben Motors')]
  const browser = await withDevice(ben)
  const { write } = await openChat(ann, ben)
  await write(`${'x'.repeat(119)}🚗🚗`)
  await pushMessage()
  await untilReceived(browser)
  t.equal(browser.received[0]?.payload.notification.body, 'x'.repeat(119))
  await ctx.transact((tx, emit) =>
    notify(tx, emit, {
      dealerId: ben.id,
      kind: 'moderation',
      title: `${'y'.repeat(119)}🚗`,
      body: `${'z'.repeat(239)}🚗`,
      path: '/profile',
    }),
  )
  await untilReceived(browser, 2)
  const { title, body } = browser.received[1]?.payload.notification ?? {}
  t.same([title, body], ['y'.repeat(119), 'z'.repeat(239)])
})

t.test('does not send a notice about a dealer who was blocked meanwhile, unless it binds', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const browser = await withDevice(seller)
  const postId = await publish(seller)
  const { chatId } = await openChat(seller, buyer)
  await activeNow(seller)
  await comment(buyer, postId)
  await until('the push to wait', waiting)
  t.match(await seller.patch(`/api/chats/${chatId}`, { blocked: true }), { body: { blocked: true } })
  await forgetActive(seller)
  await skipWaits()
  await untilIdle()
  t.same(browser.received, [])
  const binding = { kind: 'deal', title: 'Signed', path: '/deals', actorId: buyer.id, despiteBlock: true } as const
  await ctx.transact((tx, emit) => notify(tx, emit, { ...binding, dealerId: seller.id }))
  await untilReceived(browser)
  t.match(browser.received, [{ payload: { notification: { title: 'Signed' } } }])
})

t.test('sends the outbid of a preset maximum until the auction ends, and not if the dealer leads', async (t) => {
  const hourMs = 3_600_000
  const seller = await app.signIn('Seller')
  const [ann, ben] = [await aBidder(app, 'Ann'), await aBidder(app, 'Ben')]
  const browser = await withDevice(ann)
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
  const postId = await publishAuction(seller, { startsAt: inMs(hourMs), endsAt: inMs(2 * hourMs) })
  for (const [caller, amount] of [
    [ben, 15_000],
    [ann, 12_000],
  ] as const)
    t.equal((await caller.put(`/api/inventory/${postId}/preset`, { amount })).status, 204)
  await activeNow(ann)
  await ctx.db
    .updateTable('auctions')
    .set({ startsAt: new Date(Date.now() - 1) })
    .execute()
  await until('the push to wait', waiting)
  await forgetActive(ann)
  await skipWaits()
  await untilReceived(browser)
  const [push] = browser.received
  t.match(push?.payload.notification, { title: 'You have been outbid', tag: `auction:${postId}` })
  t.ok((push?.ttl ?? 0) <= (2 * hourMs) / 1_000, 'not for a whole day')
})

t.test('names no outbid on a device that hides content if the preset maximum was not placed', async (t) => {
  const [seller, ann] = [await app.signIn('Seller'), await aBidder(app, 'Ann')]
  const browser = service.subscribe()
  await register(ann, browser, { hideContent: true })
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
  const postId = await publishAuction(seller, { startsAt: inMs(3_600_000), endsAt: inMs(7_200_000) })
  await ann.put(`/api/inventory/${postId}/preset`, { amount: 12_000 })
  await ctx.transact((tx, emit) => endPresets(tx, emit, postId, { reason: 'the auction was ended' }))
  await untilReceived(browser)
  t.match(browser.received, [{ payload: { notification: { title: 'New notification', body: '' } } }])
})

t.test('delivers through another push service while one hangs with hundreds of devices', async (t) => {
  const [seller, busy, buyer] = [await app.signIn('Seller'), await app.signIn('Busy'), await app.signIn('Buyer')]
  const hanging = Array.from({ length: 300 }, () => other.subscribe())
  await register(busy, hanging[0]!)
  const stored = await ctx.db
    .selectFrom('pushDevices')
    .select(['dealerId', 'sessionHash', 'p256dh', 'auth', 'label'])
    .executeTakeFirstOrThrow()
  for (const browser of hanging) browser.answers.push('hang', 'hang', 'hang')
  await ctx.db
    .insertInto('pushDevices')
    .values(hanging.slice(1).map(({ endpoint }) => ({ ...stored, endpoint })))
    .execute()
  const quick = await withDevice(seller)
  const [slowPost, quickPost] = [await publish(busy), await publish(seller)]
  await comment(buyer, slowPost)
  await until('deliveries to hang', () => other.mostHanging() >= 60)
  await comment(buyer, quickPost)
  await untilReceived(quick)
  t.ok(other.mostHanging() < 128, 'the hanging service does not fill the queue')
})

t.test('queues nothing about notices if the operator has turned push off', async (t) => {
  const off = await startApp(t, { PUSH: 'off' })
  const [seller, buyer] = [await off.signIn('Seller'), await off.signIn('Buyer')]
  const { db, queues } = off.server.ctx
  const session = await db
    .selectFrom('sessions')
    .select('hash')
    .where('dealerId', '=', seller.id)
    .executeTakeFirstOrThrow()
  const bytes = { p256dh: Buffer.alloc(65, 4), auth: Buffer.alloc(16) }
  await db
    .insertInto('pushDevices')
    .values({ dealerId: seller.id, sessionHash: session.hash, endpoint: 'https://a.test/', label: 'Phone', ...bytes })
    .execute()
  await comment(buyer, await publish(seller))
  await until('the notice', async () => (await db.selectFrom('notifications').select('id').execute()).length > 0)
  t.same(await pushJobsOf(off).left(), [])
  const counts = await queues.push.getJobCounts()
  t.same(new Set(Object.values(counts)), new Set([0]))
})

t.test('sends the same tag again if the worker dies before it has noted the answer', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const browser = await withDevice(seller)
  await comment(buyer, await publish(seller))
  await untilReceived(browser)
  await untilIdle()
  const { id: noticeId } = await ctx.db.selectFrom('notifications').select('id').executeTakeFirstOrThrow()
  const [device] = await devicesOf(seller)
  const job = {
    deviceId: device?.id ?? randomUUID(),
    source: { noticeId },
    quiet: false,
    attempt: 1,
    host: service.host,
  }
  await ctx.transact((_tx, emit) => emit.job('push.deliver', job))
  await untilReceived(browser, 2)
  const [first, second] = browser.received
  t.same(
    [second?.topic, second?.payload.notification.tag],
    [first?.topic, first?.payload.notification.tag],
    'the browser replaces the first',
  )
})
