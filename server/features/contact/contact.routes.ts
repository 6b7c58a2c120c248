import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { ContactEntry, ContactHandling, ContactMessage, ContactPage, ContactQuery } from '#shared/schemas/contact.ts'
import { Id } from '#shared/schemas/dealers.ts'
import { byOf } from '#server/features/audit/audit-request.ts'
import type { Context } from '#server/platform/context.ts'
import { requireRole } from '#server/platform/guards.ts'
import { contactPage, handleMessage } from './contact-desk.service.ts'
import { receiveMessage } from './contact.service.ts'

export const contactRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post('/contact', { schema: { body: ContactMessage, response: { 204: Type.Null() } } }, async (request, reply) => {
    await receiveMessage(ctx, request.body, request.address)
    return reply.code(204).send(null)
  })

  app.get(
    '/admin/contact-messages',
    { onRequest: requireRole('admin'), schema: { querystring: ContactQuery, response: { 200: ContactPage } } },
    async (request) => contactPage(ctx, request.query),
  )

  app.post(
    '/admin/contact-messages/:id',
    {
      onRequest: requireRole('admin'),
      schema: { params: Type.Object({ id: Id }), body: ContactHandling, response: { 200: ContactEntry } },
    },
    async (request) => handleMessage(ctx, byOf(request), request.params.id, request.body.handled),
  )
}
