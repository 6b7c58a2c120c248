import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import {
  AccessChanged,
  AccountDeletion,
  ApiKey,
  CreatedApiKey,
  DataExport,
  EmailChange,
  LastDataExport,
  NewApiKey,
  Settings,
  SettingsPatch,
  VerifyEmail,
} from '#shared/schemas/account.ts'
import { OwnProfile, ProfilePatch } from '#shared/schemas/dealers.ts'
import { confirmEmailChange, requestEmailChange } from '#server/features/auth/email-change.service.ts'
import { rememberBrowser } from '#server/features/auth/known-browser.ts'
import { siteOf } from '#server/features/auth/second-factor/passkeys.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { clearBrowserCache } from '#server/platform/http/private-answers.ts'
import { clearSessionCookie, startSession } from '#server/platform/session/session.ts'
import { changeSettings, deleteAccount, settingsFor } from './account.service.ts'
import { changeProfile, readOwnProfile } from './own-profile.service.ts'
import { lastExport, openExport, requestExport } from './export.service.ts'
import { createKey, listLiveKeys, removeKey, revokeKeys } from '#server/features/auth/api-keys/api-keys.service.ts'

export const accountRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post(
    '/profile/email',
    { onRequest: signedIn, schema: { body: EmailChange, response: nothing } },
    async (request, reply) => {
      const { actor, body, address } = request
      await requestEmailChange(ctx, actor, body, { address, site: siteOf(ctx.config, request) })
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/profile/email/confirm',
    { schema: { body: VerifyEmail, response: { 200: AccessChanged } } },
    async (request, reply) => {
      const { dealerId, email, ...changed } = await confirmEmailChange(ctx, request.body.token, request.address)
      if (request.visitor?.dealerId === dealerId) {
        await startSession(ctx.db, ctx.config, request, reply, dealerId)
        rememberBrowser(ctx, { request, reply }, email)
      }
      return changed
    },
  )
  app.get(
    '/account/export',
    { onRequest: signedIn, schema: { response: { 200: LastDataExport } } },
    async ({ actor }) => ({
      export: await lastExport(ctx, actor),
    }),
  )
  app.post(
    '/account/export',
    { onRequest: signedIn, schema: { response: { 202: DataExport } } },
    async ({ actor }, reply) => reply.code(202).send(await requestExport(ctx, actor)),
  )
  app.get(
    '/account/export/:id',
    { onRequest: signedIn, schema: { params: ById } },
    async ({ actor, params }, reply) => {
      const { body, bytes, name } = await openExport(ctx, actor, params.id)
      return reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'no-store')
        .header('content-length', bytes)
        .type('application/zip')
        .send(body)
    },
  )
  app.delete(
    '/account',
    { onRequest: signedIn, schema: { body: AccountDeletion, response: nothing } },
    async (request, reply) => {
      await deleteAccount(ctx, request.actor, request.body, siteOf(ctx.config, request))
      clearSessionCookie(ctx.config, reply)
      clearBrowserCache(reply)
      return reply.code(204).send(null)
    },
  )
}

export const ownProfileRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/profile', { schema: { response: { 200: OwnProfile } } }, async ({ actor }) => readOwnProfile(ctx, actor))

  app.patch('/profile', { schema: { body: ProfilePatch, response: { 200: OwnProfile } } }, async ({ actor, body }) =>
    changeProfile(ctx, actor, body),
  )
}

export const settingsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)
  app.get('/settings', { schema: { response: { 200: Settings } } }, async ({ actor }) =>
    settingsFor(ctx.db, actor.dealerId),
  )
  app.patch('/settings', { schema: { body: SettingsPatch, response: { 200: Settings } } }, async ({ actor, body }) =>
    changeSettings(ctx, actor, body),
  )
}

export const apiKeysRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/api-keys', { schema: { response: { 200: Type.Array(ApiKey) } } }, async (request) =>
    listLiveKeys(ctx.db, request.actor.dealerId),
  )

  app.post('/api-keys', { schema: { body: NewApiKey, response: { 201: CreatedApiKey } } }, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    return reply.code(201).send(await createKey(ctx, request.actor, request.body, siteOf(ctx.config, request)))
  })

  app.delete('/api-keys', { schema: { response: nothing } }, async (request, reply) => {
    await revokeKeys(ctx.db, request.actor.dealerId)
    return reply.code(204).send(null)
  })

  app.delete('/api-keys/:id', { schema: { params: ById, response: nothing } }, async (request, reply) => {
    await removeKey(ctx, request.actor, request.params.id)
    return reply.code(204).send(null)
  })
}
