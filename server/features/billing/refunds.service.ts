import Stripe from 'stripe'
import type { Selectable } from 'kysely'
import type { DealerBilling, NewRefund } from '#shared/schemas/billing.ts'
import { formatMoney } from '#shared/format.ts'
import type { Refunds } from '#server/db/schema.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { type By, recordAct } from '#server/features/audit/audit.service.ts'
import { lockDealer } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'
import { undefinedIfMissing } from './billing-refusals.ts'
import { withStripeRepair } from './billing-sync.service.ts'
import { findBillingCustomer } from './billing.repository.ts'
import { listInvoices, mySubscription, toInvoice } from './billing.service.ts'
import {
  findRefund,
  findRefundByKey,
  insertRefund,
  listRefunds,
  sumRefunds,
  updateSettled,
} from './refunds.repository.ts'
import { accountSubject } from './billing-admin.service.ts'

type Refund = Selectable<Refunds>

type CentsByInvoice = ReadonlyMap<string, number>

const notesMax = 1_000

const askAgainMs = 60_000

/** Returns the refundable cents. Uses our own records, because the provider's total may not include refunds in progress. */
const leftOf = (
  { id, status, amount_paid: paid }: Stripe.Invoice,
  ours: CentsByInvoice,
  others: CentsByInvoice,
): number => (status === 'paid' ? Math.max(0, paid - (ours.get(id) ?? 0) - (others.get(id) ?? 0)) : 0)

const listNotes = ({ stripe }: Context, of: { customer: string } | { invoice: string }): Promise<Stripe.CreditNote[]> =>
  stripe.creditNotes.list({ ...of, limit: 100 }).autoPagingToArray({ limit: notesMax })

/** Sums refunds that were issued in the provider's dashboard, by invoice. */
async function sumOthers(ctx: Context, of: { customer: string } | { invoice: string }): Promise<CentsByInvoice> {
  const notes = await listNotes(ctx, of)
  const sums = new Map<string, number>()
  for (const { invoice, metadata, post_payment_amount: cents, status } of notes) {
    const id = typeof invoice === 'string' ? invoice : invoice.id
    if (status === 'issued' && metadata?.['refund'] === undefined) sums.set(id, (sums.get(id) ?? 0) + cents)
  }
  return sums
}

function stateOf({ doneAt, refusal }: Refund): 'waiting' | 'done' | 'refused' {
  if (doneAt !== null) return 'done'
  return refusal === null ? 'waiting' : 'refused'
}

/** @throws 404 if the dealer does not exist */
export async function dealerBilling(ctx: Context, dealerId: string): Promise<DealerBilling> {
  await accountSubject(ctx.db, dealerId)
  return withStripeRepair(ctx, dealerId, async () => {
    const [{ subscription }, customer, refunds, ours] = await Promise.all([
      mySubscription(ctx, dealerId),
      findBillingCustomer(ctx.db, dealerId),
      listRefunds(ctx.db, dealerId),
      sumRefunds(ctx.db, dealerId),
    ])
    const [invoices, others] =
      customer === undefined
        ? [[], new Map()]
        : await Promise.all([listInvoices(ctx, customer), sumOthers(ctx, { customer })])
    return {
      subscription,
      invoices: invoices.flatMap((invoice) =>
        toInvoice(invoice).map((shown) => ({
          ...shown,
          refundable: dollarsOf(leftOf(invoice, ours, others)),
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

/** @throws 404 if the invoice does not exist or belongs to another dealer */
async function invoiceOf(ctx: Context, dealerId: string, invoiceId: string): Promise<Stripe.Invoice> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  const invoice = customer && (await ctx.stripe.invoices.retrieve(invoiceId).catch(undefinedIfMissing))
  if (!invoice || invoice.customer !== customer) throw notFound('This invoice')
  return invoice
}

/**
 * Refunds all or part of an invoice to the card that paid it. Records the refund before calling the provider.
 * @throws 404 if the dealer or invoice does not exist; 400 if the amount exceeds the amount that is left; 409 if the invoice is not paid or
 * already refunded, the key belongs to another refund, or the provider rejects the refund
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
  const others = known ? new Map() : await sumOthers(ctx, { invoice: wanted.invoiceId })
  const id = await ctx.transact(async (tx, emit) => {
    // This lock makes concurrent refunds run one after the other, so the later one counts the earlier one.
    await lockDealer(tx, dealerId)
    const first = known ?? (await findRefundByKey(tx, key))
    if (first) return sameRefund(first, dealerId, wanted)
    if (!invoice) throw notFound('This invoice')
    if (invoice.status !== 'paid') throw conflict('Only a paid invoice can be refunded')
    const left = leftOf(invoice, await sumRefunds(tx, dealerId), others)
    const amountCents = wanted.amount === undefined ? left : centsOf(wanted.amount)
    if (left <= 0) throw conflict('This invoice has been fully refunded')
    if (amountCents > left)
      throw badRequest(`You can refund up to ${formatMoney(dollarsOf(left))}`, { fields: ['amount'] })
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
  await sendRefund(ctx, id)
  const refusal = (await findRefund(ctx.db, id))?.refusal
  if (refusal) throw conflict(refusal)
  return dealerBilling(ctx, dealerId)
}

function sameRefund(first: Refund, dealerId: string, { invoiceId, amount }: NewRefund): string {
  const other =
    first.dealerId !== dealerId ||
    first.invoiceId !== invoiceId ||
    (amount !== undefined && first.amountCents !== centsOf(amount))
  if (other) throw conflict('This idempotency key was already used for another refund')
  return first.id
}

/** Issues a refund. Looks for an earlier attempt first, because the provider forgets idempotency keys after a day. */
async function payBack(ctx: Context, { id, invoiceId, amountCents }: Refund): Promise<void> {
  const notes = await listNotes(ctx, { invoice: invoiceId })
  if (notes.some(({ metadata }) => metadata?.['refund'] === id)) return
  await ctx.stripe.creditNotes.create(
    { invoice: invoiceId, amount: amountCents, refund_amount: amountCents, metadata: { refund: id } },
    { idempotencyKey: `refund:${id}` },
  )
}

/** Sends a recorded refund to the provider. Safe to repeat. A rejected refund is final. */
export async function sendRefund(ctx: Context, id: string): Promise<void> {
  const refund = await findRefund(ctx.db, id)
  if (!refund || stateOf(refund) !== 'waiting') return
  const { amountCents } = refund
  const refusal = await payBack(ctx, refund).then(() => null, asRefusedRefund)
  await ctx.transact(async (tx, emit) => {
    if (!(await updateSettled(tx, id, refusal)) || refusal !== null) return
    const { dealerId, invoiceNumber } = refund
    await touchInbox(tx, emit, [dealerId], 'subscription', id)
    await notify(tx, emit, {
      dealerId,
      kind: 'subscription',
      title: `${formatMoney(dollarsOf(amountCents))} refunded`,
      body: `We refunded the card used to pay invoice ${invoiceNumber}.`,
      path: '/plan-management',
      key: `refund:${id}`,
    })
  })
}

/** Returns the reason if the provider rejects the refund permanently. Rethrows temporary errors. */
function asRefusedRefund(error: unknown): string {
  if (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError)
    return error.message
  throw error
}
