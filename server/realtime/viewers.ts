import type { Context } from '#server/platform/process/context.ts'
import type { LiveFeature, LiveServer } from './live-server.ts'
import { auctionRoom, lotRoom, postRoom } from './rooms.ts'

const publishEveryMs = 1_000
const nodeCountTtlS = 10

const roomsOf = (postId: string) => [auctionRoom(postId), lotRoom(postId)]
const prefixes = roomsOf('')

const viewersKey = (ctx: Context, postId: string) => `${ctx.config.redisPrefix}:viewers:${postId}`

/** Returns how many dealers view each auction, summed over all nodes. @throws if Redis is unavailable */
export async function listViewers(ctx: Context, postIds: readonly string[]): Promise<number[]> {
  const pipeline = ctx.redis.commands.pipeline()
  for (const postId of postIds) pipeline.hgetall(viewersKey(ctx, postId))
  const answers = (await pipeline.exec()) ?? []
  const now = Math.floor(Date.now() / 1_000)
  return answers.map(([error, stored]) => {
    if (error) throw error
    const counts = Object.values(stored as Record<string, string>).map((text) => text.split(':').map(Number))
    return counts.reduce((total, [count = 0, at = 0]) => (now - at <= nodeCountTtlS ? total + count : total), 0)
  })
}

export async function viewersOf(ctx: Context, postId: string): Promise<number> {
  const [viewers = 0] = await listViewers(ctx, [postId])
  return viewers
}

/** Counts the dealers in the rooms on this node. A dealer with two tabs counts once. */
function localViewers(io: LiveServer, rooms: string[]): number {
  const dealers = new Set<string>()
  for (const room of rooms)
    for (const id of io.of('/').adapter.rooms.get(room) ?? []) {
      const dealerId = io.of('/').sockets.get(id)?.data.actor.dealerId
      if (dealerId !== undefined) dealers.add(dealerId)
    }
  return dealers.size
}

export interface Viewers {
  feature: LiveFeature
  stop(): void
}

/** Publishes how many dealers have each auction on screen. Without Redis, counts only this node's dealers. */
export function countViewers(ctx: Context, io: LiveServer, node: string): Viewers {
  const dirty = new Set<string>()
  const published = new Map<string, number>()

  const sum = async (postId: string, own: number): Promise<number> => {
    if (!ctx.redis.healthy()) return own
    try {
      const now = Math.floor(Date.now() / 1_000)
      await ctx.redis.commands
        .multi()
        .hset(viewersKey(ctx, postId), node, `${own}:${now}`)
        .expire(viewersKey(ctx, postId), nodeCountTtlS)
        .exec()
      return await viewersOf(ctx, postId)
    } catch {
      return own
    }
  }
  const publish = async (postId: string, always: boolean) => {
    const own = localViewers(io, roomsOf(postId))
    const viewers = await sum(postId, own)
    // A new viewer does not know the number yet, so send it even if it did not change.
    if (always || published.get(postId) !== viewers)
      // Do not make this event volatile: a transport sends only the first volatile event of a tick, and counts are not repeated.
      for (const room of [postRoom(postId), lotRoom(postId)]) io.to(room).emit('post.viewers', { postId, viewers })
    if (own === 0) published.delete(postId)
    else published.set(postId, viewers)
  }
  const timer = setInterval(() => {
    const changed = new Set(dirty)
    dirty.clear()
    for (const postId of new Set([...changed, ...published.keys()])) void publish(postId, changed.has(postId))
  }, publishEveryMs)
  io.of('/').adapter.on('leave-room', (room: string) => {
    const prefix = prefixes.find((one) => room.startsWith(one))
    if (prefix !== undefined) dirty.add(room.slice(prefix.length))
  })
  return {
    feature: {
      viewed: (_ctx, _actor, kind, postId) => {
        if (kind === 'post' || kind === 'auction' || kind === 'lot') dirty.add(postId)
      },
    },
    stop: () => clearInterval(timer),
  }
}
