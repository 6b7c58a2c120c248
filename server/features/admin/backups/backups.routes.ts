import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Backup, Backups } from '#shared/schemas/admin.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole } from '#server/platform/http/guards.ts'
import { readBackups, startBackup } from './backups.service.ts'

export const backupsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', requireRole('admin'))

  app.get('/admin/backups', { schema: { response: { 200: Backups } } }, async () => readBackups(ctx))

  app.post('/admin/backups', { schema: { response: { 202: Backup } } }, async (request, reply) =>
    reply.code(202).send(await startBackup(ctx, byOf(request))),
  )
}
