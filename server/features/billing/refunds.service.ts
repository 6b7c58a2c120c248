import Stripe from 'stripe'
import type { Selectable } from 'kysely'
import type { DealerBilling, NewRefund } from '#shared/schemas/billing.ts'
import { formatMoney } from '#shared/format.ts'
import type { Refunds } from '#server/db/schema.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { type By, recordAct } from '#server/features/admin/audit.service.ts'
import { lockDealer } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/context.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'
import { asAbsent } from './billing-refusals.ts'
import { withStripeRepair } from './billing-sync.service.ts'
import { findBillingCustomer } from './billing.repository.ts'
import { listInvoices, mySubscription, toInvoice } from './billing.service.ts'
import { accountSubject } from './gifts.service.ts'
import {
  findRefund,
  findRefundByKey,
  insertRefund,
  listRefunds,
  sumWaiting,
  updateSettled,
} from './refunds.repository.ts'

type Refund = Selectable<Refunds>

/** A refund whose answer was lost is asked for again after this time, under the same key. */
const askAgainMs = 60_000

/** Of a paid invoice, in cents: what has not gone back yet. */
const leftOf = ({ status, amount_paid: paid, post_payment_credit_notes_amount: back }: Stripe.Invoice): number =>
  status === 'paid' ? Math.max(0, paid - back) : 0

function stateOf({ doneAt, refusal }: Refund): 'waiting' | 'done' | 'refused' {
  if (doneAt !== null) return 'done'
  return refusal === null ? 'waiting' : 'refused'
}

/** What one dealer has, paid and was paid back. @throws 404 */
export async function dealerBilling(ctx: Context, dealerId: string): Promise<DealerBilling> {
  await accountSubject(ctx.db, dealerId)
  return withStripeRepair(ctx, dealerId, async () => {
    const [{ subscription }, customer, refunds] = await Promise.all([
      mySubscription(ctx, dealerId),
      findBillingCustomer(ctx.db, dealerId),
      listRefunds(ctx.db, dealerId),
    ])
    const invoices = customer === undefined ? [] : await listInvoices(ctx, customer)
    const waiting = (id: string) =>
      refunds
        .filter((refund) => refund.invoiceId === id && stateOf(refund) === 'waiting')
        .reduce((sum, { amountCents }) => sum + amountCents, 0)
    return {
      subscription,
      invoices: invoices.flatMap((invoice) =>
        toInvoice(invoice).map((shown) => ({
          ...shown,
          refundable: dollarsOf(Math.max(0, leftOf(invoice) - waiting(invoice.id))),
        })),
      ),
      refunds: refunds.map((refund) => ({
        id: refund.id,
        invoiceNumber: refund.invoiceNumber,
        amount: dollarsOf(refund.amountCents),
        reason: refund.reason,
        createdAt: refund.createdAt.toISOString(),
        state: stateOf(refund),
        refusal: refund.refusal,
      })),
    }
  })
}

/** The invoice at the provider, if it is this dealer's. @throws 404 */
async function invoiceOf(ctx: Context, dealerId: string, invoiceId: string): Promise<Stripe.Invoice> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  const invoice = customer && (await ctx.stripe.invoices.retrieve(invoiceId).catch(asAbsent))
  if (!invoice || invoice.customer !== customer) throw notFound('This invoice')
  return invoice
}

/**
 * Pays an invoice back, whole or in part, to the card that paid it: written down first, then asked of the provider.
 * @param key the same one pays back once
 * @throws 404, 409 for an invoice that is not paid, for more than is left, for another refund's key, and with the provider's
 * sentence where it refused
 */
export async function refundInvoice(
  ctx: Context,
  by: By,
  dealerId: string,
  { key, ...wanted }: NewRefund & { key: string },
): Promise<DealerBilling> {
  const subject = await accountSubject(ctx.db, dealerId)
  const known = await findRefundByKey(ctx.db, key)
  const invoice = known ? undefined : await invoiceOf(ctx, dealerId, wanted.invoiceId)
  const id = await ctx.transact(async (tx, emit) => {
    // Two admins at once: the second one sees what the first has asked for.
    await lockDealer(tx, dealerId)
    const first = known ?? (await findRefundByKey(tx, key))
    if (first) return sameRefund(first, dealerId, wanted)
    if (!invoice) throw notFound('This invoice')
    if (invoice.status !== 'paid') throw conflict('Only an invoice that is paid can be paid back')
    const left = leftOf(invoice) - (await sumWaiting(tx, invoice.id))
    const amountCents = wanted.amount === undefined ? left : centsOf(wanted.amount)
    if (left <= 0) throw conflict('All of this invoice has been paid back')
    if (amountCents > left)
      throw badRequest(`No more than ${formatMoney(dollarsOf(left))} can be paid back`, { fields: ['amount'] })
    const invoiceNumber = invoice.number ?? ''
    const { reason } = wanted
    const refundId = await insertRefund(tx, {
      key,
      dealerId,
      invoiceId: invoice.id,
      invoiceNumber,
      amountCents,
      reason,
    })
    const after = { invoice: invoiceNumber, amount: dollarsOf(amountCents) }
    await recordAct(tx, by, { action: 'invoice.refund', subject, reason, after })
    await emit.job('billing.refund', { refundId }, { runAt: new Date(ctx.now().getTime() + askAgainMs) })
    return refundId
  })
  await settleRefund(ctx, id)
  const refusal = (await findRefund(ctx.db, id))?.refusal
  if (refusal) throw conflict(refusal)
  return dealerBilling(ctx, dealerId)
}

function sameRefund(first: Refund, dealerId: string, { invoiceId, amount }: NewRefund): string {
  const other =
    first.dealerId !== dealerId ||
    first.invoiceId !== invoiceId ||
    (amount !== undefined && first.amountCents !== centsOf(amount))
  if (other) throw conflict('This key stands for another refund')
  return first.id
}

/** Asks the provider under a key of the refund's own: asked twice, it is paid back once. What it refuses stays refused. */
export async function settleRefund(ctx: Context, id: string): Promise<void> {
  const refund = await findRefund(ctx.db, id)
  if (!refund || stateOf(refund) !== 'waiting') return
  const { invoiceId, amountCents } = refund
  const refusal = await ctx.stripe.creditNotes
    .create(
      { invoice: invoiceId, amount: amountCents, refund_amount: amountCents, metadata: { refund: id } },
      { idempotencyKey: `refund:${id}` },
    )
    .then(() => null, asRefusedRefund)
  await ctx.transact(async (tx, emit) => {
    if (!(await updateSettled(tx, id, refusal)) || refusal !== null) return
    const { dealerId, invoiceNumber } = refund
    await touchInbox(tx, emit, [dealerId], 'subscription', id)
    await notify(tx, emit, {
      dealerId,
      kind: 'subscription',
      title: `${formatMoney(dollarsOf(amountCents))} paid back`,
      body: `Of invoice ${invoiceNumber}, to the card that paid it.`,
      path: '/plan-management',
      key: `refund:${id}`,
    })
  })
}

/** What the provider will refuse every time; a provider that does not answer is asked again. */
function asRefusedRefund(error: unknown): string {
  if (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError)
    return error.message
  throw error
}
