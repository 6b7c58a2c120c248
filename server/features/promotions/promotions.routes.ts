import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Promotion, PromotionChange, PromotionInput } from '#shared/schemas/promotions.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole, signedIn } from '#server/platform/http/guards.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { listPromotions } from './promotions.repository.ts'
import { changePromotion, createPromotion, deletePromotion, runningPromotions } from './promotions.service.ts'

const guard = { onRequest: requireRole('admin') }

export const promotionsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get(
    '/promotions',
    { onRequest: signedIn, schema: { response: { 200: Type.Array(Promotion) } } },
    async (request) => runningPromotions(ctx, request.actor),
  )
  app.get('/admin/promotions', { ...guard, schema: { response: { 200: Type.Array(Promotion) } } }, async () =>
    listPromotions(ctx.db),
  )

  const created = { ...guard, schema: { body: PromotionInput, response: { 201: Promotion } } }
  app.post('/admin/promotions', created, async (request, reply) =>
    reply.code(201).send(await createPromotion(ctx, byOf(request), request.body)),
  )
  app.post('/admin/announcements', created, async (request, reply) =>
    reply.code(201).send(await createPromotion(ctx, byOf(request), request.body, 'announcement.send')),
  )
  app.patch(
    '/admin/promotions/:id',
    { ...guard, schema: { params: ById, body: PromotionChange, response: { 200: Promotion } } },
    async (request) => changePromotion(ctx, byOf(request), request.params.id, request.body),
  )
  app.delete(
    '/admin/promotions/:id',
    { ...guard, schema: { params: ById, response: nothing } },
    async (request, reply) => {
      await deletePromotion(ctx, byOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
