import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { ConnectionChange, ConnectionRequest, OwnNetwork } from '#shared/schemas/dealers.ts'
import { Id } from '#shared/values.ts'
import type { Context } from '#server/platform/process/context.ts'
import { assertSelf, signedIn } from '#server/platform/http/guards.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { listRequests, readNetwork } from './connections.repository.ts'
import { answerRequest, connect, disconnect } from './connections.service.ts'

export const connectionsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get(
    '/connections/requests/:userId',
    { schema: { params: Type.Object({ userId: Id }), response: { 200: Type.Array(ConnectionRequest) } } },
    async (request) => {
      assertSelf(request.actor, request.params.userId)
      return listRequests(ctx.db, request.actor.dealerId)
    },
  )

  app.get('/connections', { schema: { response: { 200: OwnNetwork } } }, async ({ actor }) =>
    readNetwork(ctx.db, actor.dealerId),
  )

  for (const [path, answer] of [
    ['accept', 'accepted'],
    ['decline', 'declined'],
  ] as const)
    app.post(
      `/connections/requests/:id/${path}`,
      { schema: { params: ById, response: nothing } },
      async (request, reply) => {
        await answerRequest(ctx, request.actor, request.params.id, answer)
        return reply.code(204).send(null)
      },
    )

  for (const [method, change] of [
    ['POST', connect],
    ['DELETE', disconnect],
  ] as const)
    app.route({
      method,
      url: '/dealers/:id/connect',
      schema: { params: ById, response: { 200: ConnectionChange } },
      handler: async ({ actor, params }) => change(ctx, actor, params.id),
    })

  // An alias, because the API documentation uses this path.
  app.post(
    '/dealers/connect',
    { schema: { body: Type.Object({ dealerId: Id }), response: { 200: ConnectionChange } } },
    async ({ actor, body }) => connect(ctx, actor, body.dealerId),
  )
}
