import '#tests/support/dom.ts'
import { QueryObserver } from '@tanstack/react-query'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import t, { type Test } from 'tap'
import { handlers, inbox } from '#client/app/live.ts'
import { connectionState, currentSocket, type LiveSocket } from '#client/lib/live/connection.ts'
import { refetchLive } from '#client/lib/live/live-queries.ts'
import { connectSocket, openLive } from '#client/lib/live/socket.ts'
import { billingQuery } from '#client/features/billing/billing.api.ts'
import { meKey } from '#client/lib/query/query-keys.ts'
import { everyVisible } from '#client/lib/screen/visible-interval.ts'
import { resetStore } from '#client/lib/storage/store-slice.ts'
import type { ControlEvents } from '#shared/events/control.ts'
import type { ClientToServer, ServerToClient } from '#shared/events/index.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { stopTime } from '#tests/support/stopped-time.ts'
import { aQueryClient } from '#tests/support/query-cache.ts'

const hello: Parameters<ControlEvents['hello']>[0] = {
  node: 'a',
  build: 'one',
  serverTime: '2026-11-20T10:00:00.000Z',
  dealerId: 'dana',
  dealerRev: 0,
  degraded: false,
}

const retryMs = 1

const hears = (socket: LiveSocket, name: 'hello' | 'heartbeat' | 'drain' | 'disconnect' | 'connect_error') =>
  new Promise<void>((resolve) => socket.once(name, () => resolve()))

async function openTab(t: Test, admits = () => true) {
  const http = createServer()
  const server = new Server<ClientToServer, ServerToClient>(http)
  const wires: Socket[] = []
  http.on('connection', (wire: Socket) => wires.push(wire))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  server.use((_socket, next) => next(admits() ? undefined : new Error('busy')))
  server.on('connection', (socket) => socket.emit('hello', hello))
  const socket: LiveSocket = io(`http://127.0.0.1:${address.port}`, {
    transports: ['websocket'],
    reconnectionDelay: retryMs,
    randomizationFactor: 0,
    autoConnect: false,
  })
  const cache = aQueryClient()
  const close = openLive({
    socket,
    cache,
    handlers,
    inbox,
    onConnected: [],
    onOffline: [],
  })
  t.teardown(async () => {
    close()
    // Close the connections explicitly, because they do not close by themselves while time is stopped.
    for (const wire of wires) wire.destroy()
    await server.close()
    resetStore()
  })
  socket.connect()
  return { server, socket, cache, close }
}

t.test('stays at the next node after its node closed the connection', async (t) => {
  const time = stopTime(t)
  const { server, socket } = await openTab(t)
  await hears(socket, 'hello')
  const [heard, left, back] = [hears(socket, 'drain'), hears(socket, 'disconnect'), hears(socket, 'hello')]
  server.emit('drain', { inMs: 1_000, jitterMs: 0 })
  await heard
  for (const { conn } of server.of('/').sockets.values()) conn.close()
  await left
  time.tick(retryMs)
  await back
  // This is less than the ping timeout.
  time.tick(1_000)
  t.ok(socket.connected)
})

t.test('does not reconnect after a temporary refusal and a sign-out', async (t) => {
  const time = stopTime(t)
  const { socket, close } = await openTab(t, () => false)
  await hears(socket, 'connect_error')
  close()
  time.tick(60_000)
  t.notOk(socket.active)
  t.equal(currentSocket(), undefined)
})

t.test('tries again soon if a connection opens and the server sends nothing', async (t) => {
  const time = stopTime(t)
  const http = createServer()
  const server = new Server<ClientToServer, ServerToClient>(http)
  server.on('connection', (socket) => socket.emit('hello', hello))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const proxy = await proxyTo(t, `http://127.0.0.1:${(http.address() as AddressInfo).port}`)
  proxy.blackHole()
  t.intercept(globalThis, 'location', { value: new URL(proxy.url), configurable: true })
  const socket = connectSocket()
  t.teardown(async () => {
    socket.close()
    await server.close()
  })
  const given = hears(socket, 'connect_error')
  // On its own, Socket.IO would wait for 20 seconds.
  time.tick(5_000)
  await given
  proxy.heal()
  const back = hears(socket, 'hello')
  time.tick(1_000)
  await back
})

t.test('refetches if the first hello names another dealer or revision', async (t) => {
  for (const [me, asks] of [
    [{ id: 'dana', rev: 0 }, false],
    [{ id: 'dana', rev: 1 }, true],
    [{ id: 'elena', rev: 0 }, true],
  ] as const) {
    const { socket, cache, close } = await openTab(t)
    cache.setQueryDefaults(meKey, { meta: { live: true } })
    cache.setQueryData(meKey, me)
    await hears(socket, 'hello')
    t.equal(cache.getQueryState(meKey)?.isInvalidated, asks, `${me.id} at ${me.rev}`)
    close()
  }
})

t.test('keeps the connection of a tab that was hidden for seconds, and reopens it after six minutes', async (t) => {
  // Stop the clock before the tab starts its timers, because a stopped clock cannot clear timers that started before it.
  const time = stopTime(t, { apis: ['Date', 'setInterval'] })
  const { server, socket } = await openTab(t)
  await hears(socket, 'hello')
  t.teardown(() => Reflect.deleteProperty(document, 'hidden'))
  let closes = 0
  socket.on('disconnect', () => (closes += 1))
  const hideFor = async (ms: number) => {
    // This interval listens after the tab's own, so it runs right after the tab's check.
    const checked = new Promise<void>((resolve) => {
      const stop = everyVisible(ms, () => {
        stop()
        resolve()
      })
    })
    for (const value of [true, false]) {
      Object.defineProperty(document, 'hidden', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
      if (value) time.tick(ms)
    }
    // The tab checks the clock in a separate timer when it becomes visible. Wait until that check is over.
    await checked
  }
  await hideFor(15_000)
  const stillOpen = hears(socket, 'heartbeat')
  server.emit('heartbeat', { degraded: false })
  await stillOpen
  t.equal(closes, 0)
  const again = hears(socket, 'hello')
  await hideFor(6 * 60_000)
  await again
  t.equal(closes, 1)
})

// This test must come after those that stop time, because its timers run in real time, and those tests would stop them.
t.test('leaves a draining node by itself and reconnects at once', async (t) => {
  const { server, socket } = await openTab(t)
  await hears(socket, 'hello')
  const [left, back] = [hears(socket, 'disconnect'), hears(socket, 'hello')]
  server.emit('drain', { inMs: 0, jitterMs: 5 })
  await left
  await back
  t.equal(connectionState(), 'live')
})

t.test('refetches invoices after a gap, because provider events change them', async (t) => {
  const cache = aQueryClient()
  let asked = 0
  const read = () => Promise.resolve({ invoices: asked++ })
  const options = { ...billingQuery(), queryFn: read as never }
  await cache.fetchQuery(options)
  const unsubscribe = new QueryObserver(cache, { ...options, staleTime: Infinity }).subscribe(() => {})
  t.teardown(unsubscribe)
  await refetchLive(cache)
  t.equal(asked, 2)
})
