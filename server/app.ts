import { existsSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { jsonBodyMaxBytes } from '#shared/limits.ts'
import { AppError } from './errors.ts'
import { apiKeysRoutes } from './features/api-keys/api-keys.routes.ts'
import { actorOfKey } from './features/api-keys/api-keys.service.ts'
import { auctionsRoutes } from './features/auctions/auctions.routes.ts'
import { offersRoutes } from './features/deals/offers.routes.ts'
import { adminUsersRoutes } from './features/admin/admin-users.routes.ts'
import { adminRoutes } from './features/admin/admin.routes.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { boardPath, opsBoard } from './features/ops/ops-board.ts'
import { serveMetrics } from './features/ops/ops-metrics.ts'
import { opsRoutes } from './features/ops/ops.routes.ts'
import { moderationRoutes } from './features/moderation/moderation.routes.ts'
import { pricingRoutes } from './features/pricing/pricing.routes.ts'
import { promotionsRoutes } from './features/promotions/promotions.routes.ts'
import { authAccountRoutes } from './features/auth/auth-account.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { billingWebhookRoutes } from './features/billing/billing-webhook.routes.ts'
import { billingRoutes } from './features/billing/billing.routes.ts'
import { chatsRoutes } from './features/chats/chats.routes.ts'
import { messagesRoutes } from './features/chats/messages.routes.ts'
import { commentsRoutes } from './features/comments/comments.routes.ts'
import { contactRoutes } from './features/contact/contact.routes.ts'
import { connectionsRoutes } from './features/connections/connections.routes.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import { accountRoutes } from './features/account/account.routes.ts'
import { profilesRoutes } from './features/profiles/profiles.routes.ts'
import { savedRoutes } from './features/saved/saved.routes.ts'
import { directoryRoutes } from './features/directory/directory.routes.ts'
import { dealsRoutes } from './features/deals/deals.routes.ts'
import { googleRoutes } from './features/google/google.routes.ts'
import { listsRoutes } from './features/lists/lists.routes.ts'
import { onboardingRoutes } from './features/onboarding/onboarding.routes.ts'
import { notificationsRoutes } from './features/notifications/notifications.routes.ts'
import { headsRoutes } from './features/heads/heads.routes.ts'
import { postsRoutes } from './features/posts/posts.routes.ts'
import type { ViewCounter } from './features/posts/view-counter.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { reactionsRoutes } from './features/reactions/reactions.routes.ts'
import { reviewsRoutes } from './features/reviews/reviews.routes.ts'
import { statusRoutes } from './features/status/status.routes.ts'
import { spreadsheetsRoutes } from './features/spreadsheets/spreadsheets.routes.ts'
import { uploadsRoutes } from './features/uploads/uploads.routes.ts'
import { vinRoutes } from './features/vin/vin.routes.ts'
import { wireRoutes } from './features/wire/wire.routes.ts'
import { apiDocs } from './platform/api-docs.ts'
import type { Context } from './platform/context.ts'
import { assertSameOrigin } from './platform/csrf.ts'
import { contentSecurity } from './platform/content-security.ts'
import { healthRoutes, type Health } from './platform/health.ts'
import { registerErrorHandling, sendNotFound } from './platform/http-errors.ts'
import { cookieName, resolveActor, type ActorCache } from './platform/session.ts'
import { registerValidation } from './platform/validation.ts'
import { webClient } from './platform/web-client.ts'

export interface AppParts {
  actors: ActorCache
  views: ViewCounter
  health: Health
  /** Folder of the built client; absent in tests of the API alone. */
  clientDir: string
}

const requestTimeoutMs = 60_000

function identify(app: FastifyInstance, ctx: Context, actors: ActorCache): void {
  app.decorateRequest('visitor', undefined)
  app.decorateRequest('actor', {
    getter() {
      if (this.visitor === undefined) throw new AppError(401, 'unauthorized', 'Sign in to continue')
      return this.visitor
    },
  })
  app.addHook('onRequest', async (request) => {
    if (!request.url.startsWith('/api/') && !request.url.startsWith(boardPath)) return
    assertSameOrigin(ctx.config, request)
    const secret = request.cookies[cookieName(ctx.config)]
    if (secret !== undefined) request.visitor = await resolveActor(ctx, actors, secret)
    // A key says who calls, whatever cookie comes with it.
    request.visitor = (await actorOfKey(ctx, request)) ?? request.visitor
  })
}

/** Platform plugins first, then the features in a written-out list. Builds without a port: tests inject into it. */
export async function buildApp(ctx: Context, { actors, views, health, clientDir }: AppParts): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: jsonBodyMaxBytes,
    trustProxy: ctx.config.trustProxy,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxTypeProvider>()
  registerErrorHandling(app)
  registerValidation(app)
  await app.register(cookie)
  await app.register(helmet, contentSecurity(ctx.config))
  await app.register(multipart, { limits: { files: 1, fileSize: 10 * jsonBodyMaxBytes } })
  identify(app, ctx, actors)
  app.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug(
      { method: request.method, url: request.url.split('?')[0], status: reply.statusCode, ms: reply.elapsedTime },
      'request',
    )
  })
  await app.register(apiDocs)
  await app.register(healthRoutes, { health })
  serveMetrics(app, ctx)
  await app.register(opsBoard, { ctx })
  await app.register(
    async (api) => {
      api.setNotFoundHandler(sendNotFound)
      await api.register(authRoutes, { ctx })
      await api.register(authAccountRoutes, { ctx })
      await api.register(googleRoutes, { ctx })
      await api.register(onboardingRoutes, { ctx })
      await api.register(billingRoutes, { ctx })
      await api.register(billingWebhookRoutes, { ctx })
      await api.register(postsRoutes, { ctx, views })
      await api.register(commentsRoutes, { ctx })
      await api.register(reactionsRoutes, { ctx })
      await api.register(connectionsRoutes, { ctx })
      await api.register(dashboardRoutes, { ctx })
      await api.register(dealsRoutes, { ctx })
      await api.register(reviewsRoutes, { ctx })
      await api.register(auctionsRoutes, { ctx })
      await api.register(offersRoutes, { ctx })
      await api.register(contactRoutes, { ctx })
      await api.register(listsRoutes, { ctx })
      await api.register(statusRoutes, { ctx })
      await api.register(wireRoutes, { ctx })
      await api.register(apiKeysRoutes, { ctx })
      await api.register(notificationsRoutes, { ctx })
      await api.register(directoryRoutes, { ctx })
      await api.register(profilesRoutes, { ctx })
      await api.register(accountRoutes, { ctx })
      await api.register(savedRoutes, { ctx })
      await api.register(settingsRoutes, { ctx })
      await api.register(uploadsRoutes, { ctx })
      await api.register(vinRoutes, { ctx })
      await api.register(spreadsheetsRoutes, { ctx })
      await api.register(messagesRoutes, { ctx })
      await api.register(chatsRoutes, { ctx })
      await api.register(headsRoutes, { ctx })
      await api.register(adminRoutes, { ctx })
      await api.register(adminUsersRoutes, { ctx })
      await api.register(auditRoutes, { ctx })
      await api.register(moderationRoutes, { ctx })
      await api.register(promotionsRoutes, { ctx })
      await api.register(pricingRoutes, { ctx })
      await api.register(opsRoutes, { ctx })
    },
    { prefix: '/api' },
  )
  const built = resolve(clientDir)
  const site = resolve(clientDir, '../site')
  if (existsSync(built) && existsSync(site)) await app.register(webClient, { ctx, actors, root: built, site })
  else app.setNotFoundHandler(sendNotFound)
  return app
}
