import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import t from 'tap'
import type { Chat, FoundMessage, MessagesPage } from '#shared/schemas/messaging.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { storeMessage } from '#server/features/messaging/messages.service.ts'
import type { SyncHeads } from '#shared/events/control.ts'
import { startApp, type Answer, type Caller } from '#tests/support/app.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { addCalls } from '#tests/support/limits.ts'
import { until, untilTaken } from '#tests/support/wait.ts'

const app = await startApp(t)

const chatsOf = async (dealer: Caller) => (await dealer.get<Chat[]>('/api/chats')).body
const chatOf = async (dealer: Caller, id: string) => (await dealer.get<Chat>(`/api/chats/${id}`)).body

t.test('gives two dealers one chat, no matter who opens it, that only they can see', async (t) => {
  const [dana, luis, stranger] = [await app.signIn('Torres'), await app.signIn('Herrera'), await app.signIn('Other')]
  const id = await openChat(dana, luis)
  t.equal(await openChat(luis, dana), id)
  t.equal((await say(dana, id, '  Still there?  ')).body.content, 'Still there?')

  const [mine] = await chatsOf(dana)
  const [theirs] = await chatsOf(luis)
  t.match(mine, { id, unreadCount: 0, lastSeq: 1, rev: 1, messages: [{ content: 'Still there?', seq: 1 }] })
  t.match(theirs, { id, unreadCount: 1, otherReadSeq: 1 })
  t.same(mine?.participants.map((one) => one.dealershipName).toSorted(), ['Herrera', 'Torres'])

  t.same(await chatsOf(stranger), [])
  t.equal((await stranger.get(`/api/chats/${id}`)).status, 404)
  t.equal((await stranger.get(`/api/chats/${id}/messages`)).status, 404)
  t.equal((await stranger.patch(`/api/chats/${id}`, { muted: true })).status, 404)
  t.equal((await say(stranger, id, 'Let me in')).status, 404)
  await stranger.put(`/api/chats/${id}/read`, { seq: 1 })
  t.equal((await chatOf(luis, id)).unreadCount, 1)
  t.equal((await app.visitor.get('/api/chats')).status, 401)
  t.equal((await app.visitor.post('/api/messages', { chatId: id, content: 'x' })).status, 401)
})

t.test('stores a message once per key, forever', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 8 }, () => untilTaken(() => say(dana, id, 'Once', key))))
  t.same([...new Set(answers.map(({ status }) => status))], [201])
  t.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  t.equal((await say(dana, id, 'Something else', key)).status, 409)
  t.equal((await say(luis, id, 'A key is its sender’s own', key)).status, 201)
  await say(dana, id, 'Next')
  const page = (await luis.get<MessagesPage>(`/api/chats/${id}/messages`)).body
  t.same(
    page.messages.map(({ seq }) => seq),
    [1, 2, 3],
    'a refused repetition leaves no gap',
  )
})

t.test('does not mark messages as read by writing', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  for (const content of ['Still there?', 'Hello?']) await say(luis, id, content)
  await say(dana, id, 'Sent by a program')
  t.match(await chatOf(dana, id), { unreadCount: 2, readSeq: 0, lastSeq: 3 })
  t.equal((await chatOf(luis, id)).otherReadSeq, 0, 'and the other participant is not notified')
  await say(luis, id, 'Yes?')
  t.match(await chatOf(dana, id), { unreadCount: 3, readSeq: 0 }, 'your own messages are never unread')
  t.equal((await dana.get<Chat[]>('/api/chats?unread=true')).body.length, 1)
  await dana.put(`/api/chats/${id}/read`, { seq: 2 })
  t.match(await chatOf(dana, id), { unreadCount: 1 })
  await dana.put(`/api/chats/${id}/read`, { seq: 4 })
  await say(dana, id, 'Now I see')
  t.match(await chatOf(dana, id), { unreadCount: 0, readSeq: 5, lastSeq: 5 }, 'a reader at the end moves along')
  t.same((await dana.get<Chat[]>('/api/chats?unread=true')).body, [])
})

