import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { ApiKey, CreatedApiKey, NewApiKey } from '#shared/schemas/api-keys.ts'
import { Id } from '#shared/schemas/dealers.ts'
import type { Context } from '#server/platform/context.ts'
import { signedIn } from '#server/platform/guards.ts'
import { createKey, listLiveKeys, removeKey, revokeKeys } from './api-keys.service.ts'

export const apiKeysRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/api-keys', { schema: { response: { 200: Type.Array(ApiKey) } } }, async (request) =>
    listLiveKeys(ctx.db, request.actor.dealerId),
  )

  app.post('/api-keys', { schema: { body: NewApiKey, response: { 201: CreatedApiKey } } }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    return reply.code(201).send(await createKey(ctx, request.actor, request.body))
  })

  app.delete('/api-keys', { schema: { response: { 204: Type.Null() } } }, async (request, reply) => {
    await revokeKeys(ctx.db, request.actor.dealerId)
    return reply.code(204).send(null)
  })

  app.delete(
    '/api-keys/:id',
    { schema: { params: Type.Object({ id: Id }), response: { 204: Type.Null() } } },
    async (request, reply) => {
      await removeKey(ctx, request.actor, request.params.id)
      return reply.code(204).send(null)
    },
  )
}
