import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import Type from 'typebox'
import {
  AddOn,
  AddOnEdit,
  AddOnOrder,
  AdminPricing,
  AuthenticatePayment,
  BillingOverview,
  CardChange,
  ChangePreview,
  ClientSecret,
  CompleteSubscription,
  ConfirmPayment,
  ConfirmSubscription,
  DealerBilling,
  DealerPlanChange,
  MySubscription,
  NewCard,
  NewRefund,
  PaymentConfig,
  PaymentOutcome,
  PlanChange,
  PlanChoice,
  PlanEdit,
  PlanGift,
  ProrationPreview,
  SubscriptionPlan,
} from '#shared/schemas/billing.ts'
import { WithReason } from '#shared/schemas/admin.ts'
import { Id } from '#shared/values.ts'
import { byOf } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole, signedIn } from '#server/platform/http/guards.ts'
import type { Limit } from '#server/platform/limits.ts'
import {
  addAddOn,
  changePlan,
  previewAddOn,
  previewChange,
  removeAddOn,
  setCancelled,
} from './billing-changes.service.ts'
import {
  authenticatePayment,
  completeSubscription,
  confirmPayment,
  confirmSubscription,
  getOrCreateSubscription,
} from './billing-checkout.service.ts'
import { replaceCard, startCardChange } from './billing-card.service.ts'
import { receiveEvent, withStripeRepair } from './billing-sync.service.ts'
import {
  adminPricing,
  billingOverview,
  editAddOn,
  editPlan,
  mySubscription,
  offeredAddOns,
  offeredPlans,
  paymentConfig,
} from './billing.service.ts'
import { changeDealerPlan, grantPlan, previewDealerPlan, revokeGift } from './billing-admin.service.ts'
import { dealerBilling, refundInvoice } from './refunds.service.ts'

/** Limits payment attempts, because thieves use such forms to test stolen cards. */
const payments: Limit = { name: 'payments', max: 20, seconds: 60 }

/** Registered even if billing is disabled, because the response includes the entitlements. */
export const mySubscriptionRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get(
    '/my-subscription',
    { onRequest: signedIn, schema: { response: { 200: MySubscription } } },
    async ({ actor }) => mySubscription(ctx, actor.dealerId),
  )
}

export const billingRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  const pays = async <T>(dealerId: string, act: (dealerId: string) => Promise<T>): Promise<T> => {
    await ctx.limiter.consume(payments, dealerId)
    return withStripeRepair(ctx, dealerId, () => act(dealerId))
  }

  app.get('/subscription-plans', { schema: { response: { 200: Type.Array(SubscriptionPlan) } } }, async () =>
    offeredPlans(ctx),
  )

  app.get('/payment-config', { schema: { response: { 200: PaymentConfig } } }, async () => paymentConfig(ctx.config))

  app.get('/billing', { onRequest: signedIn, schema: { response: { 200: BillingOverview } } }, async ({ actor }) =>
    withStripeRepair(ctx, actor.dealerId, () => billingOverview(ctx, actor.dealerId)),
  )

  app.post(
    '/get-or-create-subscription',
    { onRequest: signedIn, schema: { body: PlanChoice, response: { 200: ClientSecret } } },
    async ({ actor, body }) => {
      const clientSecret = await pays(actor.dealerId, (id) => getOrCreateSubscription(ctx, id, body.planId))
      return { clientSecret }
    },
  )

  for (const [path, cancel] of [
    ['/cancel-subscription', true],
    ['/resume-subscription', false],
  ] as const)
    app.post(path, { onRequest: signedIn, schema: { response: { 200: MySubscription } } }, async ({ actor }) =>
      withStripeRepair(ctx, actor.dealerId, () => setCancelled(ctx, actor.dealerId, cancel)),
    )

  app.post(
    '/confirm-subscription',
    { onRequest: signedIn, schema: { body: ConfirmSubscription, response: { 200: MySubscription } } },
    async ({ actor: { dealerId }, body }) =>
      withStripeRepair(ctx, dealerId, () => confirmSubscription(ctx, dealerId, body.clientSecret)),
  )

  app.post(
    '/change-subscription/preview',
    { onRequest: signedIn, schema: { body: PlanChoice, response: { 200: ChangePreview } } },
    async ({ actor, body }) =>
      withStripeRepair(ctx, actor.dealerId, () => previewChange(ctx, actor.dealerId, body.planId)),
  )
  app.post(
    '/change-subscription',
    { onRequest: signedIn, schema: { body: PlanChange, response: { 200: MySubscription } } },
    async ({ actor, body }) => pays(actor.dealerId, (id) => changePlan(ctx, id, body)),
  )

  app.post(
    '/payment-method/setup',
    { onRequest: signedIn, schema: { response: { 200: ClientSecret } } },
    async ({ actor }) => ({ clientSecret: await pays(actor.dealerId, (id) => startCardChange(ctx, id)) }),
  )
  app.post(
    '/payment-method',
    { onRequest: signedIn, schema: { body: NewCard, response: { 200: CardChange } } },
    async ({ actor, body }) => pays(actor.dealerId, (id) => replaceCard(ctx, id, body.clientSecret)),
  )

  app.post(
    '/auth/complete-subscription',
    { onRequest: signedIn, schema: { body: CompleteSubscription, response: { 200: PaymentOutcome } } },
    async ({ actor, body }) => pays(actor.dealerId, (id) => completeSubscription(ctx, id, body)),
  )
  app.post(
    '/demo-payments/confirm',
    { onRequest: signedIn, schema: { body: ConfirmPayment, response: { 200: PaymentOutcome } } },
    async ({ actor, body }) => pays(actor.dealerId, (id) => confirmPayment(ctx, id, body)),
  )
  app.post(
    '/demo-payments/authenticate',
    { onRequest: signedIn, schema: { body: AuthenticatePayment, response: { 200: PaymentOutcome } } },
    async ({ actor, body }) => authenticatePayment(ctx, actor.dealerId, body),
  )
}

