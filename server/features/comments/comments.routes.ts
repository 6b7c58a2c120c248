import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Id } from '#shared/values.ts'
import { Comment, CommentPatch, CommentsQuery, NewComment } from '#shared/schemas/comments.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { linkTo } from '#server/platform/http/page-cursors.ts'
import { ById, IdempotencyKey, nothing } from '#server/platform/http/route-schemas.ts'
import {
  addComment,
  createCommentBatcher,
  deleteComment,
  dropAttachment,
  editComment,
  readCommentsPage,
} from './comments.service.ts'

const ByComment = Type.Object({ id: Id, commentId: Id })

export const commentsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const batcher = createCommentBatcher(ctx)

  app.get(
    '/inventory/:id/comments',
    {
      onRequest: signedIn,
      schema: { params: ById, querystring: CommentsQuery, response: { 200: Type.Array(Comment) } },
    },
    async (request, reply) => {
      const page = await readCommentsPage(ctx, request.actor, request.params.id, request.query)
      void reply.header('x-total-count', page.total)
      if (page.earlier !== null) void reply.header('link', linkTo(page.earlier))
      return reply.send(page.comments)
    },
  )

  app.post(
    '/inventory/:id/comments',
    {
      onRequest: signedIn,
      schema: { params: ById, body: NewComment, headers: IdempotencyKey, response: { 201: Comment } },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key']
      const comment = { postId: request.params.id, input: request.body, key }
      return reply.code(201).send(await addComment(ctx, batcher, request.actor, comment))
    },
  )

  app.patch(
    '/inventory/:id/comments/:commentId',
    { onRequest: signedIn, schema: { params: ByComment, body: CommentPatch, response: { 200: Comment } } },
    async (request) => editComment(ctx, request.actor, request.params.id, request.params.commentId, request.body),
  )

  app.delete(
    '/inventory/:id/comments/:commentId',
    { onRequest: signedIn, schema: { params: ByComment, response: nothing } },
    async (request, reply) => {
      await deleteComment(ctx, request.actor, request.params.id, request.params.commentId)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/inventory/:id/comments/:commentId/attachment',
    { onRequest: signedIn, schema: { params: ByComment, response: nothing } },
    async (request, reply) => {
      await dropAttachment(ctx, request.actor, request.params.id, request.params.commentId)
      return reply.code(204).send(null)
    },
  )
}
