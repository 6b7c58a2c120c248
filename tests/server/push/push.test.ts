import { randomUUID } from 'node:crypto'
import t from 'tap'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { topicOf } from '#server/features/push/push.policy.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aBidder, bid, endIn, publishAuction } from '#tests/support/bidding.ts'
import { publish } from '#tests/support/factories.ts'
import { withinOneDay } from '#tests/support/one-day.ts'
import { activeNow, comment, openChat, pushJobsOf, untilReceived } from '#tests/support/push-jobs.ts'
import { devicesOf, register, startPushService, type TestBrowser } from '#tests/support/push-service.ts'
import { until } from '#tests/support/wait.ts'

const service = await startPushService(t)
const app = await startApp(t, { FETCH_PRIVATE_HOSTS: service.host })
t.beforeEach(app.startOver)

const { ctx } = app.server

async function withDevice(caller: Caller): Promise<TestBrowser> {
  const browser = service.subscribe()
  await register(caller, browser)
  return browser
}

const { left: pushJobsLeft, nextTry, pushMessage, skipWaits, untilIdle, waiting, forgetActive } = pushJobsOf(app)

t.test('sends a notice to every device of the dealer, with the number of unread items', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer', { name: 'Ben Buyer' })]
  const browser = await withDevice(seller)
  const postId = await publish(seller)
  await comment(buyer, postId)
  await untilReceived(browser)
  t.match(browser.received, [
    {
      ttl: 86_400,
      urgency: 'normal',
      payload: {
        app_badge: 1,
        notification: {
          title: 'Ben Buyer commented on 2021 Ford F-150 XLT',
          body: 'Any rust?',
          navigate: new RegExp(`/post/${postId}$`),
          silent: false,
        },
      },
    },
  ])
  await untilIdle()
  t.match(await devicesOf(seller), [{ lastOkAt: /^20/, failing: null }])
})

const notifyOf = (dealerId: string, title: string, key: string) =>
  ctx.transact((tx, emit) => notify(tx, emit, { dealerId, kind: 'moderation', title, path: '/profile', key }))

t.test('sends notices whose key is not about an auction, but none to a session idle for 14 days', async (t) => {
  const dealer = await app.signIn()
  const browser = await withDevice(dealer)
  await notifyOf(dealer.id, 'Your license was verified', 'license:verified:1')
  await untilReceived(browser)
  await ctx.db
    .updateTable('sessions')
    .set({ lastSeenAt: new Date(Date.now() - 15 * 24 * 3_600_000) })
    .execute()
  await notifyOf(dealer.id, 'Your license has expired', 'license:expired:1')
  await untilIdle()
  t.match(browser.received, [{ payload: { notification: { title: 'Your license was verified' } } }])
})

t.test('sends an outbid with high urgency until the auction ends, under the topic of the auction', async (t) => {
  const [seller, ann, ben] = [await app.signIn('Seller'), await aBidder(app, 'Ann'), await aBidder(app, 'Ben')]
  const browser = await withDevice(ann)
  const postId = await publishAuction(seller)
  await bid(ann, postId, 10_000)
  await bid(ben, postId, 11_000)
  await untilReceived(browser)
  const [push] = browser.received
  t.match(push, {
    urgency: 'high',
    topic: topicOf(`auction:${postId}`),
    payload: { notification: { title: 'You have been outbid', body: /now \$11,000/, tag: `auction:${postId}` } },
  })
  t.ok((push?.ttl ?? 0) > 60, 'it lives until the auction ends')
})

t.test('does not send an outbid to a dealer who leads again', async (t) => {
  const [seller, ann, ben] = [await app.signIn('Seller'), await aBidder(app, 'Ann'), await aBidder(app, 'Ben')]
  const browser = await withDevice(ann)
  await activeNow(ann)
  const postId = await publishAuction(seller)
  await bid(ann, postId, 10_000)
  await bid(ben, postId, 11_000)
  await until('the push to wait', async () => (await pushJobsLeft()).length === 1 && (await waiting()))
  await bid(ann, postId, 12_000)
  await skipWaits()
  await untilIdle()
  t.same(browser.received, [])
})

t.test('waits once while the dealer is active, then sends only if they have left and not read it', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const browser = await withDevice(seller)
  const postId = await publish(seller)
  const forget = () => forgetActive(seller)
  await activeNow(seller)
  await comment(buyer, postId)
  await until('the push to wait', waiting)
  await skipWaits()
  await untilIdle()
  t.same(browser.received, [], 'still active')
  await comment(buyer, postId, 'Still there?')
  await until('the push to wait', waiting)
  await forget()
  await skipWaits()
  await untilReceived(browser)
  t.match(browser.received, [{ payload: { notification: { body: 'Still there?' } } }])
  await activeNow(seller)
  await comment(buyer, postId, 'Sold?')
  await until('the push to wait', waiting)
  await seller.post('/api/notifications/read', {})
  await forget()
  await skipWaits()
  await untilIdle()
  t.equal(browser.received.length, 1, 'read')
})

