import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import Type from 'typebox'
import type { ProrationPreview } from '#shared/schemas/billing.ts'
import { conflict } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { openSealed, seal } from '#server/platform/sealed.ts'
import { asRefusal, isMissing } from './billing-refusals.ts'

/** How long a shown price can be taken. */
const quoteMs = 10 * 60_000
const purpose = 'billing-quote'

/** What the items of a dealer's subscription are to become. */
export interface Order {
  dealerId: string
  subscription: Stripe.Subscription
  items: { id?: string; price: string }[]
}

/** The terms of a shown price. They travel through the browser, sealed: nobody else sets a date or an amount. */
const Quote = Type.Object({
  /** Who, from which subscription as it stands, to what. */
  order: Type.String(),
  /** Unix seconds. */
  prorationDate: Type.Integer(),
  dueCents: Type.Integer(),
  until: Type.Number(),
})

/** With the latest invoice in it a quote serves once: every change makes another one. */
function fingerprint({ dealerId, subscription, items }: Order): string {
  const { id, latest_invoice: invoice } = subscription
  const held = subscription.items.data.map((item) => [
    item.id,
    item.price.id,
    item.current_period_start,
    item.current_period_end,
  ])
  const latest = typeof invoice === 'string' ? invoice : invoice?.id
  return createHash('sha256')
    .update(JSON.stringify([dealerId, id, latest, held, items]))
    .digest('base64url')
}

const preview = (ctx: Context, { subscription, items }: Order, prorationDate: number): Promise<Stripe.Invoice> =>
  ctx.stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items, proration_behavior: 'always_invoice', proration_date: prorationDate },
  })

/** What the order costs now. `newCents` is what all of the subscription will cost per month. */
export async function quoteOrder(ctx: Context, order: Order, newCents: number): Promise<ProrationPreview> {
  const now = ctx.now().getTime()
  const [item] = order.subscription.items.data
  const [start, end] = [item?.current_period_start ?? 0, item?.current_period_end ?? 0]
  const prorationDate = Math.min(Math.max(Math.floor(now / 1000), start), end)
  const invoice = await preview(ctx, order, prorationDate)
  const terms = { order: fingerprint(order), prorationDate, dueCents: invoice.amount_due, until: now + quoteMs }
  return {
    dueNow: dollarsOf(invoice.amount_due),
    credit: dollarsOf(Math.max(0, -invoice.total)),
    newPrice: dollarsOf(newCents),
    lines: invoice.lines.data.map(({ description, amount }) => ({
      description: description ?? '',
      amount: dollarsOf(amount),
    })),
    quote: seal(ctx.config.secret, purpose, terms),
  }
}

const outdated = () => conflict('This price is out of date, so nothing was changed or charged. Confirm the new one')

/** The provider no longer takes these terms: the period has ended, or another tab was faster. */
function asOutdated(error: unknown): never {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && !isMissing(error)) throw outdated()
  throw error
}

/**
 * Makes the change at the price that was shown for it, charged at once; when the card refuses, all stays as it was.
 * @throws 409 when the price was shown for something else, too long ago, or is another by now; 402 with the provider's message
 */
export async function applyQuote(ctx: Context, order: Order, quote: string): Promise<void> {
  const terms = openSealed({ secret: ctx.config.secret, purpose, schema: Quote }, quote, ctx.now().getTime())
  if (terms?.order !== fingerprint(order)) throw outdated()
  const { amount_due: dueCents } = await preview(ctx, order, terms.prorationDate).catch(asOutdated)
  if (dueCents !== terms.dueCents) throw outdated()
  await ctx.stripe.subscriptions
    .update(
      order.subscription.id,
      {
        items: order.items,
        proration_behavior: 'always_invoice',
        proration_date: terms.prorationDate,
        payment_behavior: 'error_if_incomplete',
      },
      { idempotencyKey: `quote:${terms.order}:${terms.until}` },
    )
    .catch(asRefusal)
}
