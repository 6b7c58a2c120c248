import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { feedLoadSize, jsonBodyMaxBytes } from '#shared/limits.ts'
import { AppError } from './errors.ts'
import type { FindIndex } from './features/find/columns/find-index.ts'
import { needsSetup } from './features/auth/setup.service.ts'
import { actorOfKey, scopeOf } from '#server/features/auth/api-keys/api-keys.service.ts'
import { opsBoard } from './features/ops/ops-board.ts'
import { serveMetrics } from './features/ops/ops-metrics.ts'
import type { ViewCounter } from './features/posts/view-counter.ts'
import { operationOf, tagDescriptions } from './api-operations.ts'
import { namedSchemas } from './api-schemas.ts'
import { type Admission, refuseOverload, startRefusalCount } from './platform/process/load-shedding.ts'
import { apiDocs } from './platform/http/api-docs.ts'
import { createClientAddress } from './platform/http/client-address.ts'
import type { Context } from './platform/process/context.ts'
import { assertSameOrigin } from './platform/http/csrf.ts'
import { secureAnswers } from './platform/http/content-security.ts'
import { healthRoutes, type Health } from './platform/process/health.ts'
import { registerErrorHandling, sendNotFound } from './platform/http/http-errors.ts'
import { endWithLastRequest } from './platform/process/life-cycle.ts'
import { sendLimits } from './platform/limits.ts'
import { builtClient } from './platform/storage/own-files.ts'
import { preventSharedCaching } from './platform/http/private-answers.ts'
import { cookieName, resolveActor, type ActorCache } from './platform/session/session.ts'
import { registerValidation } from './platform/http/validation.ts'
import { answerShares, webClient } from './platform/http/web-client.ts'
import { registerRoutes } from './routes.ts'

export interface AppParts {
  admission: Admission
  actors: ActorCache
  views: ViewCounter
  health: Health
  find: FindIndex
}

const requestTimeoutMs = 60_000
/** Fastify's default of 10 seconds is too short on a busy machine. */
const pluginTimeoutMs = 60_000

/** The API calls that the client makes first at `url`: the session and, on the home page, the feed's first page. */
const firstCalls = (url: string): string[] => [
  '/api/auth/status',
  '/api/auth/me',
  ...(url === '/' ? [`/api/inventory?sort=recent&limit=${feedLoadSize}`] : []),
]

const isWatching = (url: string): boolean => url.startsWith('/health/') || url === '/metrics'

function decorateRequests(app: FastifyInstance, ctx: Context): void {
  const addressOf = createClientAddress(ctx.config)
  app.decorateRequest('address', {
    getter() {
      return addressOf(this.raw)
    },
  })
  app.decorateRequest('visitor', undefined)
  app.decorateRequest('actor', {
    getter() {
      if (this.visitor === undefined) throw new AppError(401, 'unauthorized', 'Sign in to continue')
      return this.visitor
    },
  })
}

async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const url = request.url.split('?')[0] ?? ''
  const { method, address, visitor } = request
  const ms = Math.round(reply.elapsedTime)
  // Log health checks and metrics requests only at debug level, because health checks arrive every two seconds.
  const level = isWatching(url) ? 'debug' : 'info'
  request.log[level]({ method, url, status: reply.statusCode, ms, address, dealer: visitor?.dealerId }, 'request')
}

const identify = (ctx: Context, actors: ActorCache) => async (request: FastifyRequest) => {
  const secret = request.cookies[cookieName(ctx.config)]
  if (secret !== undefined) request.visitor = await resolveActor(ctx, actors, secret)
  // If a request has an API key and a cookie, the API key wins.
  request.visitor = (await actorOfKey(ctx, request)) ?? request.visitor
}

/** Builds the web server but does not listen on a port, so tests can inject requests. */
export async function buildApp(
  ctx: Context,
  { admission, actors, views, health, find }: AppParts,
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: jsonBodyMaxBytes,
    trustProxy: ctx.config.trustProxy,
    requestTimeout: requestTimeoutMs,
    pluginTimeout: pluginTimeoutMs,
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxTypeProvider>()
  endWithLastRequest(app)
  registerErrorHandling(app, startRefusalCount(app, admission, ctx.metrics))
  registerValidation(app)
  await app.register(cookie)
  secureAnswers(app, ctx.config)
  await app.register(multipart, { limits: { files: 1, fileSize: 10 * jsonBodyMaxBytes } })
  sendLimits(app, ctx.limiter)
  decorateRequests(app, ctx)
  app.addHook('onRequest', async (request) => assertSameOrigin(ctx.config, request))
  app.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', logRequest)
  await app.register(healthRoutes, { health })
  serveMetrics(app, ctx)
  // Attach hooks to scopes, not to URL prefixes, because `/%61pi/…` reaches the same routes as `/api/…`.
  await app.register(async (known) => {
    refuseOverload(known, admission)
    known.addHook('onRequest', identify(ctx, actors))
    preventSharedCaching(known)
    await known.register(opsBoard, { ctx })
    await known.register(
      async (api) => {
        api.setNotFoundHandler(sendNotFound)
        await api.register(apiDocs, {
          ctx,
          keyOf: scopeOf,
          operationOf,
          tagDescriptions,
          schemas: namedSchemas,
        })
        await registerRoutes(api, { ctx, views, find })
      },
      { prefix: '/api' },
    )
  })
  answerShares(app)
  if (builtClient === undefined) app.setNotFoundHandler(sendNotFound)
  else
    await app.register(webClient, {
      ctx,
      actors,
      root: builtClient,
      site: join(builtClient, '../site'),
      firstCalls,
      needsSetup: () => needsSetup(ctx.db),
    })
  return app
}
