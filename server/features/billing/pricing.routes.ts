import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { AddOnEdit, AdminPricing, PlanEdit } from '#shared/schemas/billing.ts'
import { byOf } from '#server/features/admin/audit.service.ts'
import type { Context } from '#server/platform/context.ts'
import { requireRole } from '#server/platform/guards.ts'
import { adminPricing, editAddOn, editPlan } from './pricing.service.ts'

const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 40 }) })
const response = { 200: AdminPricing }

export const pricingRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', requireRole('admin'))

  app.get('/admin/pricing', { schema: { response } }, async () => adminPricing(ctx))
  app.patch('/admin/plans/:id', { schema: { params, body: PlanEdit, response } }, async (request) =>
    editPlan(ctx, byOf(request), request.params.id, request.body),
  )
  app.patch('/admin/add-ons/:id', { schema: { params, body: AddOnEdit, response } }, async (request) =>
    editAddOn(ctx, byOf(request), request.params.id, request.body),
  )
}
