import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Dashboard, SalesAnalytics, salesKinds, StartSteps } from '#shared/schemas/dashboard.ts'
import { oneOf } from '#shared/values.ts'
import type { Context } from '#server/platform/process/context.ts'
import { countRead, signedIn } from '#server/platform/http/guards.ts'
import { readDashboard, readSales, readStartSteps } from './dashboard.service.ts'

const ByKind = Type.Object({ kind: oneOf(salesKinds) })

export const dashboardRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/dashboard', { schema: { response: { 200: Dashboard } } }, async ({ actor }) => {
    await countRead(ctx, actor, 'dashboard')
    return readDashboard(ctx, actor)
  })

  app.get('/dashboard/start', { schema: { response: { 200: StartSteps } } }, async ({ actor }) => {
    await countRead(ctx, actor, 'start')
    return readStartSteps(ctx, actor)
  })

  app.get(
    '/dashboard/sales/:kind',
    { schema: { params: ByKind, response: { 200: SalesAnalytics } } },
    async ({ actor, params }) => {
      await countRead(ctx, actor, 'sales')
      return readSales(ctx, actor, params.kind)
    },
  )
}
