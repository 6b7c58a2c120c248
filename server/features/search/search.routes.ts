import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Found, SearchQuery } from '#shared/schemas/search.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { createSearch } from './search.service.ts'

export const searchRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const search = createSearch(ctx)
  app.addHook('onRequest', signedIn)

  app.get('/search', { schema: { querystring: SearchQuery, response: { 200: Found } } }, async ({ actor, query }) =>
    search(actor, query.q),
  )
}
