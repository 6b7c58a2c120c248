import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import {
  ContactAnswer,
  ContactEntry,
  ContactHandling,
  ContactMessage,
  ContactPage,
  ContactQuery,
  IssueChange,
  IssueInput,
  IssuePreview,
  ListSubscription,
  NewsletterIssue,
  ReadIssue,
  SubscribersPage,
  SubscribersQuery,
  TickerLine,
} from '#shared/schemas/site.ts'
import { Id, oneOf } from '#shared/values.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole } from '#server/platform/http/guards.ts'
import { answerMessage, contactPage, handleMessage, receiveMessage } from './contact.service.ts'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#server/errors.ts'
import {
  allIssues,
  changeIssue,
  deleteIssue,
  previewIssue,
  sendIssue,
  subscribersPage,
  writeIssue,
} from './issues.service.ts'
import { type MailingList, mailingLists } from '#shared/contact.ts'
import { requestSubscription, confirm, unsubscribe } from './newsletter.service.ts'
import type { Limit } from '#server/platform/limits.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { createSingleFlight } from '#server/platform/single-flight.ts'
import { listTickerLines } from './ticker.service.ts'

export const contactRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post('/contact', { schema: { body: ContactMessage, response: nothing } }, async (request, reply) => {
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
      schema: { params: ById, body: ContactHandling, response: { 200: ContactEntry } },
    },
    async (request) => handleMessage(ctx, byOf(request), request.params.id, request.body.handled),
  )

  app.post(
    '/admin/contact-messages/:id/answers',
    {
      onRequest: requireRole('admin'),
      schema: { params: ById, body: ContactAnswer, response: { 201: ContactEntry } },
    },
    async (request, reply) =>
      reply.code(201).send(await answerMessage(ctx, byOf(request), request.params.id, request.body.content)),
  )
}

const pages: Record<MailingList, string> = { newsletter: '/blog', status: '/status' }
const paths: Record<MailingList, string> = { newsletter: '/newsletter', status: '/status/subscriptions' }

const oneClickMaxBytes = 10_000
const linksPerAddress = { name: 'lists-links', max: 30, seconds: 60 }
const Params = Type.Object({ list: oneOf(mailingLists) })

/** The parameter `public` makes the page visible to signed-in dealers, too. */
const showOutcome = (reply: FastifyReply, list: MailingList, outcome: string) =>
  reply.redirect(`${pages[list]}?list=${outcome}&public`, 303)

const leaveSchema = { params: Params, querystring: Type.Object({ id: Id, key: Type.String({ maxLength: 200 }) }) }

/** One-click unsubscribe for email programs (RFC 8058), which post a form and ignore the response. */
const oneClickRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  // RFC 8058 also allows multipart, which the server already accepts.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { bodyLimit: oneClickMaxBytes },
    async (_request: FastifyRequest, body: Readable) => void (await body.resume().toArray()),
  )
  app.post(
    '/lists/:list/leave',
    { config: { fromAnySite: true }, schema: { ...leaveSchema, response: nothing } },
    async (request, reply) => {
      await ctx.limiter.consume(linksPerAddress, request.address)
      const { list } = request.params
      if (!(await unsubscribe(ctx, list, request.query.id, request.query.key))) throw notFound('This subscription')
      return reply.code(204).send(null)
    },
  )
}

export const newsletterRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  for (const list of mailingLists)
    app.post(paths[list], { schema: { body: ListSubscription, response: nothing } }, async (request, reply) => {
      await requestSubscription(ctx, list, request.body, request.address)
      return reply.code(204).send(null)
    })

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

  await app.register(oneClickRoutes, { ctx })
  app.get('/lists/:list/leave', { schema: leaveSchema }, async (request, reply) => {
    await ctx.limiter.consume(linksPerAddress, request.address)
    const { list } = request.params
    const good = await unsubscribe(ctx, list, request.query.id, request.query.key)
    return showOutcome(reply, list, good ? `${list}-left` : 'expired')
  })
}

const issueParams = Type.Object({ id: Id })
const adminOnly = { onRequest: requireRole('admin') }

export const issuesRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get(
    '/admin/newsletter/subscribers',
    { ...adminOnly, schema: { querystring: SubscribersQuery, response: { 200: SubscribersPage } } },
    async (request) => subscribersPage(ctx, request.query),
  )
  app.get(
    '/admin/newsletter/issues',
    { ...adminOnly, schema: { response: { 200: Type.Array(NewsletterIssue) } } },
    async () => allIssues(ctx),
  )
  app.post(
    '/admin/newsletter/issues',
    { ...adminOnly, schema: { body: IssueInput, response: { 201: NewsletterIssue } } },
    async (request, reply) => reply.code(201).send(await writeIssue(ctx, byOf(request), request.body)),
  )
  app.put(
    '/admin/newsletter/issues/:id',
    { ...adminOnly, schema: { params: issueParams, body: IssueChange, response: { 200: NewsletterIssue } } },
    async (request) => changeIssue(ctx, byOf(request), request.params.id, request.body),
  )
  app.delete(
    '/admin/newsletter/issues/:id',
    { ...adminOnly, schema: { params: issueParams, response: nothing } },
    async (request, reply) => {
      await deleteIssue(ctx, byOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
  app.get(
    '/admin/newsletter/issues/:id/preview',
    { ...adminOnly, schema: { params: issueParams, response: { 200: IssuePreview } } },
    async (request) => previewIssue(ctx, request.params.id),
  )
  app.post(
    '/admin/newsletter/issues/:id/send',
    { ...adminOnly, schema: { params: issueParams, body: ReadIssue, response: { 200: NewsletterIssue } } },
    async (request) => sendIssue(ctx, byOf(request), request.params.id, request.body),
  )
}

/** The ticker is cached, because every visitor of the sign-in page loads it. */
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
