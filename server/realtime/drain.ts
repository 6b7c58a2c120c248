import type { LiveServer } from './live-server.ts'
import { cutOff } from './slow-readers.ts'

const batchSize = 50
/** For goodbyes that are on their way. */
const lingerMs = 500
const pollMs = 20

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Sends everybody elsewhere before this node goes: said with jitter, then closed in batches, while nobody new is let in.
 * `conn.close()` rather than `disconnect()`: the latter would stop the client's reconnection.
 */
export async function drainSockets(io: LiveServer, jitterMs: number): Promise<void> {
  // A refused handshake is tried again by the client: at another node, or at this one's successor.
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
  // Who does not read would keep the node from ending.
  for (const socket of io.of('/').sockets.values()) cutOff(socket.conn)
}
