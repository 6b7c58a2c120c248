import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { VinReport } from '#shared/schemas/vin.ts'
import type { Context } from '#server/platform/context.ts'
import { signedIn } from '#server/platform/guards.ts'
import { reportVin } from './vin.service.ts'

const ByVin = Type.Object({ vin: Type.String({ maxLength: 40 }) })

export const vinRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get(
    '/vin/:vin',
    { onRequest: signedIn, schema: { params: ByVin, response: { 200: VinReport } } },
    async (request) => reportVin(ctx, request.actor, request.params.vin),
  )
}
