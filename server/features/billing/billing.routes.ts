import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import {
  AuthenticatePayment,
  BillingOverview,
  ChangePreview,
  ClientSecret,
  CompleteSubscription,
  ConfirmPayment,
  MySubscription,
  PaymentConfig,
  PaymentOutcome,
  PlanChange,
  PlanChoice,
  SubscriptionPlan,
} from '#shared/schemas/billing.ts'
import type { Context } from '#server/platform/context.ts'
import { signedIn } from '#server/platform/guards.ts'
import type { Limit } from '#server/platform/limits.ts'
import { authenticatePayment, completeSubscription, confirmPayment } from './billing-cards.service.ts'
import { getOrCreateSubscription } from './billing-checkout.service.ts'
import {
  billingOverview,
  cancelSubscription,
  changePlan,
  previewChange,
  refreshSubscription,
  resumeSubscription,
} from './billing-manage.service.ts'
import { mySubscription, offeredPlans, paymentConfig } from './billing.service.ts'

/** Trying cards is what card thieves do. */
const payments: Limit = { name: 'payments', max: 20, seconds: 60 }

export const billingRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.get('/subscription-plans', { schema: { response: { 200: Type.Array(SubscriptionPlan) } } }, async () =>
    offeredPlans(ctx),
  )

  app.get('/payment-config', { schema: { response: { 200: PaymentConfig } } }, async () => paymentConfig(ctx.config))

  app.get(
    '/my-subscription',
    { onRequest: signedIn, schema: { response: { 200: MySubscription } } },
    async ({ actor }) => mySubscription(ctx, actor.dealerId),
  )

  app.get('/billing', { onRequest: signedIn, schema: { response: { 200: BillingOverview } } }, async ({ actor }) =>
    billingOverview(ctx, actor.dealerId),
  )

  app.post(
    '/get-or-create-subscription',
    { onRequest: signedIn, schema: { body: PlanChoice, response: { 200: ClientSecret } } },
    async ({ actor, body }) => {
      await ctx.limiter.consume(payments, actor.dealerId)
      return { clientSecret: await getOrCreateSubscription(ctx, actor.dealerId, body.planId) }
    },
  )

  const changed = { onRequest: signedIn, schema: { response: { 200: MySubscription } } }
  app.post('/confirm-subscription', changed, async ({ actor }) => refreshSubscription(ctx, actor.dealerId))
  app.post('/cancel-subscription', changed, async ({ actor }) => cancelSubscription(ctx, actor.dealerId))
  app.post('/resume-subscription', changed, async ({ actor }) => resumeSubscription(ctx, actor.dealerId))

  app.post(
    '/change-subscription/preview',
    { onRequest: signedIn, schema: { body: PlanChoice, response: { 200: ChangePreview } } },
    async ({ actor, body }) => previewChange(ctx, actor.dealerId, body.planId),
  )
  app.post(
    '/change-subscription',
    { onRequest: signedIn, schema: { body: PlanChange, response: { 200: MySubscription } } },
    async ({ actor, body }) => {
      await ctx.limiter.consume(payments, actor.dealerId)
      return changePlan(ctx, actor.dealerId, body)
    },
  )

  app.post(
    '/auth/complete-subscription',
    { onRequest: signedIn, schema: { body: CompleteSubscription, response: { 200: PaymentOutcome } } },
    async ({ actor, body }) => {
      await ctx.limiter.consume(payments, actor.dealerId)
      return completeSubscription(ctx, actor.dealerId, body)
    },
  )
  app.post(
    '/demo-payments/confirm',
    { onRequest: signedIn, schema: { body: ConfirmPayment, response: { 200: PaymentOutcome } } },
    async ({ actor, body }) => {
      await ctx.limiter.consume(payments, actor.dealerId)
      return confirmPayment(ctx, actor.dealerId, body)
    },
  )
  app.post(
    '/demo-payments/authenticate',
    { onRequest: signedIn, schema: { body: AuthenticatePayment, response: { 200: PaymentOutcome } } },
    async ({ actor, body }) => authenticatePayment(ctx, actor.dealerId, body),
  )
}
