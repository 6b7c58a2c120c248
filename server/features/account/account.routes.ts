import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { AccessChanged, VerifyEmail } from '#shared/schemas/account.ts'
import { AccountDeletion, EmailChange } from '#shared/schemas/profile.ts'
import type { Context } from '#server/platform/context.ts'
import { signedIn } from '#server/platform/guards.ts'
import { clearSessionCookie, startSession } from '#server/platform/session.ts'
import { confirmEmailChange, deleteAccount, downloadData, requestEmailChange } from './account.service.ts'

const nothing = { 204: Type.Null() }

export const accountRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post(
    '/profile/email',
    { onRequest: signedIn, schema: { body: EmailChange, response: nothing } },
    async ({ actor, body, ip }, reply) => {
      await requestEmailChange(ctx, actor, body, ip)
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/profile/email/confirm',
    { schema: { body: VerifyEmail, response: { 200: AccessChanged } } },
    async (request, reply) => {
      const { dealerId, ...changed } = await confirmEmailChange(ctx, request.body.token, request.address)
      if (request.visitor?.dealerId === dealerId) await startSession(ctx.db, ctx.config, request, reply, dealerId)
      return changed
    },
  )
  app.get('/account/data', { onRequest: signedIn }, async ({ actor }, reply) => {
    const data = await downloadData(ctx, actor)
    return reply
      .header('content-disposition', 'attachment; filename="lanewire-data.json"')
      .header('cache-control', 'no-store')
      .type('application/json')
      .send(JSON.stringify(data, undefined, 2))
  })
  app.delete(
    '/account',
    { onRequest: signedIn, schema: { body: AccountDeletion, response: nothing } },
    async ({ actor, body }, reply) => {
      await deleteAccount(ctx, actor, body)
      clearSessionCookie(ctx.config, reply)
      return reply.code(204).send(null)
    },
  )
}
