import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Id, oneOf } from '#shared/values.ts'
import { OwnReactions, reactionKinds } from '#shared/schemas/posts.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { nothing } from '#server/platform/http/route-schemas.ts'
import { listOwnReactions } from './reactions.repository.ts'
import { setReaction } from './reactions.service.ts'

const ByKind = Type.Object({ id: Id, kind: oneOf(reactionKinds) })

export const reactionsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/inventory/reactions', { schema: { response: { 200: OwnReactions } } }, async (request) =>
    listOwnReactions(ctx.db, request.actor.dealerId),
  )

  for (const [method, on] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const)
    app.route({
      method,
      url: '/inventory/:id/reactions/:kind',
      schema: { params: ByKind, response: nothing },
      handler: async (request, reply) => {
        await setReaction(ctx, request.actor, request.params.id, request.params.kind, on)
        return reply.code(204).send(null)
      },
    })
}
