import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Id } from '#shared/schemas/dealers.ts'
import {
  FoundMessage,
  Message,
  MessageSearch,
  MessagesPage,
  MessagesQuery,
  NewMessage,
  RecentMessage,
  RecentMessagesQuery,
} from '#shared/schemas/messaging.ts'
import type { Context } from '#server/platform/context.ts'
import { signedIn } from '#server/platform/guards.ts'
import { createMessageDesk, findMessages, readMessages, readRecentMessages, sendMessage } from './messages.service.ts'

/** Made by the client once per message and kept with it until it is acknowledged. It never expires. */
const IdempotencyKey = Type.Object({ 'idempotency-key': Type.Optional(Id) })

export const messagesRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const desk = createMessageDesk(ctx)
  app.addHook('onRequest', signedIn)

  app.post(
    '/messages',
    { schema: { body: NewMessage, headers: IdempotencyKey, response: { 201: Message } } },
    async (request, reply) => {
      const key = request.headers['idempotency-key'] ?? randomUUID()
      return reply.code(201).send(await sendMessage(ctx, desk, request.actor, request.body, key))
    },
  )

  app.get(
    '/messages',
    { schema: { querystring: RecentMessagesQuery, response: { 200: Type.Array(RecentMessage) } } },
    async (request) => readRecentMessages(ctx, request.actor, request.query),
  )

  app.get(
    '/chats/:id/messages',
    { schema: { params: Type.Object({ id: Id }), querystring: MessagesQuery, response: { 200: MessagesPage } } },
    async (request) => readMessages(ctx, request.actor, request.params.id, request.query),
  )

  app.get(
    '/chats/search',
    { schema: { querystring: MessageSearch, response: { 200: Type.Array(FoundMessage) } } },
    async (request) => findMessages(ctx, request.actor, request.query.q),
  )
}
