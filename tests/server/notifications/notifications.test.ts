import { randomUUID } from 'node:crypto'
import t from 'tap'
import { notificationsSchedules } from '#server/features/notifications/notifications.jobs.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp, type TestApp } from '#tests/support/app.ts'
import { aDealWith } from '#tests/support/deals.ts'
import { aPost, publish } from '#tests/support/factories.ts'
import { mailNow, mailsOf } from '#tests/support/mail.ts'
import { until, untilTaken } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const pageOf = async (caller: Caller) => (await caller.get<NotificationsPage>('/api/notifications')).body

const firstOf = (caller: Caller) => until('a notification', async () => (await pageOf(caller)).items[0])

t.test('notifies the seller of a comment and a question live and once, read on every tab', async (t) => {
  const seller = await app.signIn('Seller Motors', { name: 'Sam Seller' })
  const buyer = await app.signIn('Buyer Motors', { name: 'Bea Buyer' })
  const tab = await seller.live()
  const post = await publish(seller)
  await buyer.post(`/api/inventory/${post}/comments`, { content: 'Any rust?' })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'notification')
  const [comment] = (await pageOf(seller)).items
  t.match(comment, {
    kind: 'comment',
    title: 'Bea Buyer commented on 2021 Ford F-150 XLT',
    body: 'Any rust?',
    read: false,
  })
  t.equal(comment?.path, `/post/${post}`)
  t.match(comment?.actor, { id: buyer.id, name: 'Bea Buyer' })

  await buyer.put(`/api/inventory/${post}/reactions/info`)
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'notification')
  await buyer.delete(`/api/inventory/${post}/reactions/info`)
  await buyer.put(`/api/inventory/${post}/reactions/info`)
  await until('the repeated question to be worked off', async () => {
    const rows = await app.server.ctx.db
      .selectFrom('outbox')
      .select('id')
      .where('name', '=', 'notification.info')
      .execute()
    return rows.length === 0
  })
  const page = await pageOf(seller)
  t.same(
    page.items.map(({ kind }) => kind),
    ['info', 'comment'],
    'newest first, the repeated question once',
  )
  t.equal(page.unread, 2)

  t.equal((await buyer.post('/api/notifications/read', { ids: [comment?.id] })).status, 204)
  t.equal((await pageOf(seller)).unread, 2, 'another dealer cannot mark them')
  await seller.post('/api/notifications/read', { ids: [comment?.id] })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'notification')
  t.equal((await pageOf(seller)).unread, 1)
  await seller.post('/api/notifications/read', {})
  t.equal((await pageOf(seller)).unread, 0)
})

t.test('notifies of concurrent comments once each, in order', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Motors')]
  const post = await publish(seller)
  const say = (content: string) =>
    untilTaken((key) => buyer.post<Comment>(`/api/inventory/${post}/comments`, { content }, { 'idempotency-key': key }))
  const toldOf = async () =>
    (await seller.get<NotificationsPage>('/api/notifications?limit=50')).body.items.map(({ body }) => body).toReversed()
  for (const round of ['first', 'second']) {
    const before = await toldOf()
    const said = await Promise.all(Array.from({ length: 20 }, (_none, n) => say(`${round} ${n}`)))
    const inOrder = said.map(({ body }) => body).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    await until('each to be told of', async () => (await toldOf()).length === before.length + said.length)
    t.same(await toldOf(), [...before, ...inOrder.map(({ content }) => content)])
  }
  await until('nothing to be left to do', async () => {
    const left = app.server.ctx.db.selectFrom('outbox').select('id').where('name', '=', 'notification.comment')
    return (await left.execute()).length === 0
  })
})

t.test('does not notify sellers of their own comments, nor others', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const other = await app.signIn('Other Motors')
  const post = await publish(seller)
  await seller.post(`/api/inventory/${post}/comments`, { content: 'One owner' })
  await other.post(`/api/inventory/${post}/comments`, { content: 'Thanks' })
  await firstOf(seller)
  t.equal((await pageOf(seller)).items.length, 1)
  t.same((await pageOf(other)).items, [])
  t.equal((await app.visitor.get('/api/notifications')).status, 401)
})

