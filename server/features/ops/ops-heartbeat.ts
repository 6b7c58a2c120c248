import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { NodeFigures } from '#shared/schemas/ops.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { FindIndex } from '#server/features/find/columns/find-index.ts'
import type { LiveServer } from '#server/realtime/live-server.ts'

const reportEveryMs = 2_000
/** This time is short enough that a dead worker is noticed within 15 s. */
const silentAfterMs = 8_000
const expireAfterMs = 10 * 60_000
const nanosecondsPerMs = 1e6
const bytesPerMb = 1024 * 1024

const keyOf = (ctx: Context) => `${ctx.config.redisPrefix}:ops:nodes`

function nodeFigures(ctx: Context, io: LiveServer, node: string, find: FindIndex, loopP99Ms: number): NodeFigures {
  const { api, rt, worker } = ctx.config.roles
  return {
    node,
    roles: [api && 'api', rt && 'rt', worker && 'worker'].filter(Boolean).join(', '),
    sockets: io.sockets.sockets.size,
    rooms: io.sockets.adapter.rooms.size,
    loopP99Ms: Math.round(loopP99Ms * 10) / 10,
    memoryMb: Math.round(process.memoryUsage.rss() / bytesPerMb),
    pool: ctx.poolStats(),
    ...(api && { find: find.figures() }),
    startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    reportedAt: new Date().toISOString(),
    silent: false,
  }
}

/** Reports this process's figures to Redis. Returns a function that stops the reports and removes the process from the list. */
export function startHeartbeat(ctx: Context, io: LiveServer, node: string, find: FindIndex): () => Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const report = async () => {
    const figures = nodeFigures(ctx, io, node, find, delay.percentile(99) / nanosecondsPerMs)
    delay.reset()
    // If Redis is down, the next report follows in two seconds.
    await ctx.redis.commands.hset(keyOf(ctx), node, JSON.stringify(figures)).catch(() => undefined)
  }
  void report()
  const timer = setInterval(() => void report(), reportEveryMs)
  return async () => {
    clearInterval(timer)
    delay.disable()
    await ctx.redis.commands.hdel(keyOf(ctx), node).catch(() => undefined)
  }
}

export async function listNodes(ctx: Context): Promise<NodeFigures[]> {
  const entries = await ctx.redis.commands.hgetall(keyOf(ctx)).catch(() => ({}))
  const now = Date.now()
  const nodes = Object.values(entries).map((text) => JSON.parse(text) as NodeFigures)
  const age = (node: NodeFigures) => now - Date.parse(node.reportedAt)
  const gone = nodes.filter((node) => age(node) > expireAfterMs)
  if (gone.length > 0)
    await ctx.redis.commands.hdel(keyOf(ctx), ...gone.map((node) => node.node)).catch(() => undefined)
  return nodes
    .filter((node) => age(node) <= expireAfterMs)
    .map((node) => ({ ...node, silent: age(node) > silentAfterMs }))
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
}
