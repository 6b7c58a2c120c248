import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import type { Chat } from '#shared/schemas/messaging.ts'
import { startApp } from '#tests/support/app.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { publish } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
const second = await startApp(t, {}, app.services)

t.test('delivers a message to both dealers on any node, and to nobody else', async (t) => {
  const [dana, luis, other] = [await app.signIn('Torres'), await app.signIn('Herrera'), await app.signIn('Other')]
  const [danaTab, luisTab, stranger] = [
    await dana.live(),
    await app.on(second, luis).live(),
    await app.on(second, other).live(),
  ]
  const id = await openChat(dana, luis)
  t.match(await danaTab.nextEvent('inbox.changed'), { what: 'chat', id })
  const { body } = await say(dana, id, 'Across nodes')
  const expected = { chatId: id, rev: 1, seq: 1, message: body }
  t.same(await luisTab.nextEvent('chat.message'), expected)
  t.same(await danaTab.nextEvent('chat.message'), expected)
  t.same(await stranger.receivedAfterRoundTrip('chat.message'), [])
  t.same((await stranger.view({ kind: 'chat', id, on: true })).ok, false)
})

t.test('shows read messages in all tabs of the reader, and to the other dealer', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  await say(dana, id, 'Read me')
  const tabs = [await dana.live(), await luis.live(), await app.on(second, luis).live()]
  await luis.put(`/api/chats/${id}/read`, { seq: 1 })
  for (const tab of tabs) t.same(await tab.nextEvent('chat.read'), { chatId: id, dealerId: luis.id, seq: 1 })
})

t.test('shows typing to dealers with the chat open, sent by members with it open', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  const [danaTab, luisTab] = [await dana.live(), await luis.live()]
  const type = () => new Promise((resolve) => danaTab.socket.emit('typing', { chatId: id }, resolve))
  t.match(await type(), { ok: false, error: { code: 'forbidden' } })
  await danaTab.view({ kind: 'chat', id, on: true })
  t.match(await type(), { ok: true })
  t.same(await luisTab.receivedAfterRoundTrip('chat.typing'), [])
  await luisTab.view({ kind: 'chat', id, on: true })
  await type()
  t.match(await luisTab.nextEvent('chat.typing'), { chatId: id, dealerId: dana.id })
  await luis.patch('/api/settings', { typingIndicators: false })
  await type()
  t.equal(
    (await luisTab.receivedAfterRoundTrip('chat.typing')).length,
    1,
    'a dealer with it turned off sees nobody type',
  )
})

t.test('lists changed chats in sync, including ones unknown to the client', async (t) => {
  const [dana, luis, ray] = [await app.signIn('Torres'), await app.signIn('Herrera'), await app.signIn('Gulf')]
  const [known, fresh] = [await openChat(luis, dana), await openChat(ray, dana)]
  await say(luis, known, 'One')
  const live = await dana.live()
  t.same(await live.sync({ dealer: 0, chats: { [known]: 1 } }), { ok: true, data: {} })
  await say(luis, known, 'Two')
  await say(ray, fresh, 'First')
  t.same(await live.sync({ dealer: 0, chats: { [known]: 1 } }), {
    ok: true,
    data: { chats: { [known]: 2, [fresh]: 1 } },
  })
})

t.test('compares the chats that the client sent even if many others were active since', async (t) => {
  const [dana, luis, ray] = [await app.signIn('Torres'), await app.signIn('Herrera'), await app.signIn('Gulf')]
  const [old, foreign] = [await openChat(luis, dana), await openChat(luis, ray)]
  for (const id of [old, foreign]) await say(luis, id, 'One')
  const { db } = app.server.ctx
  const crowd = Array.from({ length: 50 }, () => randomUUID())
  await sql`with others as (
      insert into dealers (id, email, name, dealership_name)
      select id, id || '@mail.example', 'Other', 'Other' from unnest(${crowd}::uuid[]) id returning id
    ), opened as (
      insert into chats (id, low_dealer_id, high_dealer_id, opened_by, rev, last_seq, last_activity)
      select id, least(id, ${dana.id}::uuid), greatest(id, ${dana.id}::uuid), id, 1, 1, now() + interval '1 minute' from others
      returning id
    )
    insert into chat_members (chat_id, dealer_id)
    select id, unnest(array[id, ${dana.id}::uuid]) from opened`.execute(db)
  const live = await dana.live()
  const known = Object.fromEntries(crowd.map((id) => [id, 1]))
  t.same(await live.sync({ dealer: 0, chats: { ...known, [old]: 0, [foreign]: 0, 'no id': 0 } }), {
    ok: true,
    data: { chats: { [old]: 1 } },
  })
  t.same(await live.sync({ dealer: 0, chats: { ...known, [old]: 1 } }), { ok: true, data: {} })
})

