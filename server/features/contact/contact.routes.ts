import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { ContactEntry, ContactMessage } from '#shared/schemas/contact.ts'
import type { Context } from '#server/platform/context.ts'
import { requireRole } from '#server/platform/guards.ts'
import { listMessages } from './contact.repository.ts'
import { receiveMessage } from './contact.service.ts'

const listMax = 200

export const contactRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post('/contact', { schema: { body: ContactMessage, response: { 204: Type.Null() } } }, async (request, reply) => {
    await receiveMessage(ctx, request.body, request.ip)
    return reply.code(204).send(null)
  })

  app.get(
    '/admin/contact-messages',
    { onRequest: requireRole('admin'), schema: { response: { 200: Type.Array(ContactEntry) } } },
    async () => listMessages(ctx.db, listMax),
  )
}
