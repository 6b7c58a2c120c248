import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '#server/platform/context.ts'
import { receiveEvent } from './billing-webhook.service.ts'

/** Apart from the other routes because its body must stay the raw bytes that were signed. */
export const billingWebhookRoutes: FastifyPluginAsync<{ ctx: Context }> = async (app, { ctx }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post<{ Body: Buffer }>('/webhooks/stripe', async (request, reply) => {
    const signature = request.headers['stripe-signature']
    await receiveEvent(ctx, request.body, typeof signature === 'string' ? signature : '')
    return reply.code(204).send()
  })
}
