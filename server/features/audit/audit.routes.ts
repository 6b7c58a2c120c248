import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditPage, AuditQuery } from '#shared/schemas/audit.ts'
import type { Context } from '#server/platform/context.ts'
import { requireRole } from '#server/platform/guards.ts'
import { auditPage } from './audit.service.ts'

export const auditRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get(
    '/admin/audit',
    { onRequest: requireRole('admin'), schema: { querystring: AuditQuery, response: { 200: AuditPage } } },
    async (request) => auditPage(ctx, request.query),
  )
}
