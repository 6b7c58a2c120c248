import type { LiveServer } from './live-server.ts'
import { dropConnection } from './slow-readers.ts'

const batchSize = 50
const lingerMs = 500
const pollMs = 20

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Moves the clients to other nodes. Uses `conn.close()`, because after `disconnect()` clients would not reconnect. */
export async function drainSockets(io: LiveServer, jitterMs: number): Promise<void> {
  // A refused client retries and reaches another node or this node's successor.
  io.engine.use((_request: unknown, _response: unknown, next: (error: Error) => void) => next(new Error('draining')))
  io.local.emit('drain', { inMs: 0, jitterMs })
  const sockets = [...io.of('/').sockets.values()]
  const batches = Math.ceil(sockets.length / batchSize)
  for (let start = 0; start < sockets.length; start += batchSize) {
    for (const socket of sockets.slice(start, start + batchSize)) socket.conn.close()
    if (batches > 1) await pause(jitterMs / batches)
  }
  const end = Date.now() + lingerMs
  while (io.of('/').sockets.size > 0 && Date.now() < end) await pause(pollMs)
  // A client that does not read would keep the process alive, so cut its connection off.
  for (const socket of io.of('/').sockets.values()) dropConnection(socket.conn)
}
