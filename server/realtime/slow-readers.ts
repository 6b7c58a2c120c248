import type { Logger } from 'pino'
import type { LiveServer } from './live-server.ts'

const checkEveryMs = 1_000
const closeAbovePackets = 512
const closeUndrainedMs = 10_000

/** Closes sockets that do not read: they sync when they are back, and cost no memory meanwhile. */
export function guardSlowReaders(io: LiveServer, log: Logger): () => void {
  const stuckSince = new WeakMap<object, number>()
  const check = () => {
    for (const socket of io.of('/').sockets.values()) {
      const { conn } = socket
      // The engine's own count of packets that the transport has not taken; private in its types only.
      const waiting = (conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length
      if (waiting === 0) stuckSince.delete(conn)
      else if (!stuckSince.has(conn)) stuckSince.set(conn, Date.now())
      const since = stuckSince.get(conn)
      if (waiting > closeAbovePackets || (since !== undefined && Date.now() - since > closeUndrainedMs)) {
        log.warn({ dealer: socket.data.actor.dealerId, waiting }, 'a slow reader is closed')
        conn.close()
      }
    }
  }
  const timer = setInterval(check, checkEveryMs)
  return () => clearInterval(timer)
}
