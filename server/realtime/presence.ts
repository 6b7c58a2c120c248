import type { Context } from '#server/platform/context.ts'
import type { Db } from '#server/platform/db.ts'
import { isId } from '#server/platform/ids.ts'
import type { LiveFeature, LiveServer } from './live-server.ts'
import { dealerRoom, presenceRoom } from './rooms.ts'

const tickMs = 2_000
/** Not written again for this long means gone: a reload of the page is quicker, so nobody flickers. */
const ttlMs = 7_000
/** Whether a dealer shows their presence is asked again after this, so that a changed setting takes effect. */
const settingTtlMs = 15_000
const roomPrefix = presenceRoom('')

/** Who of these dealers lets it be seen that they are online. */
type ListShowing = (db: Db, dealerIds: string[]) => Promise<Set<string>>

/** Whether one of the two has blocked the other. */
type IsBlocked = (db: Db, one: string, other: string) => Promise<boolean>

interface Node {
  ctx: Context
  listShowing: ListShowing
  io: LiveServer
  /** What the watchers of a dealer here were told last. */
  said: Map<string, boolean>
  shown: Map<string, { shows: boolean; until: number }>
}

const dealersHere = (io: LiveServer): Set<string> =>
  new Set([...io.of('/').sockets.values()].map((socket) => socket.data.actor.dealerId))

const watchedHere = (io: LiveServer): string[] =>
  [...io.of('/').adapter.rooms.keys()]
    .filter((room) => room.startsWith(roomPrefix))
    .map((room) => room.slice(roomPrefix.length))

/** Of those connected here, who lets it be seen. Asked once per dealer and quarter of a minute. */
async function showingHere({ ctx, listShowing, io, shown }: Node): Promise<string[]> {
  const now = Date.now()
  const here = dealersHere(io)
  for (const id of shown.keys()) if (!here.has(id)) shown.delete(id)
  const unknown = [...here].filter((id) => (shown.get(id)?.until ?? 0) < now)
  if (unknown.length > 0) {
    const showing = await listShowing(ctx.db, unknown)
    for (const id of unknown) shown.set(id, { shows: showing.has(id), until: now + settingTtlMs })
  }
  return [...here].filter((id) => shown.get(id)?.shows === true)
}

/** Says that these are here, and asks who of the watched is anywhere. Redis away: this node's own knowledge. */
async function onlineAnywhere({ ctx }: Node, here: string[], watched: string[]): Promise<Set<string>> {
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
  const { io, said } = node
  const here = await showingHere(node)
  const watched = watchedHere(io)
  const online = await onlineAnywhere(node, here, watched)
  for (const dealerId of said.keys()) if (!watched.includes(dealerId)) said.delete(dealerId)
  for (const dealerId of watched) {
    if (said.get(dealerId) === online.has(dealerId)) continue
    said.set(dealerId, online.has(dealerId))
    // Never volatile: of several in one tick a transport takes the first and drops the rest, and each is said only once.
    io.local.to(presenceRoom(dealerId)).emit('presence', { dealerId, online: online.has(dealerId) })
  }
}

/** Who is connected somewhere and lets it be seen. @throws while Redis is away */
export const listOnline = async (ctx: Context): Promise<string[]> =>
  ctx.redis.commands.zrange(`${ctx.config.redisPrefix}:online`, Date.now(), '+inf', 'BYSCORE')

const nodes = new WeakMap<Context, Node>()

/**
 * Who is online, told only to those who have that dealer on screen. Each node writes its own dealers under scores that
 * run out, and compares what its own watchers were told: no node is ever asked. A dealer who hides their presence does
 * not see that of others, nor do two of whom one has blocked the other.
 */
export const presenceLive = (listShowing: ListShowing, isBlocked: IsBlocked): LiveFeature => ({
  publish(ctx, io) {
    const node: Node = { ctx, listShowing, io, said: new Map(), shown: new Map() }
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
    ctx.bus.on('settings.changed', ({ dealerId }) => void node.shown.delete(dealerId))
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
    // Whoever has just come has been told nothing yet.
    if (kind === 'dealer' && on) nodes.get(ctx)?.said.delete(id)
  },
})
