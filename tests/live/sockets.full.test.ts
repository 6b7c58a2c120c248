import type { Socket } from 'node:net'
import t from 'tap'
import type { RunningServer } from '#server/server.ts'
import { startApp, type TestApp } from '#tests/support/app.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { publish } from '#tests/support/factories.ts'
import { checkHandover } from '#tests/support/handover.ts'
import type { LiveClient } from '#tests/support/live-client.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const socketsOf = ({ server }: TestApp) => server.io.of('/').sockets

// Sixty sockets are more than the server drains in one batch, and more than one session may hold. So each of two sessions holds thirty.
t.test('moves sixty sockets of a stopping node to the next one without loss', (t) => checkHandover(t, 30))

/** Returns the client's network connection, which the library's types declare as private. */
function wireOf({ socket }: LiveClient): Socket {
  const { ws } = socket.io.engine.transport as unknown as { ws: Record<string, Socket> }
  const wire = ws['_socket']
  if (wire === undefined) throw new Error('the client has no connection')
  return wire
}

t.test('disconnects a stalled reader without delaying others, and lets it catch up', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  const [stalled, awake] = [await luis.live(), await luis.live()]
  const gone = socketsOf(app).get(stalled.socket.id ?? '')
  const wire = wireOf(stalled)
  wire.pause()
  await say(dana, chatId, 'Nobody reads this at first')
  // Send more than the kernel buffers, in rounds. A single burst would wait in the WebSocket library, where the server does not count it.
  const cargo = 'x'.repeat(10_000)
  let rounds = 60
  const load = () => {
    if ((rounds -= 1) < 0) return
    for (let n = 0; n < 50; n += 1) app.server.io.local.emit('feed.head', { newestId: cargo, newPosts: 1, jitterMs: 0 })
  }
  await until('the stalled reader to be disconnected', () => {
    load()
    return gone?.connected === false
  })
  t.equal(socketsOf(app).size, 1)
  t.ok(awake.socket.connected)
  await awake.nextEvent('chat.message', ({ message }) => message.content === 'Nobody reads this at first')

  wire.resume()
  await until('the stalled reader to reconnect', () => stalled.socket.connected && socketsOf(app).size === 2)
  t.match(await stalled.sync({ dealer: 0, chats: { [chatId]: 0 } }), {
    data: { chats: { [chatId]: 1 } },
  })
})

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

t.test('frees rooms, timers and listeners after two hundred sockets leave', async (t) => {
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
      if (!(await tab.view({ ...view, on: true })).ok) throw new Error(`${view.kind} was refused`)
    return tab
  }
  const leave = (tabs: LiveClient[]) => {
    for (const tab of tabs) tab.close()
    return until('every socket to close', () => app.server.io.engine.clientsCount === 0)
  }
  await leave([await visit()])
  const base = heldBy(app.server)
  t.match(base, { sockets: 0, connections: 0, rooms: 0, members: 0 })
  for (let wave = 0; wave < 4; wave += 1) {
    const tabs = await Promise.all(Array.from({ length: 50 }, (_, n) => visit(n % 2 === 0 ? luis : dana)))
    t.equal(socketsOf(app).size, 50)
    await leave(tabs)
  }
  await until('rooms, timers and listeners to return to their initial counts', () => {
    const held = heldBy(app.server)
    return held.timers <= base.timers && held.rooms === 0
  })
  t.same({ ...heldBy(app.server), timers: base.timers }, base)
})
