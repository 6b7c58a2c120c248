import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Id } from '#shared/schemas/dealers.ts'
import { Deal } from '#shared/schemas/deals.ts'
import type { Context } from '#server/platform/context.ts'
import { assertSelf, signedIn } from '#server/platform/guards.ts'
import { listDeals } from './deals.repository.ts'
import { toDeal } from './deals.rows.ts'

const ByUser = Type.Object({ userId: Id })

export const dealsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  // As the API documentation lists it (spec B §7).
  app.get('/deals', { schema: { response: { 200: Type.Array(Deal) } } }, async (request) =>
    (await listDeals(ctx.db, request.actor.dealerId)).map(toDeal),
  )

  app.get('/deals/:userId', { schema: { params: ByUser, response: { 200: Type.Array(Deal) } } }, async (request) => {
    assertSelf(request.actor, request.params.userId)
    return (await listDeals(ctx.db, request.actor.dealerId)).map(toDeal)
  })
}
