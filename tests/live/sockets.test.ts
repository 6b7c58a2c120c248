import { sql } from 'kysely'
import t from 'tap'
import { WebSocket } from 'ws'
import { postRoom } from '#server/realtime/rooms.ts'
import { type Caller, startApp, type TestApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { checkHandover } from '#tests/support/handover.ts'
import type { LiveClient } from '#tests/support/live-client.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const socketsOf = ({ server }: TestApp) => server.io.of('/').sockets

t.test('closes the sockets of an expired session within a minute', async (t) => {
  const [dana, luis, omar] = [await app.signIn('Torres'), await app.signIn('Herrera'), await app.signIn('Said')]
  const [old, idle, open] = [[await dana.live(), await dana.live()], await luis.live(), await omar.live()]
  const end = (dealer: Caller, change: { expiresAt: Date } | { lastSeenAt: Date }) =>
    app.server.ctx.db.updateTable('sessions').set(change).where('dealerId', '=', dealer.id).execute()
  await end(dana, { expiresAt: new Date(Date.now() - 1_000) })
  await end(luis, { lastSeenAt: new Date(Date.now() - 15 * 24 * 3_600_000) })
  const isOver = ({ heard, socket }: LiveClient) => !socket.connected && heard.some(({ name }) => name === 'kick')
  await until('the sockets to be kicked and closed', () => [...old, idle].every(isOver))
  t.match(old[0]?.heard.at(-1), { name: 'kick', event: { code: 'expired' } })
  t.ok(open.socket.connected)
  t.equal(socketsOf(app).size, 1)
})

t.test('applies views in the order they were sent', async (t) => {
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
  t.equal(held.filter(Boolean).length, held.length, 'the viewer is still in the room')
})

t.test('logs a handshake that fails through a server fault and allows a retry', async (t) => {
  const dana = await app.signIn('Torres')
  const { db, log } = app.server.ctx
  const logged = t.capture(log, 'error')
  await sql`alter table sessions rename to away`.execute(db)
  await t.rejects(dana.live(), { message: 'unavailable' })
  await sql`alter table away rename to sessions`.execute(db)
  t.match(logged(), [{ args: [{ err: { code: '42P01' } }, 'a handshake failed'] }])
  t.ok(await dana.live())
})

t.test('allows forty sockets per session on all nodes, and another when one closes', async (t) => {
  const other = await startApp(t, {}, app.services)
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const elsewhere = app.on(other, dana)
  const tabs = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? dana : elsewhere).live()))
  await t.rejects(dana.live(), { message: 'too_many' })
  await t.rejects(elsewhere.live(), { message: 'too_many' })
  t.ok(await luis.live(), 'other dealers are not affected')
  tabs[0]?.close()
  const comesIn = () =>
    elsewhere.live().then(
      () => true,
      () => false,
    )
  await until('a free connection for the session', comesIn)
  await t.rejects(dana.live(), { message: 'too_many' })
  t.equal(socketsOf(app).size + socketsOf(other).size, 41)
})

t.test('allows a hundred anonymous connections per address, besides signed-in ones', async (t) => {
  const limited = await startApp(t, { RATE_LIMITS: 'on' })
  const dana = await limited.signIn('Torres')
  const tab = await dana.live()
  const connect = () => new WebSocket(`${limited.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  const sockets = Array.from({ length: 130 }, connect)
  t.teardown(() => {
    for (const socket of sockets) socket.close()
  })
  const inState = (state: number) => sockets.filter(({ readyState }) => readyState === state)
  await until('the extra connections to close', () => inState(WebSocket.CLOSED).length === 30)
  t.equal(inState(WebSocket.OPEN).length, 100)
  t.ok(tab.socket.connected)
  for (const socket of sockets) socket.close()
  const comesIn = () =>
    dana.live().then(
      () => true,
      () => false,
    )
  await until('a free connection for the address', comesIn)
})

t.test('moves the sockets of a stopping node to the next one without loss', (t) => checkHandover(t, 3))
