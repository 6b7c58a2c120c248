import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import {
  ContactAnswer,
  ContactEntry,
  ContactHandling,
  ContactMessage,
  ContactPage,
  ContactQuery,
  ListSubscription,
  TickerLine,
} from '#shared/schemas/site.ts'
import { Id, oneOf } from '#shared/values.ts'
import { byOf } from '#server/features/admin/audit.service.ts'
import type { Context } from '#server/platform/context.ts'
import { requireRole } from '#server/platform/guards.ts'
import { answerMessage, contactPage, handleMessage, receiveMessage } from './contact.service.ts'
import type { FastifyReply } from 'fastify'
import { type MailingList, mailingLists } from '#shared/contact.ts'
import { askToJoin, confirm, leave } from './newsletter.service.ts'
import type { Limit } from '#server/platform/limits.ts'
import { createSingleFlight } from '#server/platform/single-flight.ts'
import { listTickerLines } from './ticker.service.ts'

export const contactRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post('/contact', { schema: { body: ContactMessage, response: { 204: Type.Null() } } }, async (request, reply) => {
    const { address, visitor } = request
    await receiveMessage(ctx, request.body, { address, dealerId: visitor?.dealerId })
    return reply.code(204).send(null)
  })

  app.get(
    '/admin/contact-messages',
    { onRequest: requireRole('admin'), schema: { querystring: ContactQuery, response: { 200: ContactPage } } },
    async (request) => contactPage(ctx, request.query),
  )

  app.post(
    '/admin/contact-messages/:id',
    {
      onRequest: requireRole('admin'),
      schema: { params: Type.Object({ id: Id }), body: ContactHandling, response: { 200: ContactEntry } },
    },
    async (request) => handleMessage(ctx, byOf(request), request.params.id, request.body.handled),
  )

  app.post(
    '/admin/contact-messages/:id/answers',
    {
      onRequest: requireRole('admin'),
      schema: { params: Type.Object({ id: Id }), body: ContactAnswer, response: { 201: ContactEntry } },
    },
    async (request, reply) =>
      reply.code(201).send(await answerMessage(ctx, byOf(request), request.params.id, request.body.content)),
  )
}

/** The page on which each list is offered. */
const pages: Record<MailingList, string> = { newsletter: '/blog', status: '/status' }
const paths: Record<MailingList, string> = { newsletter: '/newsletter', status: '/status/subscriptions' }

const linksPerAddress = { name: 'lists-links', max: 30, seconds: 60 }
const Params = Type.Object({ list: oneOf(mailingLists) })

/** Back to the page that says what happened; `public` shows it to signed-in dealers too. */
const showOutcome = (reply: FastifyReply, list: MailingList, outcome: string) =>
  reply.redirect(`${pages[list]}?list=${outcome}&public`, 303)

export const newsletterRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
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
      await ctx.limiter.consume(linksPerAddress, request.address)
      const { list } = request.params
      const good = await confirm(ctx, list, request.query.token)
      return showOutcome(reply, list, good ? `${list}-confirmed` : 'expired')
    },
  )

  app.get(
    '/lists/:list/leave',
    { schema: { params: Params, querystring: Type.Object({ id: Id, key: Type.String({ maxLength: 200 }) }) } },
    async (request, reply) => {
      await ctx.limiter.consume(linksPerAddress, request.address)
      const { list } = request.params
      const good = await leave(ctx, list, request.query.id, request.query.key)
      return showOutcome(reply, list, good ? `${list}-left` : 'expired')
    },
  )
}

/** Every visitor of the sign-in page asks: the database is read once in so many milliseconds. */
const sharedMs = 15_000
const tickerPerAddress: Limit = { name: 'ticker', max: 60, seconds: 60 }

export const tickerRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const shared = createSingleFlight<TickerLine[]>(sharedMs)

  app.get('/activity-ticker', { schema: { response: { 200: Type.Array(TickerLine) } } }, async (request, reply) => {
    await ctx.limiter.consume(tickerPerAddress, request.address)
    void reply.header('cache-control', `public, max-age=${sharedMs / 1_000}`)
    return shared.forceFetch('', { context: () => listTickerLines(ctx) })
  })
}