t.test('sends an outbid in the last two minutes at once, also to an active dealer', async (t) => {
  const [seller, ann, ben] = [await app.signIn('Seller'), await aBidder(app, 'Ann'), await aBidder(app, 'Ben')]
  const browser = await withDevice(ann)
  await activeNow(ann)
  const postId = await publishAuction(seller)
  await bid(ann, postId, 10_000)
  await endIn(app, postId, 100_000)
  await bid(ben, postId, 11_000)
  await untilReceived(browser)
  t.equal(browser.received.length, 1)
})

t.test('pushes the unread messages of a chat after a moment, later ones without sound', async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos', { name: 'Ann' }), await app.signIn('Ben Motors')]
  const browser = await withDevice(ben)
  const { chatId, write } = await openChat(ann, ben)
  await write('Is it still there?')
  await pushMessage()
  await untilReceived(browser)
  t.match(browser.received, [
    {
      topic: topicOf(`chat:${chatId}`),
      payload: {
        app_badge: 1,
        notification: { title: 'Ann', body: 'Is it still there?', navigate: /\/messages\?chat=/, silent: false },
      },
    },
  ])
  await write('I can pick it up today')
  await pushMessage()
  await untilReceived(browser, 2)
  t.match(browser.received[1]?.payload, { app_badge: 2, notification: { body: '2 new messages', silent: true } })
})

t.test('does not push messages that were read, or those of a muted chat', async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos'), await app.signIn('Ben Motors')]
  const browser = await withDevice(ben)
  const { chatId, write } = await openChat(ann, ben)
  const { body: message } = (await write('Hello')) as { body: { seq: number } }
  t.equal((await ben.put(`/api/chats/${chatId}/read`, { seq: message.seq })).status < 300, true)
  await pushMessage()
  await untilIdle()
  t.equal((await ben.patch(`/api/chats/${chatId}`, { muted: true })).status < 300, true)
  await write('Are you there?')
  await pushMessage()
  await untilIdle()
  t.same(browser.received, [])
})

t.test('sends nothing in quiet hours, except outbids and wins if the dealer wants them', async (t) => {
  const [seller, ann, ben] = [await app.signIn('Seller'), await aBidder(app, 'Ann'), await aBidder(app, 'Ben')]
  const browser = await withDevice(ann)
  const hourFromNow = (hours: number) => `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 13)}:00`
  const quiet = { on: true, from: hourFromNow(-1), to: hourFromNow(3), timeZone: 'UTC' }
  const outbid = async (amount: number, postId: string) => {
    await bid(ann, postId, amount)
    await bid(ben, postId, amount + 1_000)
    await until('the notice', async () => {
      const rows = await ctx.db.selectFrom('notifications').select('id').where('path', '=', `/post/${postId}`).execute()
      return rows.length > 0
    })
    await untilIdle()
  }
  await ann.patch('/api/settings', { quietHours: { ...quiet, urgent: false } })
  await outbid(10_000, await publishAuction(seller))
  t.same(browser.received, [])
  await ann.patch('/api/settings', { quietHours: { ...quiet, urgent: true } })
  await outbid(10_000, await publishAuction(seller))
  t.match(browser.received, [{ payload: { notification: { title: 'You have been outbid' } } }])
  const { write } = await openChat(seller, ann)
  await write('Hello')
  await pushMessage()
  await untilIdle()
  t.equal(browser.received.length, 1, 'messages stay quiet')
})

t.test('names no dealer, vehicle or price on a device that hides content', async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos', { name: 'Ann' }), await app.signIn('Ben Motors')]
  const browser = service.subscribe()
  const { body: device } = await register(ben, browser)
  await ben.patch(`/api/push/devices/${device.id}`, { hideContent: true })
  const { write } = await openChat(ann, ben)
  await write('The F-150 for $9,000?')
  await pushMessage()
  await untilReceived(browser)
  t.match(browser.received, [{ payload: { notification: { title: 'New message', body: '' } } }])
})

