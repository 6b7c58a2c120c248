import type { Logger } from 'pino'
import type { LiveServer, LiveSocket } from './live-server.ts'

const checkEveryMs = 1_000
const closeAbovePackets = 512
const closeUndrainedMs = 10_000

type Connection = LiveSocket['conn']

interface Insides {
  writeBuffer: unknown[]
  transport: { socket?: { terminate?: () => void } }
}

/** Cuts a connection off without a closing handshake, because `close()` would wait until the client has read everything. */
export function dropConnection(conn: Connection): void {
  const { transport } = conn as unknown as Insides
  conn.close(true)
  transport.socket?.terminate?.()
}

/** Closes sockets whose clients have stopped reading, in order to free their buffers. Returns a function that stops the timer. */
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
        dropConnection(conn)
      }
    }
  }
  const timer = setInterval(check, checkEveryMs)
  return () => clearInterval(timer)
}
