import { becomes } from '#tests/support/screen.tsx'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanup, renderHook } from '@testing-library/react'
import { Server } from 'socket.io'
import { io as connect } from 'socket.io-client'
import t, { type Test } from 'tap'
import { setSocket } from '#client/lib/live/connection.ts'
import { useJoined, useView } from '#client/lib/live/room-views.ts'
import type { ClientToServer, ServerToClient } from '#shared/events/index.ts'
import { until } from '#tests/support/wait.ts'

/** Connects this tab to a server that lets it join two rooms. */
async function connectTab(t: Test) {
  const http = createServer()
  const io = new Server<ClientToServer, ServerToClient>(http)
  const [joined, calls] = [new Set<string>(), [] as string[]]
  io.on('connection', (socket) =>
    socket.on('view', ({ id, on }, ack) => {
      calls.push(`${on ? 'join' : 'leave'} ${id}`)
      if (on && joined.size >= 2 && !joined.has(id))
        return ack({ ok: false, error: { code: 'conflict', message: 'Too many' } })
      joined[on ? 'add' : 'delete'](id)
      ack({ ok: true, data: null })
    }),
  )
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const socket = connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ['websocket'] })
  setSocket(socket)
  t.teardown(async () => {
    cleanup()
    setSocket(undefined)
    socket.disconnect()
    await io.close()
  })
  await until('the connection', () => socket.connected)
  return { joined, calls }
}

t.test('joins a refused room once the tab leaves another', async (t) => {
  const { joined, calls } = await connectTab(t)
  const caughtUp: string[] = []
  const open = (id: string) =>
    renderHook(() => {
      useView('post', id)
      useJoined('post', id, true, () => caughtUp.push(id))
    })
  const [first, second] = [open('a'), open('b')]
  const [third] = [open('c'), open('d')]
  await until('four calls and two rooms', () => calls.length === 4 && caughtUp.length === 2)
  first.unmount()
  await becomes(t, () => caughtUp.length, 3)
  third.unmount()
  await becomes(t, () => caughtUp.length, 4)
  t.same(caughtUp, ['a', 'b', 'c', 'd'])
  t.same([...joined], ['b', 'd'])
  second.unmount()
  await until('the last call', () => joined.size === 1)
  t.same(
    calls,
    ['join a', 'join b', 'join c', 'join d', 'leave a', 'join c', 'leave c', 'join d', 'leave b'],
    'each refused room is tried once for each room that was left',
  )
})
