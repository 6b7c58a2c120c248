import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { WithReason } from '#shared/schemas/admin.ts'
import {
  BuyOrder,
  BuyOrderPatch,
  BuyOrders,
  DealersOrders,
  Demand,
  DemandList,
  DemandListQuery,
  DemandRequest,
  MatchesSeen,
  NewBuyOrder,
  OrderMatches,
  OrderMatchesQuery,
  OrderPreview,
  OrderSearch,
} from '#shared/schemas/wanted.ts'
import { Id } from '#shared/values.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole, signedIn } from '#server/platform/http/guards.ts'
import { ById, nothing } from '#server/platform/http/route-schemas.ts'
import { listDemand } from './demand/demand-list.service.ts'
import { readDemand } from './demand/demand.service.ts'
import { dismissMatch, readMatches, seeMatches } from './matches.service.ts'
import { changeOrder, placeOrder, previewOrder, readOrders } from './orders.service.ts'
import { endDealersOrder, viewDealersOrders } from './wanted-moderation.service.ts'

const forKeys = 'Open to API keys: any scope can read; writing needs full access.'

export const buyOrdersRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get(
    '/buy-orders',
    {
      schema: {
        summary: "List the caller's buy orders and their status",
        description: forKeys,
        response: { 200: BuyOrders },
      },
    },
    async ({ actor }) => readOrders(ctx, actor),
  )
  app.post(
    '/buy-orders',
    {
      schema: {
        summary: 'Start a buy order and notify the dealer of matching vehicles',
        description: `Sellers of matching vehicles see its price. ${forKeys} Returns 402 without a plan and 409 above 50 orders.`,
        body: NewBuyOrder,
        response: { 201: BuyOrder },
      },
    },
    async ({ actor, body }, reply) => reply.code(201).send(await placeOrder(ctx, actor, body)),
  )
  app.patch(
    '/buy-orders/:id',
    {
      schema: {
        summary: 'Change, pause, resume, end or renew a buy order',
        description: `The price can be changed once a minute. ${forKeys}`,
        params: ById,
        body: BuyOrderPatch,
        response: { 200: BuyOrder },
      },
    },
    async ({ actor, params, body }) => changeOrder(ctx, actor, params.id, body),
  )
  app.post(
    '/buy-orders/preview',
    {
      schema: {
        summary: 'Preview current listings and recent sales for an order',
        description: `Prices need at least five vehicles. ${forKeys}`,
        body: OrderSearch,
        response: { 200: OrderPreview },
      },
    },
    async ({ actor, body }) => previewOrder(ctx, actor, body),
  )
}

export const matchesRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get(
    '/buy-orders/matches',
    {
      schema: {
        summary: "List vehicles that match the caller's buy orders",
        description: `Newest first, 25 at a time; pass \`next\` for more. ${forKeys}`,
        querystring: OrderMatchesQuery,
        response: { 200: OrderMatches },
      },
    },
    async ({ actor, query }) => readMatches(ctx, actor, query.cursor),
  )
  app.post(
    '/buy-orders/matches/seen',
    { schema: { body: MatchesSeen, response: nothing } },
    async ({ actor, body }, reply) => {
      await seeMatches(ctx, actor, body.vehicleIds)
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/buy-orders/:orderId/:vehicleId/dismiss',
    {
      schema: {
        summary: 'Dismiss a match',
        description: forKeys,
        params: Type.Object({ orderId: Id, vehicleId: Id }),
        response: nothing,
      },
    },
    async ({ actor, params }, reply) => {
      await dismissMatch(ctx, actor, params)
      return reply.code(204).send(null)
    },
  )
}

export const demandRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.post('/demand', { schema: { body: DemandRequest, response: { 200: Demand } } }, async ({ actor, body }) =>
    readDemand(ctx, actor, body),
  )
  app.get(
    '/demand/list',
    { schema: { querystring: DemandListQuery, response: { 200: DemandList } } },
    async ({ actor, query }) => listDemand(ctx, actor, query),
  )
}

export const dealersOrdersRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', requireRole('admin'))
  const response = { 200: DealersOrders }

  app.get('/admin/users/:id/buy-orders', { schema: { params: ById, response } }, async (request) =>
    viewDealersOrders(ctx, byOf(request), request.params.id),
  )
  app.delete(
    '/admin/users/:id/buy-orders/:orderId',
    { schema: { params: Type.Object({ id: Id, orderId: Id }), body: WithReason, response } },
    async (request) => endDealersOrder(ctx, byOf(request), request.params, request.body.reason),
  )
}
