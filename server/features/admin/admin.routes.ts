import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AdminDeal,
  AdminDealsPage,
  AdminDealsQuery,
  AdminOverview,
  NetworkChange,
  NetworkSettings,
  Retention,
  RetentionState,
  TestMail,
  WithOptionalReason,
  WithReason,
} from '#shared/schemas/admin.ts'
import { AuditPage, AuditQuery } from '#shared/schemas/audit.ts'
import { auditPage, byOf } from '#server/features/audit/audit.service.ts'
import { siteOf } from '#server/features/auth/second-factor/passkeys.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole } from '#server/platform/http/guards.ts'
import { ById } from '#server/platform/http/route-schemas.ts'
import { adminDealsPage, reviewDeal } from './admin-deals.service.ts'
import { adminOverview } from './admin-overview.service.ts'
import { changeNetworkSettings, networkSettings } from './network.service.ts'
import { changeRetention, readRetention } from './retention.service.ts'
import { sendTestMailToSelf } from './test-mail.service.ts'

export const adminRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', requireRole('admin'))

  app.get('/admin/overview', { schema: { response: { 200: AdminOverview } } }, async () => adminOverview(ctx))

  app.get('/admin/network', { schema: { response: { 200: NetworkSettings } } }, async () => networkSettings(ctx))
  app.patch(
    '/admin/network',
    { schema: { body: NetworkChange, response: { 200: NetworkSettings } } },
    async (request) => changeNetworkSettings(ctx, byOf(request), request.body, siteOf(ctx.config, request)),
  )

  app.get('/admin/retention', { schema: { response: { 200: RetentionState } } }, async () => readRetention(ctx))
  app.put('/admin/retention', { schema: { body: Retention, response: { 200: RetentionState } } }, async (request) =>
    changeRetention(ctx, byOf(request), request.body),
  )

  app.post('/admin/test-mail', { schema: { response: { 200: TestMail } } }, async (request) =>
    sendTestMailToSelf(ctx, request.actor.dealerId),
  )

  app.get(
    '/admin/deals',
    { schema: { querystring: AdminDealsQuery, response: { 200: AdminDealsPage } } },
    async (request) => adminDealsPage(ctx, request.query),
  )
  app.post(
    '/admin/deals/:id/approve',
    { schema: { params: ById, body: WithOptionalReason, response: { 200: AdminDeal } } },
    async (request) => reviewDeal(ctx, byOf(request), request.params.id, 'approved', request.body.reason ?? ''),
  )
  app.post(
    '/admin/deals/:id/reject',
    { schema: { params: ById, body: WithReason, response: { 200: AdminDeal } } },
    async (request) => reviewDeal(ctx, byOf(request), request.params.id, 'rejected', request.body.reason),
  )
}

export const auditRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get(
    '/admin/audit',
    { onRequest: requireRole('admin'), schema: { querystring: AuditQuery, response: { 200: AuditPage } } },
    async (request) => auditPage(ctx, request.query),
  )
}
