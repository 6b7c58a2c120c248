import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { JoiningStatus, AuthStatus, Login, SecondFactorAsked, Setup, SignedIn, Signup } from '#shared/schemas/auth.ts'
import { CurrentUser } from '#shared/schemas/dealers.ts'
import { upgradeDemoPlan } from '#server/features/billing/billing-changes.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { nothing } from '#server/platform/http/route-schemas.ts'
import { clearBrowserCache } from '#server/platform/http/private-answers.ts'
import { clearSessionCookie, startSession } from '#server/platform/session/session.ts'
import { authenticate, currentUser, endPreviousSession, signOut, signUp } from './auth.service.ts'
import { joiningStatus, setUp } from './setup.service.ts'
import { sampleLogin } from './demo-accounts.ts'
import { rememberBrowser } from './known-browser.ts'
import { admit, waitingFactors } from './sign-in.service.ts'

export const authRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get('/auth/status', { schema: { response: { 200: AuthStatus } } }, async (request) => ({
    authenticated: request.visitor !== undefined,
    session: request.visitor?.sessionId ?? null,
    demo: ctx.config.demo,
    google: ctx.config.google.clientId !== undefined && ctx.config.google.clientSecret !== undefined,
    billing: ctx.config.billing,
    sampleLogin: sampleLogin(ctx.config),
    secondFactor: request.visitor === undefined ? await waitingFactors(ctx, request) : null,
  }))

  app.get('/auth/joining', { schema: { response: { 200: JoiningStatus } } }, async () => joiningStatus(ctx))

  app.get('/auth/me', { onRequest: signedIn, schema: { response: { 200: CurrentUser } } }, async (request) =>
    currentUser(ctx, request.actor),
  )

  app.post(
    '/auth/login',
    { schema: { body: Login, response: { 200: SignedIn, 202: SecondFactorAsked } } },
    async (request, reply) => {
      const { user, dealer, passwordHash } = await authenticate(ctx, request.body, request)
      await endPreviousSession(ctx, request.visitor)
      await upgradeDemoPlan(ctx, user.id)
      const secondFactor = await admit(ctx, { request, reply }, dealer, passwordHash)
      return secondFactor === undefined ? { user } : reply.code(202).send({ secondFactor })
    },
  )

  app.post('/auth/signup', { schema: { body: Signup, response: { 201: SignedIn } } }, async (request, reply) => {
    const user = await signUp(ctx, request.body, request.address)
    await endPreviousSession(ctx, request.visitor)
    await startSession(ctx.db, ctx.config, request, reply, user.id)
    rememberBrowser(ctx, { request, reply }, request.body.email)
    return reply.code(201).send({ user })
  })

  app.post('/auth/setup', { schema: { body: Setup, response: { 201: SignedIn } } }, async (request, reply) => {
    const user = await setUp(ctx, request.body, { address: request.address, requestId: request.id })
    await endPreviousSession(ctx, request.visitor)
    await startSession(ctx.db, ctx.config, request, reply, user.id)
    rememberBrowser(ctx, { request, reply }, request.body.email)
    return reply.code(201).send({ user })
  })

  app.post('/auth/logout', { schema: { response: nothing } }, async (request, reply) => {
    if (request.visitor !== undefined) await signOut(ctx, request.visitor)
    clearSessionCookie(ctx.config, reply)
    clearBrowserCache(reply)
    return reply.code(204).send(null)
  })
}