t.test('shows presence across nodes to dealers who have the other on screen', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const danaTab = await dana.live()
  t.ok((await danaTab.view({ kind: 'dealer', id: luis.id, on: true })).ok)
  t.same(await danaTab.nextEvent('presence'), { dealerId: luis.id, online: false })
  const luisTab = await app.on(second, luis).live()
  t.same(await danaTab.nextEvent('presence'), { dealerId: luis.id, online: true })
  luisTab.close()
  t.same(await danaTab.nextEvent('presence', ({ online }) => !online), { dealerId: luis.id, online: false })
})

t.test('sends presence and viewers for a whole list that appears on screen at once', async (t) => {
  const dana = await app.signIn('Torres')
  const others = await Promise.all(['Herrera', 'Gulf', 'Boyle', 'Parkway'].map((name) => app.signIn(name)))
  const posts = await Promise.all(others.map((dealer) => publish(dealer)))
  for (const other of others) await other.live()
  const live = await dana.live()
  await Promise.all([
    ...others.map(({ id }) => live.view({ kind: 'dealer', id, on: true })),
    ...posts.map((id) => live.view({ kind: 'post', id, on: true })),
  ])
  for (const { id } of others) t.ok(await live.nextEvent('presence', (event) => event.dealerId === id && event.online))
  for (const id of posts) t.match(await live.nextEvent('post.viewers', ({ postId }) => postId === id), { viewers: 0 })
})

t.test('neither shows nor sends presence to a dealer who hides it', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  await app.server.ctx.db
    .updateTable('dealers')
    .set({ settings: JSON.stringify({ onlineStatus: false }) })
    .where('id', '=', luis.id)
    .execute()
  const [danaTab, luisTab] = [await dana.live(), await luis.live()]
  await danaTab.view({ kind: 'dealer', id: luis.id, on: true })
  t.same(await danaTab.nextEvent('presence'), { dealerId: luis.id, online: false })
  t.notOk((await luisTab.view({ kind: 'dealer', id: dana.id, on: true })).ok)
})

t.test('hides presence between dealers if one has blocked the other, on any node', async (t) => {
  const [dana, luis, boyle] = [await app.signIn('Torres'), await app.signIn('Herrera'), await app.signIn('Boyle')]
  const id = await openChat(dana, luis)
  const [danaTab, boyleTab] = [await app.on(second, dana).live(), await app.on(second, boyle).live()]
  for (const tab of [danaTab, boyleTab]) {
    await tab.view({ kind: 'dealer', id: luis.id, on: true })
    await tab.nextEvent('presence', ({ online }) => !online)
  }
  const luisTab = await luis.live()
  for (const tab of [danaTab, boyleTab]) await tab.nextEvent('presence', ({ online }) => online)
  const { length } = await danaTab.receivedAfterRoundTrip('presence')
  await luis.patch(`/api/chats/${id}`, { blocked: true })
  // Each new viewer triggers another event, so check the last event.
  const told = () => danaTab.heard.filter(({ name }) => name === 'presence')
  await until('the offline event', () => told().length > length)
  t.same(told().at(-1)?.event, { dealerId: luis.id, online: false })
  t.notOk((await luisTab.view({ kind: 'dealer', id: dana.id, on: true })).ok)
  luisTab.close()
  await boyleTab.nextEvent('presence', ({ online }) => !online)
  t.equal(
    (await danaTab.receivedAfterRoundTrip('presence')).length,
    length + 1,
    'only others receive the offline event',
  )
  t.ok((await danaTab.view({ kind: 'dealer', id: luis.id, on: false })).ok, 'a dealer who is hidden can still be left')
  t.notOk((await danaTab.view({ kind: 'dealer', id: luis.id, on: true })).ok)
  await luis.patch(`/api/chats/${id}`, { blocked: false })
  t.ok((await danaTab.view({ kind: 'dealer', id: luis.id, on: true })).ok)
})

t.test('gives the same state as the next fetch after applying all events', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const id = await openChat(dana, luis)
  await say(dana, id, 'Before')
  const live = await dana.live()
  const before = (await dana.get<Chat>(`/api/chats/${id}`)).body
  await say(luis, id, 'After')
  await say(luis, id, 'And again')
  await dana.put(`/api/chats/${id}/read`, { seq: 2 })
  await live.nextEvent('chat.read')
  const heard = await live.receivedAfterRoundTrip('chat.message')
  const after = (await dana.get<Chat>(`/api/chats/${id}`)).body
  t.same([...before.messages, ...heard.map(({ message }) => message)], after.messages)
  t.equal(heard.at(-1)?.rev, after.rev)
})
