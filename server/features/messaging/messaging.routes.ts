import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Id } from '#shared/values.ts'
import {
  Chat,
  ChatPatch,
  ChatsQuery,
  FoundMessage,
  Message,
  MessageSearch,
  MessagesPage,
  MessagesQuery,
  NewMessage,
  OpenChat,
  ReadPointer,
  RecentMessage,
  RecentMessagesQuery,
} from '#shared/schemas/messaging.ts'
import type { Context } from '#server/platform/process/context.ts'
import { countRead, signedIn } from '#server/platform/http/guards.ts'
import { nextLink } from '#server/platform/http/page-cursors.ts'
import { ById, IdempotencyKey, nothing } from '#server/platform/http/route-schemas.ts'
import { changeChat, markRead, openChat, readChat, readChats } from './chats.service.ts'
import { generateDemoChats } from './chats-demo.service.ts'
import { randomUUID } from 'node:crypto'
import {
  createMessageBatcher,
  findMessages,
  readMessages,
  readRecentMessages,
  sendMessage,
} from './messages.service.ts'

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
    { schema: { params: ById, body: ReadPointer, response: nothing } },
    async (request, reply) => {
      await markRead(ctx, request.actor, request.params.id, request.body.seq)
      return reply.code(204).send(null)
    },
  )
}

export const messagesRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const batcher = createMessageBatcher(ctx)
  app.addHook('onRequest', signedIn)

  // The client keeps the key with the message until the server acknowledges the message, so keys never expire.
  app.post(
    '/messages',
    { config: { isUrgent: true }, schema: { body: NewMessage, headers: IdempotencyKey, response: { 201: Message } } },
    async (request, reply) => {
      const key = request.headers['idempotency-key'] ?? randomUUID()
      return reply.code(201).send(await sendMessage(ctx, batcher, request.actor, request.body, key))
    },
  )

  app.get(
    '/messages',
    { schema: { querystring: RecentMessagesQuery, response: { 200: Type.Array(RecentMessage) } } },
    async (request) => readRecentMessages(ctx, request.actor, request.query),
  )

  app.get(
    '/chats/:id/messages',
    { schema: { params: ById, querystring: MessagesQuery, response: { 200: MessagesPage } } },
    async (request) => readMessages(ctx, request.actor, request.params.id, request.query),
  )

  app.get(
    '/chats/search',
    { schema: { querystring: MessageSearch, response: { 200: Type.Array(FoundMessage) } } },
    async (request) => findMessages(ctx, request.actor, request.query.q),
  )
}
