import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import {
  FeedQuery,
  Impressions,
  MarketPosition,
  NewPost,
  Post,
  PostDeletion,
  PostDetail,
  PostPatch,
} from '#shared/schemas/posts.ts'
import type { Context } from '#server/platform/process/context.ts'
import { countRead, signedIn } from '#server/platform/http/guards.ts'
import { notModified } from '#server/platform/http/not-modified.ts'
import { ById, IdempotencyKey, nothing } from '#server/platform/http/route-schemas.ts'
import { createSharedBodies } from '#server/platform/http/shared-body.ts'
import { createFeed } from './feed/feed.service.ts'
import { changePost } from './post-edits.service.ts'
import { deletePost, relistPost } from './post-lifetime.service.ts'
import { createPost, readPost } from './posts.service.ts'
import { readMarket } from './summaries/summaries.service.ts'
import type { ViewCounter } from './view-counter.ts'

const seenLimit = { name: 'seen', max: 120, seconds: 60 }

export const postsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context; views: ViewCounter }> = async (
  app,
  { ctx, views },
) => {
  const feed = createFeed(ctx)
  const shared = createSharedBodies()
  app.addHook('onRequest', signedIn)

  app.get(
    '/inventory',
    { schema: { querystring: FeedQuery, response: { 200: Type.Array(Post) } } },
    async (request, reply) => {
      await countRead(ctx, request.actor, request.query.search?.trim() ? 'search' : 'feed')
      const page = await feed(request.query)
      void reply.header('cache-control', 'private, no-cache').header('x-total-count', page.total)
      if (page.next !== undefined) {
        const query = new URLSearchParams({ sort: request.query.sort, cursor: page.next })
        if (request.query.search) query.set('search', request.query.search)
        if (request.query.dealerId !== undefined) query.set('dealerId', request.query.dealerId)
        if (request.query.limit !== undefined) query.set('limit', String(request.query.limit))
        void reply.header('link', `</api/inventory?${query.toString()}>; rel="next"`)
      }
      // A feed page is the same for every dealer, so its response body is shared.
      const body = await shared(request, reply, { etag: page.etag, write: () => reply.serialize(page.posts) as string })
      return body === undefined ? notModified(reply) : reply.send(body as never)
    },
  )

  app.get('/inventory/:id', { schema: { params: ById, response: { 200: PostDetail } } }, async (request) => {
    return readPost(ctx, request.params.id, request.actor.dealerId)
  })

  app.get(
    '/inventory/:id/market',
    { schema: { params: ById, response: { 200: Type.Array(MarketPosition) } } },
    async (request) => readMarket(ctx, request.actor, request.params.id),
  )

  app.put('/inventory/:id/view', { schema: { params: ById, response: nothing } }, async (request, reply) => {
    await ctx.limiter.consume(seenLimit, request.actor.dealerId)
    views.count(request.params.id, request.actor.dealerId)
    return reply.code(204).send(null)
  })

  app.post('/inventory/impressions', { schema: { body: Impressions, response: nothing } }, async (request, reply) => {
    await ctx.limiter.consume(seenLimit, request.actor.dealerId)
    for (const postId of request.body.postIds) views.countShown(postId, request.actor.dealerId)
    return reply.code(204).send(null)
  })

  app.post(
    '/inventory',
    { schema: { body: NewPost, headers: IdempotencyKey, response: { 201: PostDetail } } },
    async (request, reply) =>
      reply.code(201).send(await createPost(ctx, request.actor, request.body, request.headers['idempotency-key'])),
  )

  app.patch(
    '/inventory/:id',
    { schema: { params: ById, body: PostPatch, response: { 200: PostDetail } } },
    async (request) => changePost(ctx, request.actor, request.params.id, request.body),
  )

  app.delete(
    '/inventory/:id',
    { schema: { params: ById, querystring: PostDeletion, response: nothing } },
    async (request, reply) => {
      await deletePost(ctx, request.actor, request.params.id, request.query)
      return reply.code(204).send(null)
    },
  )

  app.post('/inventory/:id/relist', { schema: { params: ById, response: { 200: PostDetail } } }, async (request) =>
    relistPost(ctx, request.actor, request.params.id),
  )
}
