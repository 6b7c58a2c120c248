import type { OAuth2Namespace } from '@fastify/oauth2'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { LinkGoogle } from '#shared/schemas/account.ts'
import { SecondFactorAsked, WithProof } from '#shared/schemas/auth.ts'
import type { Context } from '#server/platform/process/context.ts'
import { ownOrigin } from '#server/platform/http/csrf.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import type { SignInFailure } from '#server/platform/process/metrics.ts'
import { nothing } from '#server/platform/http/route-schemas.ts'
import { shortLivedCookie } from '#server/platform/session/session.ts'
import { linkGoogle, resolveGoogle, unlinkGoogle } from './google.service.ts'
import { endPreviousSession } from '../auth.service.ts'
import { siteOf } from '../second-factor/passkeys.service.ts'
import { logFailedSignIn } from '../security-log.ts'
import { admit } from '../sign-in.service.ts'

const linkCookie = 'lanewire_google_link'
const linkSeconds = 600

/** The login page shows a message for each reason (client/pages/login.tsx). */
const backToLogin = (reason: string) => `/login?google=${reason}`

/** Registers the redirect to Google and its callback. Returns a function that exchanges Google's response for the token's claims. */
async function openGoogle(app: FastifyInstance, ctx: Context, client: { id: string; secret: string }) {
  const { issuer } = ctx.config.google
  // Load these only if Google sign-in is configured.
  const [{ default: oauth2 }, { createTokenReader, googleIssuer, isForged }] = await Promise.all([
    import('@fastify/oauth2'),
    import('./google-tokens.ts'),
  ])
  await app.register(oauth2, {
    name: 'googleSignIn',
    scope: ['openid', 'email', 'profile'],
    credentials: {
      client,
      // The built-in endpoints avoid waiting for Google's discovery document at startup.
      ...(issuer === googleIssuer && { auth: oauth2.GOOGLE_CONFIGURATION }),
    },
    ...(issuer !== googleIssuer && { discovery: { issuer } }),
    startRedirectPath: '/auth/google',
    callbackUri: (request) => `${ownOrigin(ctx.config, request)}/api/auth/google/callback`,
    pkce: 'S256',
    cookie: shortLivedCookie(ctx.config),
  })
  const google = (app as unknown as { googleSignIn: OAuth2Namespace }).googleSignIn
  const readToken = createTokenReader({ issuer, clientId: client.id })
  const exchange = async (request: FastifyRequest, reply: FastifyReply) => {
    const { token } = await google.getAccessTokenFromAuthorizationCodeFlow(request, reply)
    return readToken(token.id_token, ctx.now())
  }
  return { exchange, isForged }
}

export const googleRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  // This route must also work without Google sign-in, because linked identities stay in the database.
  app.delete(
    '/auth/google',
    { onRequest: signedIn, schema: { body: WithProof, response: nothing } },
    async (request, reply) => {
      await unlinkGoogle(ctx, request.actor, { proof: request.body.proof, site: siteOf(ctx.config, request) })
      return reply.code(204).send(null)
    },
  )
  const { clientId, clientSecret } = ctx.config.google
  if (clientId === undefined || clientSecret === undefined) {
    app.get('/auth/google', async (_request, reply) => reply.redirect(backToLogin('off')))
    return
  }
  const { exchange, isForged } = await openGoogle(app, ctx, { id: clientId, secret: clientSecret })

  app.get('/auth/google/callback', async (request, reply) => {
    const claims = await exchange(request, reply).catch((error: unknown) => {
      request.log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'a Google sign-in failed')
      if (isForged(error)) note(request, 'not_signed_by_google', null)
      return undefined
    })
    if (!claims) return reply.redirect(backToLogin('failed'))
    const outcome = await resolveGoogle(ctx, claims)
    if (outcome.kind === 'refused') {
      note(request, outcome.reason, outcome.dealerId)
      return reply.redirect(backToLogin(outcome.reason))
    }
    if (outcome.kind === 'link') {
      void reply.setCookie(linkCookie, outcome.sealed, { ...shortLivedCookie(ctx.config), maxAge: linkSeconds })
      return reply.redirect(backToLogin('link'))
    }
    await endPreviousSession(ctx, request.visitor)
    await admit(ctx, { request, reply }, outcome.dealer)
    // The login page asks for a second factor if needed and returns to the page requested before sign-in.
    return reply.redirect('/login')
  })

  const note = ({ address }: FastifyRequest, reason: SignInFailure['reason'], dealerId: string | null) =>
    logFailedSignIn(ctx, { step: 'google', reason, dealerId, address })

  app.post(
    '/auth/google/link',
    { schema: { body: LinkGoogle, response: { 202: SecondFactorAsked, 204: Type.Null() } } },
    async (request, reply) => {
      const { dealer, passwordHash } = await linkGoogle(
        ctx,
        request.cookies[linkCookie],
        request.body.password,
        request.address,
      )
      await endPreviousSession(ctx, request.visitor)
      const secondFactor = await admit(ctx, { request, reply }, dealer, passwordHash)
      void reply.clearCookie(linkCookie, shortLivedCookie(ctx.config))
      return secondFactor === undefined ? reply.code(204).send(null) : reply.code(202).send({ secondFactor })
    },
  )
}
