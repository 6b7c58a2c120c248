import { randomUUID } from 'node:crypto'
import { listOpenSessions } from '#server/platform/session/session.repository.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { LiveServer, LiveSocket } from './live-server.ts'

/** Maximum sockets per session: more tabs than anybody has open. */
const socketsMax = 40
/** Interval of the checks for ended sessions. An expired session emits no event, and events about other ended sessions may be lost. */
const checkEveryMs = 15_000
const slotTtlMs = 4 * checkEveryMs

type Connection = LiveSocket['conn']

const slotsKey = (ctx: Context, sessionId: string) => `${ctx.config.redisPrefix}:sockets:${sessionId}`

export interface SessionSockets {
  /** Reserves a connection slot of the session until the connection closes. Returns false if no slot is free. */
  admits(sessionId: string, conn: Connection): Promise<boolean>
  check(): void
  stop(): void
}

/** Limits sockets per session and closes them when the session ends. Counts across all nodes; without Redis, on this node only. */
export function limitSessionSockets(ctx: Context, io: LiveServer): SessionSockets {
  const here = new Map<string, Set<string>>()
  const names = new WeakMap<Connection, string>()

  function release(sessionId: string, id: string): void {
    const slots = here.get(sessionId)
    if (slots?.delete(id) !== true) return
    if (slots.size === 0) here.delete(sessionId)
    if (ctx.redis.healthy()) ctx.redis.commands.zrem(slotsKey(ctx, sessionId), id).catch(() => undefined)
  }

  async function enter(sessionId: string, id: string): Promise<number> {
    const own = here.get(sessionId)?.size ?? 0
    if (!ctx.redis.healthy()) return own
    const key = slotsKey(ctx, sessionId)
    const now = Date.now()
    const answers = await ctx.redis.commands
      .multi()
      .zremrangebyscore(key, '-inf', now)
      .zadd(key, now + slotTtlMs, id)
      .zcard(key)
      .pexpire(key, slotTtlMs)
      .exec()
      .catch(() => null)
    return Math.max(own, Number(answers?.[2]?.[1] ?? 0))
  }

  async function admits(sessionId: string, conn: Connection): Promise<boolean> {
    // The connection may have closed during authentication.
    if (conn.readyState !== 'open') return false
    const id = names.get(conn) ?? randomUUID()
    if (!names.has(conn)) conn.once('close', () => release(sessionId, id))
    names.set(conn, id)
    here.set(sessionId, (here.get(sessionId) ?? new Set()).add(id))
    if ((await enter(sessionId, id)) <= socketsMax) return true
    release(sessionId, id)
    return false
  }

  async function renew(): Promise<void> {
    if (!ctx.redis.healthy()) return
    const until = Date.now() + slotTtlMs
    const pipeline = ctx.redis.commands.pipeline()
    for (const [sessionId, slots] of here) {
      const key = slotsKey(ctx, sessionId)
      pipeline.zadd(key, ...[...slots].flatMap((id) => [until, id])).pexpire(key, slotTtlMs)
    }
    await pipeline.exec()
  }

  async function closeEnded(): Promise<void> {
    const checked = new Set(here.keys())
    const open = await listOpenSessions(ctx.db, [...checked])
    for (const socket of io.of('/').sockets.values()) {
      const { sessionId } = socket.data.actor
      if (!checked.has(sessionId) || open.has(sessionId)) continue
      socket.emit('kick', { code: 'expired' })
      socket.disconnect(true)
    }
  }

  function run(...tasks: (() => Promise<void>)[]): void {
    if (here.size === 0) return
    for (const task of tasks)
      task().catch((error: unknown) => ctx.log.debug({ err: error }, 'the sessions of sockets could not be checked'))
  }

  const timer = setInterval(() => run(renew, closeEnded), checkEveryMs)
  return { admits, check: () => run(closeEnded), stop: () => clearInterval(timer) }
}
