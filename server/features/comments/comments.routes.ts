import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Id } from '#shared/schemas/dealers.ts'
import { Comment, NewComment } from '#shared/schemas/posts.ts'
import type { Context } from '#server/platform/context.ts'
import { signedIn } from '#server/platform/guards.ts'
import { addComment, dropAttachment } from './comments.service.ts'

const ById = Type.Object({ id: Id })
const ByComment = Type.Object({ id: Id, commentId: Id })
const IdempotencyKey = Type.Object({ 'idempotency-key': Type.Optional(Id) })

export const commentsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post(
    '/inventory/:id/comments',
    {
      onRequest: signedIn,
      schema: { params: ById, body: NewComment, headers: IdempotencyKey, response: { 201: Comment } },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key']
      return reply.code(201).send(await addComment(ctx, request.actor, request.params.id, request.body, key))
    },
  )

  app.delete(
    '/inventory/:id/comments/:commentId/attachment',
    { onRequest: signedIn, schema: { params: ByComment, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await dropAttachment(ctx, request.actor, request.params.id, request.params.commentId)
      return reply.code(204).send(null)
    },
  )
}
