import { randomUUID } from 'node:crypto'
import { listOpenSessions } from '#server/platform/session.repository.ts'
import type { Context } from '#server/platform/context.ts'
import type { LiveServer, LiveSocket } from './live-server.ts'

/** Per session; more tabs than anybody has open. */
const socketsMax = 40
/** Needed because expiry emits no event and the event for another end of a session may be lost. */
const checkEveryMs = 15_000
const placeTtlMs = 4 * checkEveryMs

type Connection = LiveSocket['conn']

const placesKey = (ctx: Context, sessionId: string) => `${ctx.config.redisPrefix}:sockets:${sessionId}`

export interface SessionSockets {
  /** Reserves a connection slot of the session until the connection closes; false if none is free. */
  admits(sessionId: string, conn: Connection): Promise<boolean>
  check(): void
  stop(): void
}

/** Limits sockets per session across all nodes (per node without Redis) and closes them when the session ends. */
export function keepSessions(ctx: Context, io: LiveServer): SessionSockets {
  const here = new Map<string, Set<string>>()
  const names = new WeakMap<Connection, string>()

  function leave(sessionId: string, id: string): void {
    const places = here.get(sessionId)
    if (places?.delete(id) !== true) return
    if (places.size === 0) here.delete(sessionId)
    if (ctx.redis.healthy()) ctx.redis.commands.zrem(placesKey(ctx, sessionId), id).catch(() => undefined)
  }

  async function enter(sessionId: string, id: string): Promise<number> {
    const own = here.get(sessionId)?.size ?? 0
    if (!ctx.redis.healthy()) return own
    const key = placesKey(ctx, sessionId)
    const now = Date.now()
    const answers = await ctx.redis.commands
      .multi()
      .zremrangebyscore(key, '-inf', now)
      .zadd(key, now + placeTtlMs, id)
      .zcard(key)
      .pexpire(key, placeTtlMs)
      .exec()
      .catch(() => null)
    return Math.max(own, Number(answers?.[2]?.[1] ?? 0))
  }

  async function admits(sessionId: string, conn: Connection): Promise<boolean> {
    // The connection may have closed during authentication.
    if (conn.readyState !== 'open') return false
    const id = names.get(conn) ?? randomUUID()
    if (!names.has(conn)) conn.once('close', () => leave(sessionId, id))
    names.set(conn, id)
    here.set(sessionId, (here.get(sessionId) ?? new Set()).add(id))
    if ((await enter(sessionId, id)) <= socketsMax) return true
    leave(sessionId, id)
    return false
  }

  async function renew(): Promise<void> {
    if (!ctx.redis.healthy()) return
    const until = Date.now() + placeTtlMs
    const said = ctx.redis.commands.pipeline()
    for (const [sessionId, places] of here) {
      const key = placesKey(ctx, sessionId)
      said.zadd(key, ...[...places].flatMap((id) => [until, id])).pexpire(key, placeTtlMs)
    }
    await said.exec()
  }

  async function endOver(): Promise<void> {
    const asked = new Set(here.keys())
    const open = await listOpenSessions(ctx.db, [...asked])
    for (const socket of io.of('/').sockets.values()) {
      const { sessionId } = socket.data.actor
      if (!asked.has(sessionId) || open.has(sessionId)) continue
      socket.emit('kick', { code: 'expired' })
      socket.disconnect(true)
    }
  }

  function run(...tasks: (() => Promise<void>)[]): void {
    if (here.size === 0) return
    for (const task of tasks)
      task().catch((error: unknown) => ctx.log.debug({ err: error }, 'the sessions of sockets could not be checked'))
  }

  const timer = setInterval(() => run(renew, endOver), checkEveryMs)
  return { admits, check: () => run(endOver), stop: () => clearInterval(timer) }
}
