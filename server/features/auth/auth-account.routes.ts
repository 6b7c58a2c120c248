import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import {
  AccessChanged,
  AccountSecurity,
  ChangePassword,
  DemoMail,
  ForgotPassword,
  ResetPassword,
  RevokeKeys,
  VerifyEmail,
} from '#shared/schemas/account.ts'
import { notFound } from '#server/errors.ts'
import { revokeKeysByLink } from './account-access.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { nothing } from '#server/platform/http/route-schemas.ts'
import { startSession } from '#server/platform/session/session.ts'
import {
  accountSecurity,
  changePassword,
  requestReset,
  resendVerification,
  resetPassword,
  revokeOtherSessions,
  revokeSession,
  verifyEmail,
} from './auth-account.service.ts'
import { rememberBrowser } from './known-browser.ts'
import { siteOf } from './second-factor/passkeys.service.ts'

const SessionId = Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{64}$' }) })

export const authAccountRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post('/auth/password/forgot', { schema: { body: ForgotPassword, response: nothing } }, async (request, reply) => {
    await requestReset(ctx, request.body.email, request.address)
    return reply.code(204).send(null)
  })
  app.post(
    '/auth/password/reset',
    { schema: { body: ResetPassword, response: { 200: AccessChanged } } },
    async (request, reply) => {
      const { email, ...changed } = await resetPassword(ctx, request.body, request.address)
      // The emailed link proves that this user owns the account, so strangers' wrong passwords must not lock this browser out.
      rememberBrowser(ctx, { request, reply }, email)
      return changed
    },
  )
  app.post('/auth/keys/revoke', { schema: { body: RevokeKeys, response: nothing } }, async (request, reply) => {
    await revokeKeysByLink(ctx, request.body.token, request.address)
    return reply.code(204).send(null)
  })
  app.post(
    '/auth/password/change',
    { onRequest: signedIn, schema: { body: ChangePassword, response: nothing } },
    async (request, reply) => {
      const from = { address: request.address, site: siteOf(ctx.config, request) }
      await changePassword(ctx, request.actor, request.body, from)
      await startSession(ctx.db, ctx.config, request, reply, request.actor.dealerId)
      return reply.code(204).send(null)
    },
  )
  app.post('/auth/email/verify', { schema: { body: VerifyEmail, response: nothing } }, async (request, reply) => {
    await verifyEmail(ctx, request.body.token, request.address)
    return reply.code(204).send(null)
  })
  app.post('/auth/email/resend', { onRequest: signedIn, schema: { response: nothing } }, async (request, reply) => {
    await resendVerification(ctx, request.actor)
    return reply.code(204).send(null)
  })
  app.get('/auth/security', { onRequest: signedIn, schema: { response: { 200: AccountSecurity } } }, async (request) =>
    accountSecurity(ctx, request.actor),
  )
  app.delete(
    '/auth/sessions/:id',
    { onRequest: signedIn, schema: { params: SessionId, response: nothing } },
    async (request, reply) => {
      await revokeSession(ctx, request.actor, request.params.id)
      return reply.code(204).send(null)
    },
  )
  app.delete('/auth/sessions', { onRequest: signedIn, schema: { response: nothing } }, async (request, reply) => {
    await revokeOtherSessions(ctx, request.actor)
    return reply.code(204).send(null)
  })

  // Returns emails that a demo without a mail server stored instead of sending them.
  app.get('/demo/mail', { schema: { response: { 200: Type.Array(DemoMail) } } }, async () => {
    if (!ctx.config.demo) throw notFound()
    return ctx.mailer.listStored()
  })
}
