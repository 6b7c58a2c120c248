import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Heads } from '#shared/schemas/messaging.ts'
import type { Context } from '#server/platform/context.ts'
import { signedIn } from '#server/platform/guards.ts'
import { notModified } from '#server/platform/not-modified.ts'
import { createHeads } from './heads.service.ts'

export const headsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const heads = createHeads(ctx)

  app.get('/heads', { onRequest: signedIn, schema: { response: { 200: Heads } } }, async (request, reply) => {
    const { etag, numbers } = await heads(request.actor)
    void reply.header('etag', etag).header('cache-control', 'private, no-cache')
    if (request.headers['if-none-match'] === etag) return notModified(reply)
    return reply.send({ ...numbers, serverTime: ctx.now().toISOString() })
  })
}
