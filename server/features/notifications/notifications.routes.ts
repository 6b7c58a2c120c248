import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MarkRead, NotificationsPage, NotificationsQuery } from '#shared/schemas/notifications.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { nothing } from '#server/platform/http/route-schemas.ts'
import { markRead, readNotifications } from './notifications.service.ts'

export const notificationsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)
  app.get(
    '/notifications',
    { schema: { querystring: NotificationsQuery, response: { 200: NotificationsPage } } },
    async ({ actor, query }) => readNotifications(ctx, actor, query),
  )
  app.post('/notifications/read', { schema: { body: MarkRead, response: nothing } }, async ({ actor, body }, reply) => {
    await markRead(ctx, actor, body)
    return reply.code(204).send(null)
  })
}
