import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LRUCache } from 'lru-cache'
import { SyncHeads } from '#shared/events/control.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { notModified } from '#server/platform/http/not-modified.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { HeadsOf, LiveFeature } from './live-server.ts'

/** How long a dealer's numbers are cached. Each client polls only every 30 seconds, but many clients may do so at once. */
const freshMs = 1_000
const dealersMax = 20_000

type Numbers = Omit<SyncHeads, 'serverTime'>

async function collect(ctx: Context, sources: HeadsOf[], actor: Actor): Promise<{ etag: string; numbers: Numbers }> {
  const parts = await Promise.all(sources.map((headsOf) => headsOf(ctx, actor)))
  // Defaults, for numbers that no feature provides.
  const numbers: Numbers = Object.assign({ dealerRev: 0, chats: [], feedHead: null }, ...parts)
  return { etag: `"${createHash('sha1').update(JSON.stringify(numbers)).digest('base64url')}"`, numbers }
}

/** Serves revision numbers, from which a client without a socket learns which of its data is stale. */
export const syncHeadsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context; features: LiveFeature[] }> = async (
  app,
  { ctx, features },
) => {
  const sources = features.flatMap(({ heads }) => (heads ? [heads] : []))
  const cache = new LRUCache<string, Awaited<ReturnType<typeof collect>>, Actor>({
    max: dealersMax,
    ttl: freshMs,
    fetchMethod: (_dealerId, _stale, { context }) => collect(ctx, sources, context),
  })

  app.get('/heads', { onRequest: signedIn, schema: { response: { 200: SyncHeads } } }, async (request, reply) => {
    const { etag, numbers } = await cache.forceFetch(request.actor.dealerId, { context: request.actor })
    void reply.header('etag', etag).header('cache-control', 'private, no-cache')
    if (request.headers['if-none-match'] === etag) return notModified(reply)
    return reply.send({ ...numbers, serverTime: (await ctx.sharedNow()).toISOString() })
  })
}