t.test('numbers sixty concurrent messages without gap or repetition', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => untilTaken((key) => say(n % 2 ? dana : luis, id, `Message ${n}`, key))),
  )
  const page = (await dana.get<MessagesPage>(`/api/chats/${id}/messages?limit=200`)).body
  t.same(
    page.messages.map(({ seq }) => seq),
    Array.from({ length: 60 }, (_, n) => n + 1),
  )
  const times = page.messages.map(({ createdAt }) => createdAt)
  t.same(times, times.toSorted(), 'time and number agree')
})

t.test('pages history backward, catch-up forward, and a found message with its neighbors', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  for (let n = 1; n <= 25; n += 1) await say(dana, id, n === 7 ? 'The Tacoma has a clean title' : `Message ${n}`)
  const page = async (query: string) => (await luis.get<MessagesPage>(`/api/chats/${id}/messages?${query}`)).body
  const seqs = ({ messages }: MessagesPage) => messages.map(({ seq }) => seq)

  t.match(await page('limit=20'), { lastSeq: 25, rev: 25, more: true })
  t.same(seqs(await page('beforeSeq=6')), [1, 2, 3, 4, 5])
  t.equal((await page('beforeSeq=6')).more, false)
  t.match(await page('afterRev=22'), { rev: 25, more: false })
  t.match(await page('afterRev=0&limit=10'), { rev: 10, more: true })
  t.same(seqs(await page('aroundSeq=7&limit=4')), [5, 6, 7, 8])

  const found = (await luis.get<FoundMessage[]>('/api/chats/search?q=tacoma%20cle')).body
  t.match(found, [{ chatId: id, message: { seq: 7 }, other: { dealershipName: 'Torres' } }])
  const said = 'F-150 or CX-5, 2019-2021, $24,500 or 1.5% less: call 555-010-4477, sales@torres.example'
  await say(dana, id, said)
  const finds = async (q: string) =>
    (await luis.get<FoundMessage[]>(`/api/chats/search?q=${encodeURIComponent(q)}`)).body.length === 1
  for (const q of ['F-150', 'f 150', '150', 'cx-5', '2021', '2019-20', '24,500', '1.5', '555-010-4477', '010 44'])
    t.ok(await finds(q), q)
  for (const q of ['sales@torres.example', 'sales@torres.ex less']) t.ok(await finds(q), q)
  for (const q of ['F-250', '2018', '555-010-4478', "'", '\\', "F-150 & !('x"]) t.notOk(await finds(q), q)
  const other = await app.signIn('Other')
  t.same((await other.get('/api/chats/search?q=tacoma')).body, [])
  t.same((await luis.get('/api/chats/search?q=%21%21')).body, [])
})

t.test('moves the read pointer forward only and not past the last message', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  for (const content of ['One', 'Two', 'Three']) await say(dana, id, content)
  await luis.put(`/api/chats/${id}/read`, { seq: 2 })
  t.equal((await chatOf(luis, id)).unreadCount, 1)
  t.equal((await chatOf(dana, id)).otherReadSeq, 2)
  await luis.put(`/api/chats/${id}/read`, { seq: 1 })
  t.equal((await chatOf(luis, id)).readSeq, 2)
  await luis.put(`/api/chats/${id}/read`, { seq: 900 })
  t.equal((await chatOf(luis, id)).readSeq, 3)
})

t.test('hides read receipts if either side turned them off', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  await say(dana, id, 'Seen?')
  await app.server.ctx.db
    .updateTable('dealers')
    .set({ settings: JSON.stringify({ readReceipts: false }) })
    .where('id', '=', luis.id)
    .execute()
  const live = await dana.live()
  await luis.put(`/api/chats/${id}/read`, { seq: 1 })
  t.same(await live.receivedAfterRoundTrip('chat.read'), [])
  t.equal((await chatOf(dana, id)).otherReadSeq, null)
  t.equal((await chatOf(luis, id)).otherReadSeq, null)
})

t.test('hides read receipts if either side blocked the other', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  await say(dana, id, 'One')
  await say(dana, id, 'Two')
  const live = await dana.live()
  const block = (by: Caller, blocked: boolean) => by.patch(`/api/chats/${id}`, { blocked })
  for (const [seq, by] of [
    [1, luis],
    [2, dana],
  ] as const) {
    await block(by, true)
    await luis.put(`/api/chats/${id}/read`, { seq })
    t.same(await live.receivedAfterRoundTrip('chat.read'), [])
    t.equal((await chatOf(dana, id)).otherReadSeq, null)
    await block(by, false)
    t.equal((await chatOf(dana, id)).otherReadSeq, seq)
  }
})

