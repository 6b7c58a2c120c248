import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NewReply, NewReview, Review, ReviewsPage } from '#shared/schemas/reviews.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { ById } from '#server/platform/http/route-schemas.ts'
import { addReview, readReviews, replyToReview } from './reviews.service.ts'

export const reviewsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/dealers/:id/reviews', { schema: { params: ById, response: { 200: ReviewsPage } } }, async (request) =>
    readReviews(ctx, request.actor, request.params.id),
  )

  app.post(
    '/deal/:id/reviews',
    { schema: { params: ById, body: NewReview, response: { 201: Review } } },
    async (request, reply) =>
      reply.code(201).send(await addReview(ctx, request.actor, request.params.id, request.body)),
  )

  app.post(
    '/reviews/:id/reply',
    { schema: { params: ById, body: NewReply, response: { 200: Review } } },
    async (request) => replyToReview(ctx, request.actor, request.params.id, request.body.content),
  )
}