const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 40 }) })
const path = '/my-subscription/add-ons/:id'

export const billingAddOnsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/add-ons', { schema: { response: { 200: Type.Array(AddOn) } } }, async () => offeredAddOns(ctx))

  app.post(
    `${path}/preview`,
    { schema: { params, response: { 200: ProrationPreview } } },
    async ({ actor, params: { id } }) =>
      withStripeRepair(ctx, actor.dealerId, () => previewAddOn(ctx, actor.dealerId, id)),
  )
  app.put(
    path,
    { schema: { params, body: AddOnOrder, response: { 200: MySubscription } } },
    async ({ actor, params: { id }, body }) => {
      await ctx.limiter.consume(payments, actor.dealerId)
      return withStripeRepair(ctx, actor.dealerId, () => addAddOn(ctx, actor.dealerId, id, body))
    },
  )
  app.delete(path, { schema: { params, response: { 200: MySubscription } } }, async ({ actor, params: { id } }) =>
    withStripeRepair(ctx, actor.dealerId, () => removeAddOn(ctx, actor.dealerId, id)),
  )
}

/** A separate plugin, because the webhook needs the request body as the raw bytes that were signed. */
export const billingWebhookRoutes: FastifyPluginAsync<{ ctx: Context }> = async (app, { ctx }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post<{ Body: Buffer }>('/webhooks/stripe', async (request, reply) => {
    const signature = request.headers['stripe-signature']
    await receiveEvent(ctx, request.body, typeof signature === 'string' ? signature : '')
    return reply.code(204).send()
  })
}

const response = { 200: AdminPricing }

export const pricingRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', requireRole('admin'))

  app.get('/admin/pricing', { schema: { response } }, async () => adminPricing(ctx))
  app.patch('/admin/plans/:id', { schema: { params, body: PlanEdit, response } }, async (request) =>
    editPlan(ctx, byOf(request), request.params.id, request.body),
  )
  app.patch('/admin/add-ons/:id', { schema: { params, body: AddOnEdit, response } }, async (request) =>
    editAddOn(ctx, byOf(request), request.params.id, request.body),
  )
}

const ofDealer = Type.Object({ id: Id })
const RefundKey = Type.Object({ 'idempotency-key': Id })
const subscription = { 200: MySubscription }

export const dealerBillingRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', requireRole('admin'))
  const at = '/admin/users/:id'

  app.get(
    `${at}/billing`,
    { schema: { params: ofDealer, response: { 200: DealerBilling } } },
    async ({ params: { id } }) => dealerBilling(ctx, id),
  )
  app.post(
    `${at}/refunds`,
    { schema: { params: ofDealer, body: NewRefund, headers: RefundKey, response: { 200: DealerBilling } } },
    async (request) =>
      refundInvoice(ctx, byOf(request), request.params.id, {
        ...request.body,
        key: request.headers['idempotency-key'],
      }),
  )
  app.post(
    `${at}/plan/preview`,
    { schema: { params: ofDealer, body: PlanChoice, response: { 200: ChangePreview } } },
    async ({ params: { id }, body }) => previewDealerPlan(ctx, id, body.planId),
  )
  app.post(
    `${at}/plan`,
    { schema: { params: ofDealer, body: DealerPlanChange, response: subscription } },
    async (request) => changeDealerPlan(ctx, byOf(request), request.params.id, request.body),
  )
  app.put(`${at}/gift`, { schema: { params: ofDealer, body: PlanGift, response: subscription } }, async (request) =>
    grantPlan(ctx, byOf(request), request.params.id, request.body),
  )
  app.delete(
    `${at}/gift`,
    { schema: { params: ofDealer, body: WithReason, response: subscription } },
    async (request) => revokeGift(ctx, byOf(request), request.params.id, request.body.reason),
  )
}
