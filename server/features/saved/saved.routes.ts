import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Post } from '#shared/schemas/posts.ts'
import { NewSavedSearch, SavedSearch, WatchedIds } from '#shared/schemas/saved.ts'
import { listWatchedPosts } from '#server/features/posts/posts-changes.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { listSavedSearches, listWatchedIds } from './saved.repository.ts'
import { deleteSearch, saveSearch, setWatch } from './saved.service.ts'

export const savedRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/saved-searches', { schema: { response: { 200: Type.Array(SavedSearch) } } }, async ({ actor }) =>
    listSavedSearches(ctx.db, actor.dealerId),
  )
  app.post(
    '/saved-searches',
    { schema: { body: NewSavedSearch, response: { 201: SavedSearch } } },
    async ({ actor, body }, reply) => reply.code(201).send(await saveSearch(ctx, actor, body)),
  )
  app.delete('/saved-searches/:id', { schema: { params: ById, response: nothing } }, async (request, reply) => {
    await deleteSearch(ctx, request.actor, request.params.id)
    return reply.code(204).send(null)
  })

  app.get('/watchlist', { schema: { response: { 200: Type.Array(Post) } } }, async ({ actor }) =>
    listWatchedPosts(ctx.db, actor.dealerId),
  )
  app.get('/watchlist/ids', { schema: { response: { 200: WatchedIds } } }, async ({ actor }) =>
    listWatchedIds(ctx.db, actor.dealerId),
  )
  for (const [method, on] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const)
    app.route({
      method,
      url: '/inventory/:id/watch',
      schema: { params: ById, response: nothing },
      handler: async (request, reply) => {
        await setWatch(ctx, request.actor, request.params.id, on)
        return reply.code(204).send(null)
      },
    })
}
