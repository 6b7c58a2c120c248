import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { avatarMaxBytes } from '#shared/limits.ts'
import { DealerProfile } from '#shared/schemas/dealers.ts'
import type { Context } from '#server/platform/process/context.ts'
import { readFormFile } from '#server/platform/http/form-file.ts'
import { countRead, signedIn } from '#server/platform/http/guards.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { changeAvatar, removeAvatar } from './avatar.service.ts'
import { readDealer } from './profiles.service.ts'

export const profilesRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/dealers/:id', { schema: { params: ById, response: { 200: DealerProfile } } }, async ({ actor, params }) => {
    await countRead(ctx, actor, 'dealer')
    return readDealer(ctx, actor, params.id)
  })

  app.post(
    '/profile/avatar',
    { schema: { consumes: ['multipart/form-data'], response: { 202: Type.Object({ avatar: Type.String() }) } } },
    async (request, reply) => {
      const words = { missing: 'Please choose a picture', tooLarge: 'The picture can be up to 2 MB' }
      const content = await readFormFile(request, avatarMaxBytes, words)
      return reply.code(202).send(await changeAvatar(ctx, request.actor, content))
    },
  )

  app.delete('/profile/avatar', { schema: { response: nothing } }, async ({ actor }, reply) => {
    await removeAvatar(ctx, actor)
    return reply.code(204).send(null)
  })
}
