import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { reportKinds } from '#shared/moderation.ts'
import { Id, oneOf } from '#shared/values.ts'
import {
  CasesPage,
  CasesQuery,
  ModerationCase,
  ModerationDecision,
  NewReport,
  ReportReceipt,
} from '#shared/schemas/moderation.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole, signedIn } from '#server/platform/http/guards.ts'
import { casesPage } from './moderation-cases.service.ts'
import { decide, report } from './moderation.service.ts'

export const moderationRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post(
    '/reports',
    { onRequest: signedIn, schema: { body: NewReport, response: { 201: ReportReceipt } } },
    async (request, reply) => reply.code(201).send(await report(ctx, request.actor, request.body)),
  )

  app.get(
    '/admin/moderation',
    { onRequest: requireRole('admin'), schema: { querystring: CasesQuery, response: { 200: CasesPage } } },
    async (request) => casesPage(ctx, request.query),
  )

  app.post(
    '/admin/moderation/:kind/:id',
    {
      onRequest: requireRole('admin'),
      schema: {
        params: Type.Object({ kind: oneOf(reportKinds), id: Id }),
        body: ModerationDecision,
        response: { 200: ModerationCase },
      },
    },
    async (request) => decide(ctx, byOf(request), request.params, request.body),
  )
}
