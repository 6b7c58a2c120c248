import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import {
  FindAnswer,
  FindRequest,
  FindSince,
  FindSinceRequest,
  FindWords,
  FindWordsRequest,
} from '#shared/schemas/find.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import type { FindIndex } from './columns/find-index.ts'
import { createFind } from './find.service.ts'

/** Returns a signal that aborts when the client disconnects, for example because the user kept typing. */
function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => reply.raw.writableFinished || controller.abort())
  return controller.signal
}

export const findRoutes: FastifyPluginAsyncTypebox<{ ctx: Context; index: FindIndex }> = async (
  app,
  { ctx, index },
) => {
  const find = createFind(ctx, index)
  app.addHook('onRequest', signedIn)

  app.get(
    '/find',
    {
      schema: {
        summary: 'Find vehicles for sale across all posts by their attributes',
        description:
          'Open to API keys of any scope. Returns 25 at a time; pass `next` for more. Returns 503 when too many callers search at once.',
        querystring: FindRequest,
        response: { 200: FindAnswer },
      },
    },
    async ({ actor, query }, reply) => find.find(actor, query, abortOnDisconnect(reply)),
  )
  app.get(
    '/find/since',
    { schema: { querystring: FindSinceRequest, response: { 200: FindSince } } },
    async ({ actor, query }, reply) => find.since(actor, query, abortOnDisconnect(reply)),
  )
  app.get(
    '/find/words',
    { schema: { querystring: FindWordsRequest, response: { 200: FindWords } } },
    async ({ actor, query }) => find.words(actor, query.text),
  )
}