t.test('stops at 300 pushes per device and day, except for outbids, wins and deals', async (t) => {
  const [seller, ann, ben] = [await app.signIn('Seller'), await aBidder(app, 'Ann'), await aBidder(app, 'Ben')]
  const browser = await withDevice(ann)
  const { write } = await openChat(seller, ann)
  const received = await withinOneDay(async (day) => {
    await ctx.db.updateTable('pushDevices').set({ day, dayCount: 300 }).execute()
    await write('Hello')
    await pushMessage()
    await untilIdle()
    return browser.received.splice(0)
  })
  t.same(received, [])
  const postId = await publishAuction(seller)
  await bid(ann, postId, 10_000)
  await bid(ben, postId, 11_000)
  await untilReceived(browser)
  t.match(browser.received, [{ payload: { notification: { title: 'You have been outbid' } } }])
})

t.test('retries a push service that is busy or down, and removes a device that is gone', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const browser = await withDevice(seller)
  const postId = await publish(seller)
  browser.answers.push({ status: 429, headers: { 'retry-after': '600' } }, 500)
  await comment(buyer, postId)
  t.ok((await nextTry()).getTime() - Date.now() > 500_000, 'it waits as long as the service asks')
  t.match(await devicesOf(seller), [{ failing: { reason: `${service.host} answered with status 429` } }])
  await skipWaits()
  await until('the second answer', () => browser.answers.length === 0)
  await nextTry()
  await skipWaits()
  await untilReceived(browser)
  await untilIdle()
  t.match(await devicesOf(seller), [{ failing: null }])
  for (const status of [404, 410, 401, 403]) {
    await untilIdle()
    const other = await withDevice(seller)
    other.answers.push(status)
    await comment(buyer, postId, `Answer ${status}`)
    await until('the device to be removed', async () => (await devicesOf(seller)).length === 0)
  }
})

t.test('does not retry what a push service refuses, and removes a device that failed for seven days', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const browser = await withDevice(seller)
  const postId = await publish(seller)
  browser.answers.push(413)
  await comment(buyer, postId)
  await until('the answer', async () => (await devicesOf(seller))[0]?.failing?.reason)
  await untilIdle()
  t.same(browser.received, [])
  await ctx.db
    .updateTable('pushDevices')
    .set({ failedSince: new Date(Date.now() - 8 * 24 * 3_600_000) })
    .execute()
  browser.answers.push(413)
  await comment(buyer, postId, 'Again')
  await until('the device to be removed', async () => (await devicesOf(seller)).length === 0)
})

t.test('delivers to the other devices while one push service hangs', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const slow = await withDevice(seller)
  slow.answers.push('hang')
  await ctx.db
    .updateTable('pushDevices')
    .set({ sessionHash: await anotherSession(seller) })
    .execute()
  const quick = await withDevice(seller)
  await comment(buyer, await publish(seller))
  await untilReceived(quick)
  t.equal(slow.received.length, 0)
  await until('the timeout', async () => (await devicesOf(seller)).some(({ failing }) => failing !== null))
  await skipWaits()
  await untilReceived(slow)
})

async function anotherSession({ id }: Caller): Promise<Buffer> {
  const hash = Buffer.from(randomUUID().replaceAll('-', '').repeat(2), 'hex')
  await ctx.db
    .insertInto('sessions')
    .values({ hash, dealerId: id, expiresAt: new Date(Date.now() + 3_600_000) })
    .execute()
  return hash
}

t.test('never connects to a private address, whatever a stored endpoint says', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const browser = await withDevice(seller)
  const [, port = ''] = service.host.split(':')
  const path = new URL(browser.endpoint).pathname
  const postId = await publish(seller)
  for (const endpoint of [
    `http://localhost:${port}${path}`,
    `http://[::1]:${port}${path}`,
    'http://169.254.169.254/',
  ]) {
    await ctx.db
      .updateTable('pushDevices')
      .set({ endpoint, failedSince: null, lastFailedAt: null, lastError: null })
      .execute()
    await comment(buyer, postId, endpoint)
    const reason = await until('the refusal', async () => (await devicesOf(seller))[0]?.failing?.reason)
    t.equal(reason, `${new URL(endpoint).host} has a private address`)
  }
  t.same(browser.received, [])
})

t.test('sends nothing to a suspended dealer', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const browser = await withDevice(seller)
  const postId = await publish(seller)
  await activeNow(seller)
  await comment(buyer, postId)
  await until('the push to wait', waiting)
  await forgetActive(seller)
  await ctx.db.updateTable('dealers').set({ suspendedAt: new Date() }).where('id', '=', seller.id).execute()
  await skipWaits()
  await untilIdle()
  t.same(browser.received, [])
})

t.test('has no calls and sends nothing if push is off', async (t) => {
  const off = await startApp(t, { PUSH: 'off' })
  const dealer = await off.signIn()
  t.equal((await dealer.get('/api/push')).status, 404)
  t.equal((await register(dealer, service.subscribe())).status, 404)
})

t.test('sent only what a real push service accepts', async (t) => {
  t.same(service.faults, [])
})
