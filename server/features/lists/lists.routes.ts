import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { mailingLists, type MailingList } from '#shared/contact.ts'
import { ListSubscription } from '#shared/schemas/contact.ts'
import { Id, oneOf } from '#shared/schemas/dealers.ts'
import type { Context } from '#server/platform/context.ts'
import { askToJoin, confirm, leave } from './lists.service.ts'

/** The page on which each list is offered. */
const pages: Record<MailingList, string> = { newsletter: '/blog', status: '/status' }
const paths: Record<MailingList, string> = { newsletter: '/newsletter', status: '/status/subscriptions' }

const perAddress = { name: 'lists-links', max: 30, seconds: 60 }
const Params = Type.Object({ list: oneOf(mailingLists) })

/** Back to the page that says what happened; `public` shows it to signed-in dealers too. */
const showOutcome = (reply: FastifyReply, list: MailingList, outcome: string) =>
  reply.redirect(`${pages[list]}?list=${outcome}&public`, 303)

export const listsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  for (const list of mailingLists)
    app.post(
      paths[list],
      { schema: { body: ListSubscription, response: { 204: Type.Null() } } },
      async (request, reply) => {
        await askToJoin(ctx, list, request.body, request.address)
        return reply.code(204).send(null)
      },
    )

  app.get(
    '/lists/:list/confirm',
    { schema: { params: Params, querystring: Type.Object({ token: Type.String({ maxLength: 200 }) }) } },
    async (request, reply) => {
      await ctx.limiter.consume(perAddress, request.address)
      const { list } = request.params
      const good = await confirm(ctx, list, request.query.token)
      return showOutcome(reply, list, good ? `${list}-confirmed` : 'expired')
    },
  )

  app.get(
    '/lists/:list/leave',
    { schema: { params: Params, querystring: Type.Object({ id: Id, key: Type.String({ maxLength: 200 }) }) } },
    async (request, reply) => {
      await ctx.limiter.consume(perAddress, request.address)
      const { list } = request.params
      const good = await leave(ctx, list, request.query.id, request.query.key)
      return showOutcome(reply, list, good ? `${list}-left` : 'expired')
    },
  )
}
