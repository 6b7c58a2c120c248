import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Id } from '#shared/schemas/dealers.ts'
import { Chat, ChatPatch, ChatsQuery, OpenChat, ReadPointer } from '#shared/schemas/messaging.ts'
import type { Context } from '#server/platform/context.ts'
import { countRead, signedIn } from '#server/platform/guards.ts'
import { nextLink } from '#server/platform/keyset.ts'
import { changeChat, markRead, openChat, readChat, readChats } from './chats.service.ts'
import { generateDemoChats } from './demo-chats.service.ts'

const ById = Type.Object({ id: Id })

export const chatsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get(
    '/chats',
    { schema: { querystring: ChatsQuery, response: { 200: Type.Array(Chat) } } },
    async ({ actor, query }, reply) => {
      if (query.search?.trim()) await countRead(ctx, actor, 'chat-search')
      const { chats, total, next } = await readChats(ctx, actor, query)
      void reply.header('x-total-count', total)
      if (next !== undefined) void reply.header('link', nextLink('/api/chats', query, next))
      return chats
    },
  )

  app.get('/chats/:id', { schema: { params: ById, response: { 200: Chat } } }, async (request) =>
    readChat(ctx, request.actor, request.params.id),
  )

  app.post('/chats', { schema: { body: OpenChat, response: { 201: Chat } } }, async (request, reply) =>
    reply.code(201).send(await openChat(ctx, request.actor, request.body)),
  )

  app.post(
    '/chats/:userId/generate',
    { schema: { params: Type.Object({ userId: Id }), response: { 201: Type.Array(Chat) } } },
    async (request, reply) => reply.code(201).send(await generateDemoChats(ctx, request.actor, request.params.userId)),
  )

  app.patch('/chats/:id', { schema: { params: ById, body: ChatPatch, response: { 200: Chat } } }, async (request) =>
    changeChat(ctx, request.actor, request.params.id, request.body),
  )

  app.put(
    '/chats/:id/read',
    { schema: { params: ById, body: ReadPointer, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await markRead(ctx, request.actor, request.params.id, request.body.seq)
      return reply.code(204).send(null)
    },
  )
}
