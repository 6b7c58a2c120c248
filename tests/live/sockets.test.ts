import { sql } from 'kysely'
import t from 'tap'
import type { Socket } from 'node:net'
import { postRoom } from '#server/realtime/rooms.ts'
import type { RunningServer } from '#server/server.ts'
import { type Caller, startApp, type TestApp } from '#tests/support/app.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { publish } from '#tests/support/factories.ts'
import { connectLive, type LiveClient } from '#tests/support/live-client.ts'
import { balance } from '#tests/support/proxy.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const socketsOf = ({ server }: TestApp) => server.io.of('/').sockets

t.test('a session that ends by the clock takes its sockets with it within a minute', async (t) => {
  const [dana, luis, omar] = [await app.signIn('Torres'), await app.signIn('Herrera'), await app.signIn('Said')]
  const [old, idle, open] = [[await dana.live(), await dana.live()], await luis.live(), await omar.live()]
  const end = (dealer: Caller, change: { expiresAt: Date } | { lastSeenAt: Date }) =>
    app.server.ctx.db.updateTable('sessions').set(change).where('dealerId', '=', dealer.id).execute()
  await end(dana, { expiresAt: new Date(Date.now() - 1_000) })
  await end(luis, { lastSeenAt: new Date(Date.now() - 15 * 24 * 3_600_000) })
  const isOver = ({ heard, socket }: LiveClient) => !socket.connected && heard.some(({ name }) => name === 'kick')
  await until('those sockets to be told and cut', () => [...old, idle].every(isOver), 60_000)
  t.match(old[0]?.heard.at(-1), { name: 'kick', event: { code: 'expired' } })
  t.ok(open.socket.connected)
  t.equal(socketsOf(app).size, 1)
})

t.test('views are taken in the order in which they were sent', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const postId = await publish(luis)
  const live = await dana.live()
  const view = (on: boolean) => live.view({ kind: 'post', id: postId, on })
  await view(true)
  const held: boolean[] = []
  for (let n = 0; n < 40; n += 1) {
    await Promise.all([view(false), view(true)])
    held.push([...socketsOf(app).values()].some(({ rooms }) => rooms.has(postRoom(postId))))
  }
  t.equal(held.filter(Boolean).length, held.length, 'who came back last is there')
})

t.test('a handshake that fails by a fault of ours is said in the log, and may be tried again', async (t) => {
  const dana = await app.signIn('Torres')
  const { db, log } = app.server.ctx
  const logged = t.capture(log, 'error')
  await sql`alter table sessions rename to away`.execute(db)
  await t.rejects(dana.live(), { message: 'unavailable' })
  await sql`alter table away rename to sessions`.execute(db)
  t.match(logged(), [{ args: [{ err: { code: '42P01' } }, 'a handshake failed'] }])
  t.ok(await dana.live())
})

t.test('a session holds forty sockets on all nodes together, and the next one when one of them goes', async (t) => {
  const other = await startApp(t, {}, app.services)
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const elsewhere = app.on(other, dana)
  const tabs = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? dana : elsewhere).live()))
  await t.rejects(dana.live(), { message: 'too_many' })
  await t.rejects(elsewhere.live(), { message: 'too_many' })
  t.ok(await luis.live(), 'others are not affected')
  tabs[0]?.close()
  const comesIn = () =>
    elsewhere.live().then(
      () => true,
      () => false,
    )
  await until('the place to be free', comesIn)
  await t.rejects(dana.live(), { message: 'too_many' })
  t.equal(socketsOf(app).size + socketsOf(other).size, 41)
})

