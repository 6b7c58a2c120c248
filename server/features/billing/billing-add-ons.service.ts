import type { AddOnOrder, MySubscription, ProrationPreview } from '#shared/schemas/billing.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { findAddOn } from './billing-add-ons.repository.ts'
import { itemsOf, mySubscription, priceFor } from './billing.service.ts'
import { applyQuote, quoteOrder, requireChangeable, syncDealer } from './billing-changes.service.ts'

const complimentary = 'An add-on needs a plan that is paid for. Subscribe to your plan first'

/** What the add-on costs for the rest of the period, and what all of it will cost per month. */
export async function previewAddOn(ctx: Context, dealerId: string, addOnId: string): Promise<ProrationPreview> {
  const { addOn, order } = await ordered(ctx, dealerId, addOnId)
  const held = order.subscription.items.data
  const cents = held.reduce((sum, item) => sum + (item.price.unit_amount ?? 0), addOn.priceCents)
  return quoteOrder(ctx, order, cents)
}

/** An item more on the subscription, charged at once for the rest of the period. @throws 409, 402 as applyQuote says */
export async function addAddOn(
  ctx: Context,
  dealerId: string,
  addOnId: string,
  { quote }: AddOnOrder,
): Promise<MySubscription> {
  const { order } = await ordered(ctx, dealerId, addOnId)
  await applyQuote(ctx, order, quote).catch(async (error: unknown) => {
    // Two tabs at once: the other one has added it meanwhile.
    const now = await ctx.stripe.subscriptions.retrieve(order.subscription.id)
    if (!itemsOf(now, 'addOn').some(({ id }) => id === addOnId)) throw error
  })
  return synced(ctx, dealerId)
}

/** Ends at once; the unused part of the period is credited to the next invoices. Also one no longer on offer. */
export async function removeAddOn(ctx: Context, dealerId: string, addOnId: string): Promise<MySubscription> {
  const subscription = await requireChangeable(ctx, dealerId, complimentary)
  const held = itemsOf(subscription, 'addOn').find(({ id }) => id === addOnId)
  if (!held) throw notFound('This add-on')
  await ctx.stripe.subscriptions.update(
    subscription.id,
    { items: [{ id: held.item.id, deleted: true }], proration_behavior: 'always_invoice' },
    { idempotencyKey: `remove-add-on:${held.item.id}` },
  )
  return synced(ctx, dealerId)
}

async function ordered(ctx: Context, dealerId: string, addOnId: string) {
  const addOn = await findAddOn(ctx.db, addOnId)
  if (!addOn?.active) throw notFound('This add-on')
  const subscription = await requireChangeable(ctx, dealerId, complimentary)
  if (itemsOf(subscription, 'addOn').some(({ id }) => id === addOnId)) throw conflict('You have this add-on already')
  const items = [{ price: await priceFor(ctx, addOn, 'addOn') }]
  return { addOn, order: { dealerId, subscription, items } }
}

async function synced(ctx: Context, dealerId: string): Promise<MySubscription> {
  await syncDealer(ctx, dealerId)
  return mySubscription(ctx, dealerId)
}
