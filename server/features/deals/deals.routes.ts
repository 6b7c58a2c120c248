import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Id, oneOf } from '#shared/values.ts'
import {
  Deal,
  dealActs,
  DealCounts,
  DealCountsQuery,
  DealDetail,
  DealMileage,
  DealPaper,
  DealPipelinePage,
  DealPipelineQuery,
  documentKinds,
  NewSignature,
} from '#shared/schemas/deals.ts'
import type { Context } from '#server/platform/process/context.ts'
import { assertSelf, signedIn } from '#server/platform/http/guards.ts'
import { ById } from '#server/platform/http/route-schemas.ts'
import { enterMileage, readDocument, readPaper, signDocument } from './deal-documents.service.ts'
import { readDeal } from './deal-room.service.ts'
import { actOnDeal, dealCounts, dealPipeline, dealsOf, submitForReview } from './deals.service.ts'

const ByUser = Type.Object({ userId: Id })

export const dealsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  // This response is part of the documented API.
  app.get('/deals', { schema: { response: { 200: Type.Array(Deal) } } }, async (request) =>
    dealsOf(ctx, request.actor.dealerId),
  )

  app.get(
    '/deals/counts',
    { schema: { querystring: DealCountsQuery, response: { 200: DealCounts } } },
    async ({ actor, query }) => dealCounts(ctx, actor.dealerId, query.q),
  )

  app.get(
    '/deals/pipeline',
    { schema: { querystring: DealPipelineQuery, response: { 200: DealPipelinePage } } },
    async ({ actor, query }) => dealPipeline(ctx, actor.dealerId, query),
  )

  app.get('/deals/:userId', { schema: { params: ByUser, response: { 200: Type.Array(Deal) } } }, async (request) => {
    assertSelf(request.actor, request.params.userId)
    return dealsOf(ctx, request.actor.dealerId)
  })

  app.get('/deal/:id', { schema: { params: ById, response: { 200: DealDetail } } }, async (request) =>
    readDeal(ctx, request.actor, request.params.id),
  )

  app.post(
    '/deal/:id/:act',
    { schema: { params: Type.Object({ id: Id, act: oneOf(dealActs) }), response: { 200: DealDetail } } },
    async (request) => actOnDeal(ctx, request.actor, request.params.id, request.params.act),
  )

  app.put('/deal/:id/submission', { schema: { params: ById, response: { 200: DealDetail } } }, async (request) =>
    submitForReview(ctx, request.actor, request.params.id),
  )

  app.put(
    '/deal/:id/mileage',
    { schema: { params: ById, body: DealMileage, response: { 200: DealDetail } } },
    async ({ actor, params: { id }, body }) => {
      await enterMileage(ctx, actor, id, body.mileage)
      return readDeal(ctx, actor, id)
    },
  )

  app.post(
    '/deal/:id/documents/:kind/signature',
    {
      schema: {
        params: Type.Object({ id: Id, kind: oneOf(documentKinds) }),
        body: NewSignature,
        response: { 200: DealDetail },
      },
    },
    async (request) => {
      const { params, actor, body, address } = request
      await signDocument(ctx, actor, params.id, params.kind, { name: body.name, address })
      return readDeal(ctx, actor, params.id)
    },
  )

  app.get(
    '/deal/:id/documents/:documentId',
    { schema: { params: Type.Object({ id: Id, documentId: Id }) } },
    async (request, reply) => {
      const { id, documentId } = request.params
      const { name, pdf } = await readDocument(ctx, request.actor, id, documentId)
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'private, no-store')
        .send(pdf)
    },
  )

  app.get(
    '/deal/:id/documents/:documentId/text',
    { schema: { params: Type.Object({ id: Id, documentId: Id }), response: { 200: DealPaper } } },
    async ({ actor, params: { id, documentId } }) => readPaper(ctx, actor, id, documentId),
  )
}
