import { becomes } from '#tests/support/screen.tsx'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { cleanup, renderHook } from '@testing-library/react'
import { Server } from 'socket.io'
import t, { type Test } from 'tap'
import { connectionState, currentSocket, serverNow } from '#client/lib/live/connection.ts'
import { createQueryClient } from '#client/lib/query/query-client.ts'
import { connectSocket, openLive } from '#client/lib/live/socket.ts'
import { resetStore } from '#client/lib/storage/store-slice.ts'
import { useView } from '#client/lib/live/room-views.ts'
import type { ViewKind } from '#shared/events/control.ts'
import type { ClientToServer, FeatureEvents, ServerToClient } from '#shared/events/index.ts'
import type { LiveHandlers } from '#client/lib/live/live-queries.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { until } from '#tests/support/wait.ts'

async function openTab(t: Test, shown: ViewKind) {
  const http = createServer()
  const io = new Server<ClientToServer, ServerToClient>(http, { pingInterval: 1_500 })
  const heard = { pings: 0, hellos: 0, offline: 0 }
  io.on('connection', (socket) => {
    socket.on('ping', (ack) => {
      heard.pings += 1
      ack({ ok: true, data: null })
    })
    socket.on('view', (_view, ack) => ack({ ok: true, data: null }))
    const serverTime = new Date().toISOString()
    socket.emit('hello', { node: 'one', build: 'one', serverTime, dealerId: 'dana', dealerRev: 0, degraded: false })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const proxy = await proxyTo(t, `http://127.0.0.1:${(http.address() as AddressInfo).port}`)
  const { location } = globalThis
  Object.defineProperty(globalThis, 'location', { value: new URL(proxy.url), configurable: true, writable: true })
  const cache = createQueryClient(() => undefined)
  const close = openLive({
    socket: connectSocket(),
    cache,
    handlers: {} as LiveHandlers<FeatureEvents>,
    inbox: [],
    onConnected: [() => (heard.hellos += 1)],
    onOffline: [() => (heard.offline += 1)],
  })
  renderHook(() => useView(shown, ''))
  t.teardown(async () => {
    proxy.heal()
    close()
    cleanup()
    cache.clear()
    Object.defineProperty(globalThis, 'location', { value: location, configurable: true, writable: true })
    resetStore()
    await io.close()
  })
  const is = (state: ReturnType<typeof connectionState>) => becomes(t, connectionState, state)
  await is('live')
  return { io, proxy, heard, is }
}

t.test('notices a silent connection and recovers on any event', async (t) => {
  const { io, proxy, heard, is } = await openTab(t, 'lane')
  const [before] = io.of('/').sockets.keys()
  proxy.hold()
  await is('offline')
  t.equal(heard.offline, 1)
  proxy.heal()
  await is('live')
  t.same([...io.of('/').sockets.keys()], [before], 'the same connection')
  t.equal(heard.hellos, 1, 'nothing is fetched again')
})

t.test('replaces a connection that stays silent', async (t) => {
  const { io, proxy, heard, is } = await openTab(t, 'auction')
  const [before] = io.of('/').sockets.keys()
  proxy.hold()
  await is('offline')
  await until('another hello', () => heard.hellos === 2)
  await is('live')
  t.notSame([...io.of('/').sockets.keys()].at(-1), before)
})

const quiet = () => new Promise<void>((resolve) => void currentSocket()?.io.once('ping', resolve))

t.test('pings a quiet connection, but not a busy or invisible one', async (t) => {
  const { io, heard } = await openTab(t, 'lot')
  await until('the line to be asked', () => heard.pings === 2)
  t.equal(heard.offline, 0)
  let words = 0
  const talk = setInterval(() => {
    words += 1
    io.emit('heartbeat', { degraded: false })
  }, 100)
  t.teardown(() => clearInterval(talk))
  await until('many words', () => words === 20)
  t.equal(heard.pings, 2, 'a busy connection is not pinged')
  Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  t.teardown(() => Reflect.deleteProperty(document, 'hidden'))
  document.dispatchEvent(new window.Event('visibilitychange'))
  clearInterval(talk)
  await quiet()
  await quiet()
  t.equal(heard.pings, 2, 'a hidden tab does not ping')
})

t.test('pings only while an auction is on screen', async (t) => {
  const { heard } = await openTab(t, 'feed')
  await quiet()
  await quiet()
  t.equal(heard.pings, 0)
  renderHook(() => useView('lane', ''))
  await until('the line to be asked', () => heard.pings === 1)
})

t.test("reads the server's clock again after the local clock changed", async (t) => {
  const { heard } = await openTab(t, 'feed')
  const trueNow = Date.now
  const set = t.intercept(Date, 'now', { value: () => trueNow() - 60_000 })
  await until('another hello', () => heard.hellos === 2)
  t.ok(Math.abs(serverNow() - trueNow()) < 10_000, 'set back')
  set.restore()
  await until('another hello', () => heard.hellos === 3)
  t.ok(Math.abs(serverNow() - trueNow()) < 10_000, 'set forwards')
})
