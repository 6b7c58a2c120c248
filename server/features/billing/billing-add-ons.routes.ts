import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { AddOn, AddOnOrder, MySubscription, ProrationPreview } from '#shared/schemas/billing.ts'
import type { Context } from '#server/platform/context.ts'
import { signedIn } from '#server/platform/guards.ts'
import { addAddOn, previewAddOn, removeAddOn } from './billing-add-ons.service.ts'
import { onRecord } from './billing-repair.service.ts'
import { payments } from './billing.policy.ts'
import { offeredAddOns } from './billing.service.ts'

const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 40 }) })
const path = '/my-subscription/add-ons/:id'

export const billingAddOnsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.addHook('onRequest', signedIn)

  app.get('/add-ons', { schema: { response: { 200: Type.Array(AddOn) } } }, async () => offeredAddOns(ctx))

  app.post(
    `${path}/preview`,
    { schema: { params, response: { 200: ProrationPreview } } },
    async ({ actor, params: { id } }) => onRecord(ctx, actor.dealerId, () => previewAddOn(ctx, actor.dealerId, id)),
  )
  app.put(
    path,
    { schema: { params, body: AddOnOrder, response: { 200: MySubscription } } },
    async ({ actor, params: { id }, body }) => {
      await ctx.limiter.consume(payments, actor.dealerId)
      return onRecord(ctx, actor.dealerId, () => addAddOn(ctx, actor.dealerId, id, body))
    },
  )
  app.delete(path, { schema: { params, response: { 200: MySubscription } } }, async ({ actor, params: { id } }) =>
    onRecord(ctx, actor.dealerId, () => removeAddOn(ctx, actor.dealerId, id)),
  )
}
