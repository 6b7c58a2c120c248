import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Settings, SettingsPatch } from '#shared/schemas/settings.ts'
import type { Context } from '#server/platform/context.ts'
import { signedIn } from '#server/platform/guards.ts'
import { changeSettings, settingsFor } from './settings.service.ts'

/** Always one's own: there is no address of another dealer's settings. */
export const settingsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)
  app.get('/settings', { schema: { response: { 200: Settings } } }, async ({ actor }) =>
    settingsFor(ctx.db, actor.dealerId),
  )
  app.patch('/settings', { schema: { body: SettingsPatch, response: { 200: Settings } } }, async ({ actor, body }) =>
    changeSettings(ctx, actor, body),
  )
}
