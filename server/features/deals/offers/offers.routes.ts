import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Id, oneOf } from '#shared/values.ts'
import { CounterOffer, NewOffer, Offer, offerActs, OffersQuery, OfferTerms } from '#shared/schemas/deals.ts'
import { DemandOffer } from '#shared/schemas/wanted.ts'
import type { Context } from '#server/platform/process/context.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { ById, IdempotencyKey } from '#server/platform/http/route-schemas.ts'
import { listOffers } from './offers.repository.ts'
import { toOffer } from './offers.rows.ts'
import { offerToOrder, actOnOffer, makeOffer, offerTerms } from './offers.service.ts'

export const offersRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get(
    '/offers',
    { schema: { querystring: OffersQuery, response: { 200: Type.Array(Offer) } } },
    async ({ actor, query }) => (await listOffers(ctx.db, actor.dealerId, query)).map(toOffer),
  )

  app.get('/offers/terms', { schema: { response: { 200: OfferTerms } } }, async () => offerTerms(ctx))

  app.post(
    '/inventory/:id/offers',
    { schema: { params: ById, body: NewOffer, headers: IdempotencyKey, response: { 201: Offer } } },
    async (request, reply) => {
      const { params, body, headers } = request
      return reply.code(201).send(await makeOffer(ctx, request.actor, params.id, body, headers['idempotency-key']))
    },
  )

  app.post(
    '/demand/offer',
    { schema: { body: DemandOffer, response: { 201: Offer } } },
    async ({ actor, body }, reply) => reply.code(201).send(await offerToOrder(ctx, actor, body)),
  )

  app.post(
    '/offers/:id/:act',
    {
      schema: {
        params: Type.Object({ id: Id, act: oneOf(offerActs) }),
        body: Type.Optional(CounterOffer),
        response: { 200: Offer },
      },
    },
    async (request) => actOnOffer(ctx, request.actor, request.params.id, request.params.act, request.body?.amount),
  )
}