t.test('refuses blank, too long and misdirected messages with a reason', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  t.equal((await say(dana, id, '   \n ')).status, 400)
  t.equal((await say(dana, id, 'x'.repeat(4_000))).status, 201)
  t.match((await say(dana, id, 'x'.repeat(4_001))).body, { error: { message: /4,000 characters at most/ } })
  t.equal((await say(dana, randomUUID(), 'Hello')).status, 404)
  t.equal((await say(dana, 'not-a-chat', 'Hello')).status, 400)
  t.equal((await dana.post('/api/chats', { dealerId: dana.id })).status, 400)
  t.equal((await dana.post('/api/chats', { dealerId: randomUUID() })).status, 404)
})

t.test('refuses messages to and from blocked or suspended dealers', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  t.match((await luis.patch(`/api/chats/${id}`, { blocked: true })).body, { blocked: true })
  t.equal((await chatOf(dana, id)).blocked, false, 'the blocked dealer is not notified')
  t.match(await say(dana, id, 'Hello?'), { status: 403, body: { error: { message: /not accepting messages/ } } })
  t.match(await say(luis, id, 'Hello?'), { status: 403, body: { error: { message: /Unblock/ } } })
  await luis.patch(`/api/chats/${id}`, { blocked: false })
  t.equal((await say(dana, id, 'Hello!')).status, 201)
  const suspendLuis = (until: RawBuilder<Date> | null) =>
    app.server.ctx.db
      .updateTable('dealers')
      .set({ suspendedAt: sql`now() - interval '1 day'`, suspendedUntil: until })
      .where('id', '=', luis.id)
      .execute()
  await suspendLuis(null)
  t.match(await say(dana, id, 'Still there?'), { status: 403, body: { error: { message: /no longer/ } } })
  t.equal((await dana.post('/api/chats', { dealerId: luis.id })).status, 404)
  await suspendLuis(sql<Date>`now() - interval '1 hour'`)
  t.equal((await say(dana, id, 'Back again?')).status, 201, 'an expired suspension has no effect')
  t.equal((await dana.post('/api/chats', { dealerId: luis.id })).status, 201)
})

t.test('throttles the sixty-first message of a minute', async (t) => {
  const app = await startApp(t, { RATE_LIMITS: 'on' })
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  await say(dana, id, 'The first')
  await addCalls(app, `messages:${dana.id}`, 58)
  t.equal((await say(dana, id, 'The sixtieth')).status, 201)
  const refused = await say(dana, id, 'One more')
  t.equal(refused.status, 429)
  t.ok(Number(refused.headers.get('retry-after')) > 0)
  t.equal((await say(luis, id, 'Others are not affected')).status, 201)
})

t.test("keeps a post's reference on the message sent from it, not on the chat", async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const postId = await publish(dana)
  const id = await openChat(luis, dana)
  await say(luis, id, 'Hello')
  const [before, tab] = [await chatOf(dana, id), await dana.live()]
  await luis.post('/api/chats', { dealerId: dana.id, postId })
  t.same(await chatOf(dana, id), before, 'opening a chat sends nothing to the other dealer')
  const sent = await say(luis, id, 'Is it sold?', randomUUID(), { postId })
  const subject = { postId, title: '2021 Ford F-150 XLT', price: 31_900, photoUrl: null }
  t.match(sent, { status: 201, body: { subject } })
  t.match(await tab.nextEvent('chat.message'), { message: { content: 'Is it sold?', subject } })
  await say(luis, id, 'Or still there?')
  const subjects = (await chatOf(dana, id)).messages.map(({ content, subject: about }) => [content, about?.postId])
  t.same(subjects, [
    ['Hello', undefined],
    ['Is it sold?', postId],
    ['Or still there?', undefined],
  ])
  await dana.delete(`/api/inventory/${postId}`)
  t.equal((await chatOf(luis, id)).messages[1]?.subject, undefined, 'nothing is shown of a deleted post')
  t.match((await say(luis, id, 'Gone?', randomUUID(), { postId })).body, { content: 'Gone?', subject: undefined })
})

