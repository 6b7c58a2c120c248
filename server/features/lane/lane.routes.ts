import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Lane, LaneAll, LaneAllQuery, LanePins, LaneRun, LaneRunQuery, LaneSelling } from '#shared/schemas/lane.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole, signedIn } from '#server/platform/http/guards.ts'
import { notModified } from '#server/platform/http/not-modified.ts'
import { readAll, readRun, readSelling, setPins, writeLane } from './lane.service.ts'

export const laneRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/lane', { schema: { response: { 200: Lane } } }, async (request, reply) => {
    const { etag, text } = await writeLane(ctx, request.actor)
    void reply.header('etag', etag).header('cache-control', 'private, no-cache')
    if (request.headers['if-none-match'] === etag) return notModified(reply)
    return reply
      .type('application/json; charset=utf-8')
      .serializer(String)
      .send(text as never)
  })

  app.get(
    '/lane/run',
    { schema: { querystring: LaneRunQuery, response: { 200: LaneRun } } },
    async ({ actor, query }) => readRun(ctx, actor, query),
  )

  app.put('/lane/pins', { schema: { body: LanePins, response: { 200: LanePins } } }, async ({ actor, body }) =>
    setPins(ctx, actor, body),
  )

  app.get('/lane/selling', { schema: { response: { 200: LaneSelling } } }, async ({ actor }) => readSelling(ctx, actor))

  app.get(
    '/lane/all',
    { onRequest: requireRole('ops', 'admin'), schema: { querystring: LaneAllQuery, response: { 200: LaneAll } } },
    async ({ actor, query }) => readAll(ctx, actor, query.cursor),
  )
}
