import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { WireLine } from '#shared/schemas/wire.ts'
import type { Context } from '#server/platform/context.ts'
import type { Limit } from '#server/platform/limits.ts'
import { SingleFlight } from '#server/platform/single-flight.ts'
import { onTheWire } from './wire.service.ts'

/** Every visitor of the sign-in page asks: the database is read once in so many milliseconds. */
const sharedMs = 15_000
const perAddress: Limit = { name: 'wire', max: 60, seconds: 60 }

export const wireRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const shared = new SingleFlight<WireLine[]>(sharedMs)

  app.get('/wire', { schema: { response: { 200: Type.Array(WireLine) } } }, async (request, reply) => {
    await ctx.limiter.consume(perAddress, request.address)
    void reply.header('cache-control', `public, max-age=${sharedMs / 1_000}`)
    return shared.get('', () => onTheWire(ctx))
  })
}