t.test("names the number and lowest price of a post's vehicles, or the auctioned one, in a message", async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const [cheap, dear] = [
    { ...aVehicle, vin: '4T1BE46K19U856421', make: 'Toyota', model: 'Camry', price: 8_950 },
    { ...aVehicle, vin: '1FTFW1E59NKD69096', price: 40_000, photos: ['https://example.com/dear.jpg'] },
  ]
  const title = 'Live auction: three vehicles'
  const postId = await publish(dana, { title, type: 'multiple', vehicles: [aVehicle, cheap, dear] })
  const id = await openChat(luis, dana)
  const subject = async () => (await say(luis, id, 'Still there?', randomUUID(), { postId })).body.subject
  t.match(await subject(), { postId, title, vehicleCount: 3, price: 8_950, vehicle: undefined })
  const { body } = await dana.get<PostDetail>(`/api/inventory/${postId}`)
  const [, sold] = body.vehicles
  await dana.patch(`/api/inventory/${postId}`, { vehicle: { id: sold?.id, status: 'sold' } })
  t.match(await subject(), { vehicleCount: 3, price: aVehicle.price }, 'a sold vehicle has no price')
  const auction = { startAmount: 500, reserveAmount: null }
  t.equal((await dana.patch(`/api/inventory/${postId}`, { auction })).status, 200)
  const vehicle = `${aVehicle.year} ${aVehicle.make} ${aVehicle.model}`
  const lot = { vehicleCount: 1, vehicle: new RegExp(`^${vehicle}`), price: aVehicle.price, photoUrl: null }
  t.match(await subject(), lot, 'an auction sells the first vehicle')
  t.match((await chatOf(dana, id)).messages.at(-1)?.subject, lot)
})

t.test('shows an empty chat only to the dealer who opened it', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  t.equal((await chatsOf(dana)).length, 1)
  t.equal((await chatsOf(luis)).length, 0)
  const otherTab = await luis.live()
  t.equal(await openChat(luis, dana), id)
  t.match(await otherTab.receivedAfterRoundTrip('inbox.changed'), [{ what: 'chat', id }])
  for (const dealer of [dana, luis]) {
    t.match(await chatsOf(dealer), [{ id, lastSeq: 0 }])
    t.match((await dealer.get<SyncHeads>('/api/heads')).body.chats, [[id, 0, 0, 0]])
  }
  await openChat(luis, dana)
  t.equal((await otherTab.receivedAfterRoundTrip('inbox.changed')).length, 1, 'opening it again changes nothing')
})

t.test('pages a long list without gap or repetition, with total, search and unread filter', async (t) => {
  const dana = await app.signIn('Torres')
  const partners = await Promise.all(
    Array.from({ length: 7 }, (_, n) =>
      app.signIn(n === 2 ? 'Gulf_Coast 100% Autos' : `Lot ${n}`, { name: `Person ${n}` }),
    ),
  )
  const ids: string[] = []
  for (const partner of partners) {
    const id = await openChat(partner, dana)
    await say(partner, id, 'First')
    await say(partner, id, 'Second')
    ids.unshift(id)
  }
  // Two chats have the same microsecond and others the same millisecond. Pagination must not lose any of them.
  for (const [index, microseconds] of ['006400', '006400', '006200', '006100'].entries())
    await app.server.ctx.db
      .updateTable('chats')
      .set({ lastActivity: sql<Date>`${`2026-01-02T03:04:05.${microseconds}Z`}::timestamptz` })
      .where('id', '=', ids[index + 2] ?? '')
      .execute()
  const listed: string[] = []
  let path: string | undefined = '/api/chats?limit=2&messages=1'
  while (path !== undefined) {
    const page: Answer<Chat[]> = await dana.get<Chat[]>(path)
    t.equal(page.headers.get('x-total-count'), '7')
    t.ok(page.body.every(({ messages }) => messages.length === 1 && messages[0]?.content === 'Second'))
    listed.push(...page.body.map(({ id }) => id))
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  t.equal(listed.length, 7)
  t.same(listed.toSorted(), ids.toSorted())
  const found = async (query: string) => (await dana.get<Chat[]>(`/api/chats?${query}`)).body.map(({ id }) => id)
  t.same(await found('search=gulf_coast%20100%25'), [ids[4]])
  t.same(await found('search=PERSON%202'), [ids[4]])
  t.same(await found('search=%25'), [ids[4]], 'operators of the query language match as text')
  t.same(await found('search=torres'), [], 'your own name finds nothing')
  await dana.put(`/api/chats/${ids[0]}/read`, { seq: 2 })
  t.equal((await found('unread=true')).length, 6)
  t.equal((await dana.get('/api/chats?cursor=nonsense')).status, 400)
  t.equal((await dana.get('/api/chats?messages=21')).status, 400)
})

t.test('answers heads with 304 until something changes', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  const first = await luis.get<SyncHeads>('/api/heads')
  const etag = first.headers.get('etag') ?? ''
  t.equal((await luis.get('/api/heads', undefined, { 'if-none-match': etag })).status, 304)
  await say(dana, id, 'News')
  const next = await until('the heads to change', async () => {
    const answer = await luis.get<SyncHeads>('/api/heads', undefined, { 'if-none-match': etag })
    return answer.status === 200 ? answer : undefined
  })
  t.same(next.body.chats, [[id, 1, 1, 0]])
})