t.test('sends each kind only to the channels of the settings', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const buyer = await app.signIn('Buyer Motors', { name: 'Bea Buyer' })
  const post = await publish(seller)
  await seller.patch('/api/settings', {
    notifications: {
      comment: { inApp: false, email: false, push: false },
      info: { inApp: true, email: true, push: false },
    },
  })
  await buyer.post(`/api/inventory/${post}/comments`, { content: 'Any rust?' })
  await buyer.put(`/api/inventory/${post}/reactions/info`)
  const info = await firstOf(seller)
  t.match(info, { kind: 'info', push: false })
  await mailNow(app)
  const mails = await until('a mail', async () => {
    const sent = await mailsOf(app)
    return sent.length > 0 ? sent : undefined
  })
  t.match(mails[0], { subject: 'Bea Buyer needs more information on 2021 Ford F-150 XLT' })
  t.equal(mails.length, 1)
})

const leaving = ({ server }: TestApp) =>
  server.ctx.db
    .selectFrom('notifications')
    .select(['kind', 'push', 'mailDueAt'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

const clockAt = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16)
const hourMs = 3_600_000

t.test('applies quiet hours, daily mail and switches to what leaves the app, and when', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Motors')]
  const { body: post } = await seller.post<PostDetail>('/api/inventory', aPost())
  let comments = 0
  const comment = async () => {
    comments += 1
    await buyer.post(`/api/inventory/${post.id}/comments`, { content: `Question ${comments}` })
    await until('the notice', async () => (await pageOf(seller)).items.length === comments)
    return leaving(app)
  }
  const usual = await comment()
  t.match(usual, { push: true, mailDueAt: Date })
  t.ok((usual.mailDueAt?.getTime() ?? Infinity) < Date.now() + hourMs, 'mailed soon')

  const quietHours = { on: true, from: clockAt(-2 * hourMs), to: clockAt(2 * hourMs), timeZone: 'UTC' }
  await seller.patch('/api/settings', { quietHours })
  const quiet = await comment()
  t.equal(quiet.push, false)
  t.equal(quiet.mailDueAt?.toISOString().slice(11, 16), quietHours.to, 'mailed after quiet hours')

  await seller.patch('/api/settings', { emailDelivery: 'daily', quietHours: { ...quietHours, on: false } })
  const daily = await comment()
  t.match(daily, { push: true })
  t.equal(daily.mailDueAt?.toISOString().slice(11, 16), '08:00')
  await seller.patch('/api/settings', { quietHours: { on: true, from: '07:30', to: '09:15', timeZone: 'UTC' } })
  const late = await comment()
  t.equal(late.mailDueAt?.toISOString().slice(11, 16), '09:15', 'the daily mail waits for their end as well')
  await seller.patch('/api/settings', { quietHours: { ...quietHours, on: false } })

  await seller.patch('/api/settings', { emailNotifications: false })
  t.same(await comment(), { kind: 'comment', push: true, mailDueAt: null })
  await seller.patch('/api/settings', { pushNotifications: false })
  t.same(await comment(), { kind: 'comment', push: false, mailDueAt: null })

  await seller.patch('/api/settings', { emailNotifications: true, pushNotifications: true, dealAlerts: false })
  const offer = { vehicleId: post.vehicles[0]?.id, amount: 30_000 }
  t.equal((await buyer.post(`/api/inventory/${post.id}/offers`, offer)).status, 201)
  await until('the offer', async () => (await pageOf(seller)).items[0]?.kind === 'deal')
  t.same(await leaving(app), { kind: 'deal', push: false, mailDueAt: null })
})

t.test('omits kinds from a waiting mail that were turned off meanwhile', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Motors', { name: 'Bea Buyer' })]
  const post = await publish(seller)
  await seller.patch('/api/settings', { emailDelivery: 'daily' })
  await buyer.put(`/api/inventory/${post}/reactions/info`)
  await firstOf(seller)
  await buyer.post(`/api/inventory/${post}/comments`, { content: 'Any rust?' })
  await until('both notices', async () => (await pageOf(seller)).items.length === 2)
  await seller.patch('/api/settings', { notifications: { comment: { inApp: true, email: false, push: true } } })
  await mailNow(app)
  const mails = await until('a mail', async () => {
    const sent = await mailsOf(app)
    return sent.length > 0 ? sent : undefined
  })
  t.match(mails, [{ subject: 'Bea Buyer needs more information on 2021 Ford F-150 XLT' }])
  t.notMatch(mails[0]?.text, /Any rust/)
})

t.test('does not mail notices that were read in the app', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const buyer = await app.signIn('Buyer Motors')
  const post = await publish(seller)
  await buyer.post(`/api/inventory/${post}/comments`, { content: 'Any rust?' })
  await firstOf(seller)
  await seller.post('/api/notifications/read', {})
  await mailNow(app)
  await until('the mail job to be done', async () => {
    const rows = await app.server.ctx.db
      .selectFrom('outbox')
      .select('id')
      .where('name', '=', 'notification.mail')
      .execute()
    return rows.length === 0
  })
  t.same(await mailsOf(app), [])
})