t.test('a node that goes sends its sockets to the next one, where they miss nothing', async (t) => {
  const old = await startApp(t)
  const next = await startApp(t, {}, old.services)
  let node = old
  const url = await balance(t, () => node.url)
  const [dana, luis] = [await old.signIn('Torres'), await old.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  // More than one batch of the drain, and than one session may hold.
  const readers = [luis, dana].flatMap(({ cookie }) => Array.from({ length: 30 }, () => cookie))
  const tabs = await Promise.all(readers.map((cookie) => connectLive(t, url, cookie)))
  t.equal(socketsOf(old).size, tabs.length)

  node = next
  const stopped = old.server.stop('a new release')
  const { status } = await say(next.on(next, dana), chatId, 'Said while it went')
  t.equal(status, 201)
  await Promise.all(tabs.map((tab) => tab.nextEvent('drain')))
  await stopped
  const isThere = () => socketsOf(next).size === tabs.length && tabs.every(({ socket }) => socket.connected)
  t.ok(await until('every tab to be at the next node', isThere, 20_000), 'none stays away')
  const answers = await Promise.all(tabs.map((tab) => tab.sync({ dealer: 0, chats: { [chatId]: 0 } })))
  for (const answer of answers) t.match(answer, { ok: true, data: { chats: { [chatId]: 1 } } }, 'told what is missing')
  await say(next.on(next, dana), chatId, 'And after')
  for (const tab of tabs) await tab.nextEvent('chat.message', ({ message }) => message.content === 'And after')
})

/** The TCP connection under a client's WebSocket: paused, it reads no more. Private in the library's types. */
function wireOf({ socket }: LiveClient): Socket {
  const { ws } = socket.io.engine.transport as unknown as { ws: Record<string, Socket> }
  const wire = ws['_socket']
  if (wire === undefined) throw new Error('the client has no connection')
  return wire
}

t.test('a reader that stalls is cut off, holds nothing and nobody up, and catches up when it is back', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  const [stalled, awake] = [await luis.live(), await luis.live()]
  const gone = socketsOf(app).get(stalled.socket.id ?? '')
  const wire = wireOf(stalled)
  wire.pause()
  await say(dana, chatId, 'Nobody reads this at first')
  // Far more than the kernel holds for them, in rounds: what is handed over at once waits elsewhere.
  const cargo = 'x'.repeat(10_000)
  let rounds = 60
  const load = () => {
    if ((rounds -= 1) < 0) return
    for (let n = 0; n < 50; n += 1) app.server.io.local.emit('feed.head', { newestId: cargo, newPosts: 1, jitterMs: 0 })
  }
  await until(
    'the stalled reader to be cut off',
    () => {
      load()
      return gone?.connected === false
    },
    30_000,
  )
  t.equal(socketsOf(app).size, 1)
  t.ok(awake.socket.connected)
  await awake.nextEvent('chat.message', ({ message }) => message.content === 'Nobody reads this at first')

  wire.resume()
  await until('it to be back', () => stalled.socket.connected && socketsOf(app).size === 2, 30_000)
  t.match(await stalled.sync({ dealer: 0, chats: { [chatId]: 0 } }), {
    data: { chats: { [chatId]: 1 } },
  })
})

/** What a node holds for its sockets. */
function heldBy({ io, ctx }: RunningServer) {
  const { rooms, sids } = io.of('/').adapter
  return {
    sockets: io.of('/').sockets.size,
    connections: io.engine.clientsCount,
    rooms: rooms.size,
    members: sids.size,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    listeners: [io.engine, io.of('/'), io.of('/').adapter, ctx.redis.commands, process]
      .map((emitter) => emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name as never), 0))
      .join(' '),
  }
}

t.test('two hundred sockets come, look around and go: rooms, timers and listeners are as before', async (t) => {
  const app = await startApp(t)
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const [chatId, postId] = [await openChat(dana, luis), await publish(dana)]
  const visit = async (visitor = luis) => {
    const tab = await visitor.live()
    for (const view of [
      { kind: 'feed', id: '' },
      { kind: 'post', id: postId },
      { kind: 'chat', id: chatId },
      { kind: 'dealer', id: dana.id },
    ] as const)
      t.match(await tab.view({ ...view, on: true }), { ok: true })
    return tab
  }
  const leave = (tabs: LiveClient[]) => {
    for (const tab of tabs) tab.close()
    return until('the last to be gone', () => app.server.io.engine.clientsCount === 0)
  }
  await leave([await visit()])
  const base = heldBy(app.server)
  t.match(base, { sockets: 0, connections: 0, rooms: 0, members: 0 })
  for (let wave = 0; wave < 4; wave += 1) {
    const tabs = await Promise.all(Array.from({ length: 50 }, (_, n) => visit(n % 2 === 0 ? luis : dana)))
    t.equal(socketsOf(app).size, 50)
    await leave(tabs)
  }
  await until('everything to be as before', () => {
    const held = heldBy(app.server)
    return held.timers <= base.timers && held.rooms === 0
  })
  t.same({ ...heldBy(app.server), timers: base.timers }, base)
})