t.test('starts demo chats with demo dealers, who answer questions', async (t) => {
  const app = await startApp(t)
  const dana = await app.signIn('Torres')
  const other = await app.signIn('Other')
  t.equal((await other.post(`/api/chats/${dana.id}/generate`)).status, 403)
  const made = await dana.post<Chat[]>(`/api/chats/${dana.id}/generate`)
  t.equal(made.status, 201)
  t.equal(made.body.length, 4)
  t.ok(made.body.every((chat) => chat.unreadCount > 0))
  const chat = made.body[0]
  const live = await dana.live()
  const view = await live.view({ kind: 'chat', id: chat?.id ?? '', on: true })
  t.ok(view.ok)
  const sent = await say(dana, chat?.id ?? '', 'Can you send photos?')
  t.match(await live.nextEvent('chat.read', (event) => event.dealerId !== dana.id), { seq: sent.body.seq })
  await live.nextEvent('chat.typing')
  const answer = await live.nextEvent('chat.message', (event) => event.message.senderId !== dana.id)
  t.match(answer, { chatId: chat?.id, seq: sent.body.seq + 1, message: { content: /photos|phone/ } })
  const again = await dana.post<Chat[]>(`/api/chats/${dana.id}/generate`)
  t.equal(again.status, 201)
})

t.test('lets an unattended demo dealer answer real dealers but not other demo dealers', async (t) => {
  const app = await startApp(t)
  const { db } = app.server.ctx
  const [dana, ...demo] = [await app.signIn('Torres'), await app.signIn('Webb'), await app.signIn('Okafor')]
  const [webb, okafor] = demo as [Caller, Caller]
  const [alone, asked] = [await openChat(webb, okafor), await openChat(dana, webb)]
  const ids = demo.map(({ id }) => id)
  await db.updateTable('dealers').set({ demo: true }).where('id', 'in', ids).execute()
  await db.deleteFrom('sessions').where('dealerId', 'in', ids).execute()
  const message = {
    clientId: randomUUID(),
    content: 'Any photos?',
    attachmentUrl: null,
    attachmentName: null,
    postId: null,
  }
  await storeMessage(app.server.ctx, { ...message, chatId: alone, senderId: webb.id })
  const sent = await say(dana, asked, 'Any photos?')
  await until('the answer', async () => (await chatOf(dana, asked)).lastSeq > sent.body.seq)
  const jobs = await db
    .selectFrom('outbox')
    .select('name')
    .where('kind', '=', 'job')
    .where(sql`payload ->> 'chatId'`, '=', alone)
    .execute()
  const { lastSeq } = await db.selectFrom('chats').select('lastSeq').where('id', '=', alone).executeTakeFirstOrThrow()
  t.same([jobs, lastSeq], [[], 1], 'nothing is due in the other chat')
})
