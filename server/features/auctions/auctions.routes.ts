import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import {
  Auction,
  AuctionTerms,
  EndAuction,
  NewBid,
  NewPreset,
  NewReserve,
  PlacedBid,
} from '#shared/schemas/auctions.ts'
import { Id } from '#shared/values.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { endAuction } from './auction-closing.service.ts'
import { dropPreset, setPreset } from './presets/auction-presets.service.ts'
import { changeReserve } from './auction-reserve.service.ts'
import { bid, changeTerms, createBidBatcher, readAuction } from './auctions.service.ts'

/** The key is required, so that a repeated request does not bid twice. */
const BidKey = Type.Object({ 'idempotency-key': Id })

export const auctionsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const batcher = createBidBatcher(ctx)
  app.addHook('onRequest', signedIn)

  app.get('/inventory/:id/auction', { schema: { params: ById, response: { 200: Auction } } }, async (request) =>
    readAuction(ctx, request.actor, request.params.id),
  )

  app.patch(
    '/inventory/:id/auction',
    { schema: { params: ById, body: AuctionTerms, response: { 200: Auction } } },
    async (request) => changeTerms(ctx, request.actor, request.params.id, request.body),
  )

  app.post(
    '/inventory/:id/auction/end',
    { schema: { params: ById, body: EndAuction, response: { 200: Auction } } },
    async (request) => endAuction(ctx, byOf(request), request.params.id, request.body.reason),
  )

  app.post(
    '/inventory/:id/auction/reserve',
    { schema: { params: ById, body: NewReserve, headers: BidKey, response: { 200: Auction } } },
    async (request) => {
      const { amount } = request.body
      return changeReserve(ctx, byOf(request), request.params.id, { amount, key: request.headers['idempotency-key'] })
    },
  )

  app.put(
    '/inventory/:id/preset',
    { schema: { params: ById, body: NewPreset, response: nothing } },
    async (request, reply) => {
      await setPreset(ctx, request.actor, request.params.id, request.body.amount)
      return reply.code(204).send(null)
    },
  )
  app.delete('/inventory/:id/preset', { schema: { params: ById, response: nothing } }, async (request, reply) => {
    await dropPreset(ctx, request.actor, request.params.id)
    return reply.code(204).send(null)
  })

  for (const [method, path, kind] of [
    ['POST', 'bids', 'bid'],
    ['PUT', 'max-bid', 'max'],
  ] as const)
    app.route({
      method,
      url: `/inventory/:id/${path}`,
      config: { isUrgent: true },
      schema: { params: ById, body: NewBid, headers: BidKey, response: { 201: PlacedBid } },
      handler: async (request, reply) => {
        const { amount } = request.body
        const key = request.headers['idempotency-key']
        return reply
          .code(201)
          .send(await bid(ctx, batcher, request.actor, { postId: request.params.id, kind, amount, key }))
      },
    })
}
