import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PushDevice, PushDevicePatch, PushState, PushTestSent, RegisterPushDevice } from '#shared/schemas/push.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { changeDevice, dropDevice, readPush, registerDevice, testDevice } from './push-devices.service.ts'

/** Registered only if push is enabled. */
export const pushRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/push', { schema: { response: { 200: PushState } } }, async ({ actor }) => readPush(ctx, actor))

  app.put(
    '/push/devices',
    { schema: { body: RegisterPushDevice, response: { 200: PushDevice } } },
    async ({ actor, body }) => registerDevice(ctx, actor, body),
  )

  app.patch(
    '/push/devices/:id',
    { schema: { params: ById, body: PushDevicePatch, response: { 200: PushDevice } } },
    async ({ actor, params, body }) => changeDevice(ctx, actor, params.id, body),
  )

  app.delete('/push/devices/:id', { schema: { params: ById, response: nothing } }, async (request, reply) => {
    await dropDevice(ctx, request.actor, request.params.id)
    return reply.code(204).send(null)
  })

  app.post(
    '/push/devices/:id/test',
    { schema: { params: ById, response: { 200: PushTestSent } } },
    async ({ actor, params }) => testDevice(ctx, actor, params.id),
  )
}
