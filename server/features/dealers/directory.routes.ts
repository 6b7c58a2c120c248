import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { DirectoryDealer, DirectoryQuery, RecommendedDealer, VehicleActivity } from '#shared/schemas/dealers.ts'
import type { Context } from '#server/platform/process/context.ts'
import { countRead, signedIn } from '#server/platform/http/guards.ts'
import { nextLink } from '#server/platform/http/page-cursors.ts'
import { findVehicleActivity } from './directory.repository.ts'
import { createDirectory, recommendedDealers } from './directory.service.ts'

const RecommendedQuery = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 20, default: 3 }) })

export const directoryRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const directory = createDirectory(ctx)
  app.addHook('onRequest', signedIn)

  app.get(
    '/dealers',
    { schema: { querystring: DirectoryQuery, response: { 200: Type.Array(DirectoryDealer) } } },
    async ({ actor, query }, reply) => {
      await countRead(ctx, actor, 'directory')
      const { dealers, total, next } = await directory(actor, query)
      void reply.header('x-total-count', total)
      if (next !== undefined) void reply.header('link', nextLink('/api/dealers', query, next))
      return dealers
    },
  )

  app.get(
    '/dealers/recommended',
    { schema: { querystring: RecommendedQuery, response: { 200: Type.Array(RecommendedDealer) } } },
    async ({ actor, query }) => {
      await countRead(ctx, actor, 'recommended')
      return recommendedDealers(ctx, actor, query.limit)
    },
  )

  app.get('/dealers/activity', { schema: { response: { 200: VehicleActivity } } }, async ({ actor }) => {
    await countRead(ctx, actor, 'activity')
    const activity = await findVehicleActivity(ctx.db, actor.dealerId)
    const count = (value: number | null) => value ?? 0
    return {
      activeListings: count(activity.activeListings),
      soldThisMonth: count(activity.soldThisMonth),
      pending: count(activity.pending),
      watching: count(activity.watching),
      bought: count(activity.bought),
      fromCanada: count(activity.fromCanada),
      averageDaysToClose: activity.averageDaysToClose,
    }
  })
}
