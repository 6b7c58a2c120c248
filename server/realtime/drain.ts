import type { LiveServer } from './live-server.ts'

const batchSize = 50

/**
 * Sends everybody elsewhere before this node goes: said with jitter, then closed in batches.
 * `conn.close()` rather than `disconnect()`: the latter would stop the client's reconnection.
 */
export async function drainSockets(io: LiveServer, jitterMs: number): Promise<void> {
  io.local.emit('drain', { inMs: 0, jitterMs })
  const sockets = [...io.of('/').sockets.values()]
  const batches = Math.ceil(sockets.length / batchSize)
  for (let start = 0; start < sockets.length; start += batchSize) {
    for (const socket of sockets.slice(start, start + batchSize)) socket.conn.close()
    if (batches > 1) await new Promise((resolve) => setTimeout(resolve, jitterMs / batches))
  }
}
