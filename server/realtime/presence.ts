import type { Context } from '#server/platform/process/context.ts'
import type { Db } from '#server/platform/database/db.ts'
import { isId } from '#server/platform/ids.ts'
import type { LiveFeature, LiveServer } from './live-server.ts'
import { dealerRoom, presenceRoom } from './rooms.ts'

const tickMs = 2_000
/** A dealer whose node reports nothing for this time counts as offline. Longer than a page reload, so the status does not flicker. */
const ttlMs = 7_000
const settingTtlMs = 15_000
const roomPrefix = presenceRoom('')

type ListShowing = (db: Db, dealerIds: string[]) => Promise<Set<string>>

type IsBlocked = (db: Db, one: string, other: string) => Promise<boolean>

interface Node {
  ctx: Context
  listShowing: ListShowing
  io: LiveServer
  published: Map<string, boolean>
  visibility: Map<string, { shows: boolean; until: number }>
}

const localDealers = (io: LiveServer): Set<string> =>
  new Set([...io.of('/').sockets.values()].map((socket) => socket.data.actor.dealerId))

const localWatched = (io: LiveServer): string[] =>
  [...io.of('/').adapter.rooms.keys()]
    .filter((room) => room.startsWith(roomPrefix))
    .map((room) => room.slice(roomPrefix.length))

async function localShowing({ ctx, listShowing, io, visibility }: Node): Promise<string[]> {
  const now = Date.now()
  const here = localDealers(io)
  for (const id of visibility.keys()) if (!here.has(id)) visibility.delete(id)
  const unknown = [...here].filter((id) => (visibility.get(id)?.until ?? 0) < now)
  if (unknown.length > 0) {
    const showing = await listShowing(ctx.db, unknown)
    for (const id of unknown) visibility.set(id, { shows: showing.has(id), until: now + settingTtlMs })
  }
  return [...here].filter((id) => visibility.get(id)?.shows === true)
}

/** Publishes this node's dealers as online. Returns all watched dealers who are online or, without Redis, this node's dealers. */
async function findOnline({ ctx }: Node, here: string[], watched: string[]): Promise<Set<string>> {
  const own = new Set(here)
  if (!ctx.redis.healthy()) return own
  const key = `${ctx.config.redisPrefix}:online`
  const now = Date.now()
  try {
    if (here.length > 0) await ctx.redis.commands.zadd(key, 'GT', ...here.flatMap((id) => [now + ttlMs, id]))
    await ctx.redis.commands.zremrangebyscore(key, '-inf', now - ttlMs)
    if (watched.length === 0) return own
    const scores = await ctx.redis.commands.zmscore(key, ...watched)
    return new Set(watched.filter((_id, index) => Number(scores[index] ?? 0) > now))
  } catch {
    return own
  }
}

async function tick(node: Node): Promise<void> {
  const { io, published } = node
  const here = await localShowing(node)
  const watched = localWatched(io)
  const online = await findOnline(node, here, watched)
  for (const dealerId of published.keys()) if (!watched.includes(dealerId)) published.delete(dealerId)
  for (const dealerId of watched) {
    if (published.get(dealerId) === online.has(dealerId)) continue
    published.set(dealerId, online.has(dealerId))
    // Do not make this event volatile: a transport sends only the first volatile event of a tick, and presence is not repeated.
    io.local.to(presenceRoom(dealerId)).emit('presence', { dealerId, online: online.has(dealerId) })
  }
}

/** Returns the online dealers, except those who hide their presence. @throws if Redis is unavailable */
export const listOnline = async (ctx: Context): Promise<string[]> =>
  ctx.redis.commands.zrange(`${ctx.config.redisPrefix}:online`, Date.now(), '+inf', 'BYSCORE')

const nodes = new WeakMap<Context, Node>()

/** Shows who is online, but not to dealers who hide their own presence, and not between dealers if one has blocked the other. */
export const presenceLive = (listShowing: ListShowing, isBlocked: IsBlocked): LiveFeature => ({
  publish(ctx, io) {
    const node: Node = { ctx, listShowing, io, published: new Map(), visibility: new Map() }
    const timer = setInterval(() => {
      if (io.of('/').sockets.size > 0)
        tick(node).catch((error: unknown) => ctx.log.debug({ err: error }, 'presence waits for the database'))
    }, tickMs)
    ctx.bus.on('chat.blocked', ({ between: [one, other] }) => {
      for (const [watcher, dealerId] of [
        [one, other],
        [other, one],
      ] as const) {
        io.in(dealerRoom(watcher)).socketsLeave(presenceRoom(dealerId))
        io.to(dealerRoom(watcher)).emit('presence', { dealerId, online: false })
      }
    })
    ctx.bus.on('settings.changed', ({ dealerId }) => void node.visibility.delete(dealerId))
    nodes.set(ctx, node)
    return () => clearInterval(timer)
  },
  views: {
    dealer: async ({ db }, { dealerId }, id) => {
      if (!isId(id) || (await listShowing(db, [dealerId])).size === 0) return undefined
      return (await isBlocked(db, dealerId, id)) ? undefined : presenceRoom(id)
    },
  },
  viewed(ctx, _actor, kind, id, on) {
    // A new watcher does not know the current state, so make the next tick publish it again.
    if (kind === 'dealer' && on) nodes.get(ctx)?.published.delete(id)
  },
})