t.test('mails notices the list does not show, and does not mark them as read with it', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const buyer = await app.signIn('Buyer Motors', { name: 'Bea Buyer' })
  const post = await publish(seller)
  await seller.patch('/api/settings', { notifications: { info: { inApp: false, email: true, push: false } } })
  await buyer.put(`/api/inventory/${post}/reactions/info`)
  await buyer.post(`/api/inventory/${post}/comments`, { content: 'Any rust?' })
  await firstOf(seller)
  const { db } = app.server.ctx
  await until('the notice by mail alone', () =>
    db.selectFrom('notifications').select('id').where('kind', '=', 'info').executeTakeFirst(),
  )
  await seller.post('/api/notifications/read', {})
  await mailNow(app)
  await until('the mail job to be done', async () => {
    const rows = await db.selectFrom('outbox').select('id').where('name', '=', 'notification.mail').execute()
    return rows.length === 0
  })
  t.match(await mailsOf(app), [{ subject: 'Bea Buyer needs more information on 2021 Ford F-150 XLT' }])
})

t.test('sends browser-only notifications to the browser and not to the list', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const buyer = await app.signIn('Buyer Motors', { name: 'Bea Buyer' })
  const post = await publish(seller)
  t.equal((await pageOf(seller)).latestPush, null)
  await seller.patch('/api/settings', {
    notifications: {
      info: { inApp: false, email: false, push: true },
      comment: { inApp: true, email: false, push: false },
    },
  })
  await buyer.put(`/api/inventory/${post}/reactions/info`)
  await until('the notice', async () => (await pageOf(seller)).latestPush)
  t.match(await pageOf(seller), { items: [], unread: 0, latestPush: { kind: 'info', read: false, push: true } })
  await buyer.post(`/api/inventory/${post}/comments`, { content: 'Any rust?' })
  await firstOf(seller)
  t.match(
    await pageOf(seller),
    { items: [{ kind: 'comment' }], unread: 1, latestPush: { kind: 'info' } },
    'the newer one is not pushed',
  )
  t.equal((await pageOf(buyer)).latestPush, null, 'no other browser has it')
})

t.test('sums up waiting messages in one notice', async (t) => {
  const ann = await app.signIn('Ann Autos', { name: 'Ann Able' })
  const ben = await app.signIn('Ben Motors', { name: 'Ben Baker' })
  const { body: chat } = await ann.post<{ id: string }>('/api/chats', { dealerId: ben.id })
  const write = async (content: string) => {
    const sent = await ann.post('/api/messages', { chatId: chat.id, content }, { 'idempotency-key': randomUUID() })
    t.equal(sent.status, 201)
  }
  await write('Hello')
  await write('Is it still there?')
  const digest = notificationsSchedules.find(({ name }) => name === 'notifications.messages')
  await ben.patch('/api/settings', { messageAlerts: false })
  await digest?.run(app.server.ctx)
  t.same((await pageOf(ben)).items, [], 'not while they are fresh')
  const wait = (minutes: number) =>
    app.server.ctx.db
      .updateTable('chats')
      .set({ lastActivity: new Date(Date.now() - minutes * 60_000) })
      .where('id', '=', chat.id)
      .execute()
  await wait(12)
  await digest?.run(app.server.ctx)
  await digest?.run(app.server.ctx)
  t.match((await pageOf(ben)).items, [
    { kind: 'messages', title: '2 unread messages from one dealer', path: '/messages' },
  ])
  t.equal((await pageOf(ben)).items.length, 1)
  t.same(await leaving(app), { kind: 'messages', push: false, mailDueAt: null }, 'in the app only, as chosen')
  t.same((await pageOf(ann)).items, [], 'nothing for the author')
  await write('Still interested')
  await wait(11)
  await digest?.run(app.server.ctx)
  t.same(
    (await pageOf(ben)).items.map(({ title }) => title),
    ['3 unread messages from one dealer'],
    'a newer digest replaces the unread one',
  )
})

