import type { Logger } from 'pino'
import type { LiveServer, LiveSocket } from './live-server.ts'

const checkEveryMs = 1_000
const closeAbovePackets = 512
const closeUndrainedMs = 10_000

type Connection = LiveSocket['conn']

/** Private in the engine's types only. */
interface Insides {
  /** Packets that the transport has not taken yet. */
  writeBuffer: unknown[]
  transport: { socket?: { terminate?: () => void } }
}

/**
 * Ends a connection without a word: `close()` waits until the other side has read everything, and one that does not
 * read would never end. The client notices by the reset or by its heartbeat, and comes back by itself.
 */
export function cutOff(conn: Connection): void {
  const { transport } = conn as unknown as Insides
  conn.close(true)
  transport.socket?.terminate?.()
}

/** Closes sockets that do not read: they sync when they are back, and cost no memory meanwhile. */
export function guardSlowReaders(io: LiveServer, log: Logger): () => void {
  const stuckSince = new WeakMap<object, number>()
  const check = () => {
    for (const { conn, data } of io.of('/').sockets.values()) {
      const waiting = (conn as unknown as Insides).writeBuffer.length
      if (waiting === 0) stuckSince.delete(conn)
      else if (!stuckSince.has(conn)) stuckSince.set(conn, Date.now())
      const since = stuckSince.get(conn)
      if (waiting > closeAbovePackets || (since !== undefined && Date.now() - since > closeUndrainedMs)) {
        log.warn({ dealer: data.actor.dealerId, waiting }, 'a slow reader is closed')
        cutOff(conn)
      }
    }
  }
  const timer = setInterval(check, checkEveryMs)
  return () => clearInterval(timer)
}
