import { io, type Socket } from 'socket.io-client'
import type { Test } from 'tap'
import type { Ack, Sync, SyncAnswer, View } from '#shared/events/control.ts'
import type { ClientToServer, BatchedEvent, ServerToClient } from '#shared/events/index.ts'
import { patienceMs } from './patience.ts'
import { until } from './wait.ts'

type Name = keyof ServerToClient
type Payload<N extends Name> = Parameters<ServerToClient[N]>[0]

/** A dealer's open tab, represented by a real socket that records every event. */
export interface LiveClient {
  socket: Socket<ServerToClient, ClientToServer>
  heard: { name: Name; event: unknown }[]
  /** Waits for the first event with this name that an earlier call has not returned. */
  nextEvent<N extends Name>(name: N, matches?: (event: Payload<N>) => boolean): Promise<Payload<N>>
  view(view: View): Promise<Ack>
  sync(vector: Sync): Promise<Ack<SyncAnswer>>
  /** Reports that the dealer has used the tab. */
  active(): Promise<Ack>
  /** Makes a round trip, then returns all events with this name so far. An event that is missing by then was not sent. */
  receivedAfterRoundTrip<N extends Name>(name: N): Promise<Payload<N>[]>
  close(): void
}

/** Connects and waits for `hello`, which the server sends once the socket has joined its rooms. */
export async function connectLive(t: Test, url: string, cookie: string): Promise<LiveClient> {
  const socket: LiveClient['socket'] = io(url, {
    transports: ['websocket'],
    extraHeaders: { cookie },
    reconnectionDelay: 50,
    timeout: patienceMs,
  })
  t.teardown(() => socket.disconnect())
  const heard: LiveClient['heard'] = []
  const taken = new Set<object>()
  socket.onAny((name: Name, event: unknown) => {
    for (const [eventName, payload] of name === 'batch' ? (event as BatchedEvent[]) : [[name, event] as const])
      heard.push({ name: eventName, event: payload })
  })
  const command = <T>(send: (ack: (answer: T) => void) => void) => new Promise<T>((resolve) => send(resolve))
  const client: LiveClient = {
    socket,
    heard,
    async nextEvent(name, matches = () => true) {
      const entry = await until(`event ${name}`, () =>
        heard.find((item) => item.name === name && !taken.has(item) && matches(item.event as never)),
      )
      taken.add(entry)
      return entry.event as never
    },
    view: (view) => command((ack) => socket.emit('view', view, ack)),
    sync: (vector) => command((ack) => socket.emit('sync', vector, ack)),
    active: () => command((ack) => socket.emit('active', {}, ack)),
    async receivedAfterRoundTrip(name) {
      await client.sync({ dealer: 0 })
      return heard.filter((item) => item.name === name).map((item) => item.event as never)
    },
    close: () => void socket.disconnect(),
  }
  const refused = new Promise<never>((_resolve, reject) => {
    // Retry if the server is busy. Other errors are final.
    socket.on('connect_error', (error) => (error.message === 'busy' ? socket.connect() : reject(error)))
  })
  await Promise.race([client.nextEvent('hello'), refused])
  return client
}
