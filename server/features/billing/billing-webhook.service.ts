import type Stripe from 'stripe'
import { badRequest } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { syncCustomer } from './billing-sync.service.ts'

/**
 * Takes a signed event of the payment provider. The signature covers the raw bytes, so `payload` must be exactly what
 * came in. @throws 400 when it was not signed with our secret, or too long ago.
 */
export async function receiveEvent(ctx: Context, payload: Buffer, signature: string): Promise<void> {
  const event = verify(ctx, payload, signature)
  const customerId = customerOf(event)
  if (customerId === undefined) return
  await syncCustomer(ctx, customerId, { id: event.id, type: event.type })
}

function verify(ctx: Context, payload: Buffer, signature: string): Stripe.Event {
  try {
    return ctx.stripe.webhooks.constructEvent(payload, signature, ctx.config.stripe.webhookSecret ?? '')
  } catch {
    throw badRequest('This event is not signed by the payment provider')
  }
}

function customerOf(event: Stripe.Event): string | undefined {
  const { customer } = event.data.object as { customer?: unknown }
  return typeof customer === 'string' ? customer : undefined
}