t.test('does not repeat a chat after one of two announced together was read', async (t) => {
  const reader = await app.signIn('Reader Motors')
  const digest = notificationsSchedules.find(({ name }) => name === 'notifications.messages')
  const chats = []
  for (const [name, minutes] of [
    ['One', 30],
    ['Two', 20],
  ] as const) {
    const writer = await app.signIn(name)
    const { body: chat } = await writer.post<{ id: string }>('/api/chats', { dealerId: reader.id })
    await writer.post('/api/messages', { chatId: chat.id, content: 'Hello' }, { 'idempotency-key': randomUUID() })
    const lastActivity = new Date(Date.now() - minutes * 60_000)
    await app.server.ctx.db.updateTable('chats').set({ lastActivity }).where('id', '=', chat.id).execute()
    chats.push(chat.id)
  }
  const titles = async () => (await pageOf(reader)).items.map(({ title }) => title)
  await digest?.run(app.server.ctx)
  t.same(await titles(), ['2 unread messages from 2 dealers'])
  await reader.put(`/api/chats/${chats[1]}/read`, { seq: 1 })
  await digest?.run(app.server.ctx)
  t.same(await titles(), ['2 unread messages from 2 dealers'], 'no new notification has arrived')
})

t.test('notifies both parties of a deal despite a block, but not of a new offer', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Motors')]
  const { id: dealId } = await aDealWith(seller, buyer)
  const { body: chat } = await seller.post<{ id: string }>('/api/chats', { dealerId: buyer.id })
  await seller.patch(`/api/chats/${chat.id}`, { blocked: true })
  const titles = async () => (await pageOf(seller)).items.map(({ title }) => title)
  const before = await titles()
  const postId = await publish(seller)
  const { vehicles } = (await buyer.get<PostDetail>(`/api/inventory/${postId}`)).body
  const terms = { vehicleId: vehicles[0]?.id, amount: 20_000 }
  const { body: offer } = await buyer.post<Offer>(`/api/inventory/${postId}/offers`, terms)
  t.same(await titles(), before)
  await seller.post(`/api/offers/${offer.id}/counter`, { amount: 22_000 })
  await buyer.post(`/api/offers/${offer.id}/counter`, { amount: 21_000 })
  await buyer.post(`/api/deal/${dealId}/cancel`)
  t.same(await titles(), ['Deal cancelled', 'Counter-offer: $21,000', ...before])
})

t.test('notifies the buyer when the deal needs them: mileage stated, seller has signed', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Motors')]
  const { id } = await aDealWith(seller, buyer)
  await app.server.ctx.db.updateTable('deals').set({ mileage: null }).where('id', '=', id).execute()
  const titles = async (who: Caller) => (await pageOf(who)).items.map(({ title }) => title)
  const [sold, bought] = [await titles(seller), await titles(buyer)]
  const stated = ['The mileage has been entered: sign the mileage statement', ...bought]
  t.equal((await seller.put(`/api/deal/${id}/mileage`, { mileage: 48_210 })).status, 200)
  t.same(await titles(buyer), stated)
  const sign = (who: Caller) => who.post(`/api/deal/${id}/documents/odometer/signature`, { name: 'A Dealer' })
  t.equal((await sign(buyer)).status, 200)
  t.same(await titles(buyer), stated, 'the seller has not')
  t.equal((await sign(seller)).status, 200)
  t.same(await titles(buyer), ['Both dealers have signed: complete the deal', ...stated])
  t.same(await titles(seller), sold)
})

t.test('notifies the other party of an open deal when an account is deleted', async (t) => {
  const [seller, buyer, done] = [await app.signIn('Seller'), await app.signIn('Buyer'), await app.signIn('Done')]
  const admin = await app.signIn('Staff', { role: 'admin' })
  const [open, over] = [await aDealWith(seller, buyer), await aDealWith(seller, done)]
  await done.post(`/api/deal/${over.id}/cancel`)
  for (const { id } of [done, buyer])
    t.equal((await admin.delete(`/api/admin/users/${id}`, { reason: 'Asked for it' })).status, 204)
  const left = (await pageOf(seller)).items.filter(({ title }) => title.startsWith('The other dealer'))
  t.match(left, [{ path: `/deals/${open.id}`, title: 'The other dealer in your deal is no longer on Lanewire' }])
  t.match((await seller.post(`/api/deal/${open.id}/cancel`)).body, { status: 'cancelled' })
})

t.test('sends any number of simultaneous notices', async (t) => {
  const dealer = await app.signIn()
  // More values than a single SQL statement may contain.
  const notices = Array.from({ length: 7_000 }, (_, n) => ({
    dealerId: dealer.id,
    kind: 'deal' as const,
    title: `No. ${n}`,
    path: '/deals',
    key: String(n),
  }))
  await app.server.ctx.transact((tx, emit) => notify(tx, emit, ...notices))
  t.equal((await pageOf(dealer)).unread, notices.length)
})
