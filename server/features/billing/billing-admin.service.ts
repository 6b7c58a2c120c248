import Stripe from 'stripe'
import type { Selectable } from 'kysely'
import type { DealerBilling, NewRefund, DealerPlanChange, MySubscription, PlanGift } from '#shared/schemas/billing.ts'
import { formatMoney } from '#shared/format.ts'
import type { Refunds } from '#server/db/schema.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { type By, recordAct, type Act } from '#server/features/audit/audit.service.ts'
import { lockDealer, findDealer } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/context.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'
import { asAbsent } from './billing-refusals.ts'
import { listEntitlements } from '#server/features/entitlements/entitlements.service.ts'
import { dayOf, refreshSubscription, withStripeRepair } from './billing-sync.service.ts'
import {
  findBillingCustomer,
  endGift,
  findLiveSubscription,
  findPlan,
  upsertGift,
  insertGrant,
  removeGrants,
} from './billing.repository.ts'
import { listInvoices, mySubscription, toInvoice } from './billing.service.ts'
import {
  findRefund,
  findRefundByKey,
  insertRefund,
  listRefunds,
  sumRefunds,
  updateSettled,
} from './refunds.repository.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { orderPlan, previewChange } from './billing-changes.service.ts'

type Refund = Selectable<Refunds>

type CentsByInvoice = ReadonlyMap<string, number>

const notesMax = 1_000

const askAgainMs = 60_000

/**
 * Cents of a paid invoice not refunded yet. Counts our own refunds from when they are recorded, not by the provider's
 * sum, which may or may not include refunds in progress.
 */
const leftOf = (
  { id, status, amount_paid: paid }: Stripe.Invoice,
  ours: CentsByInvoice,
  others: CentsByInvoice,
): number => (status === 'paid' ? Math.max(0, paid - (ours.get(id) ?? 0) - (others.get(id) ?? 0)) : 0)

const listNotes = ({ stripe }: Context, of: { customer: string } | { invoice: string }): Promise<Stripe.CreditNote[]> =>
  stripe.creditNotes.list({ ...of, limit: 100 }).autoPagingToArray({ limit: notesMax })

/** Refunds issued in the provider's dashboard, by invoice. */
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

/** A dealer's plan, payments and refunds. @throws 404 */
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

/** Loads an invoice of this dealer. @throws 404 */
async function invoiceOf(ctx: Context, dealerId: string, invoiceId: string): Promise<Stripe.Invoice> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  const invoice = customer && (await ctx.stripe.invoices.retrieve(invoiceId).catch(asAbsent))
  if (!invoice || invoice.customer !== customer) throw notFound('This invoice')
  return invoice
}

/**
 * Refunds an invoice in whole or in part to the card that paid it. Records the refund before calling the provider.
 * @param key idempotency key
 * @throws 404, 409 if not paid, above what is left, or the key of another refund, and with the provider's message if it
 * refused
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
    // With the lock, a second admin's refund sees the first one's.
    await lockDealer(tx, dealerId)
    const first = known ?? (await findRefundByKey(tx, key))
    if (first) return sameRefund(first, dealerId, wanted)
    if (!invoice) throw notFound('This invoice')
    if (invoice.status !== 'paid') throw conflict('Only a paid invoice can be refunded')
    const left = leftOf(invoice, await sumRefunds(tx, dealerId), others)
    const amountCents = wanted.amount === undefined ? left : centsOf(wanted.amount)
    if (left <= 0) throw conflict('This invoice has been fully refunded')
    if (amountCents > left)
      throw badRequest(`No more than ${formatMoney(dollarsOf(left))} can be refunded`, { fields: ['amount'] })
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
  if (other) throw conflict('This idempotency key was already used for another refund')
  return first.id
}

/** Look for an earlier refund first: the provider forgets idempotency keys after a day. */
async function payBack(ctx: Context, { id, invoiceId, amountCents }: Refund): Promise<void> {
  const notes = await listNotes(ctx, { invoice: invoiceId })
  if (notes.some(({ metadata }) => metadata?.['refund'] === id)) return
  await ctx.stripe.creditNotes.create(
    { invoice: invoiceId, amount: amountCents, refund_amount: amountCents, metadata: { refund: id } },
    { idempotencyKey: `refund:${id}` },
  )
}

/** Sends a recorded refund to the provider, idempotently. A rejected refund is final. */
export async function settleRefund(ctx: Context, id: string): Promise<void> {
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
      body: `For invoice ${invoiceNumber}, to the card that paid it.`,
      path: '/plan-management',
      key: `refund:${id}`,
    })
  })
}

/** Returns the reason if the provider rejects the refund permanently. Rethrows errors that may pass. */
function asRefusedRefund(error: unknown): string {
  if (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError)
    return error.message
  throw error
}

const giftMaxMs = 5 * 366 * 24 * 3_600_000

/** The account as named in the audit log. @throws 404 */
async function accountSubject(db: Db, id: string): Promise<Act['subject']> {
  const dealer = await findDealer(db, id)
  if (!dealer) throw notFound('This dealer')
  return { kind: 'user', id, name: dealer.name || dealer.email }
}

/**
 * Gives a dealer a free plan until this time. Replaces an earlier gift.
 * @throws 404, 400 for an end in the past or too far ahead, 409 if the dealer pays for a plan
 */
export async function givePlan(
  ctx: Context,
  by: By,
  dealerId: string,
  { planId, until, reason }: PlanGift,
): Promise<MySubscription> {
  const givenUntil = new Date(until)
  const ahead = givenUntil.getTime() - ctx.now().getTime()
  if (!(ahead > 0 && ahead <= giftMaxMs))
    throw badRequest('Choose an end date in the next five years', { fields: ['until'] })
  const subject = await accountSubject(ctx.db, dealerId)
  await ctx.transact(async (tx, emit) => {
    if (!(await lockDealer(tx, dealerId))) throw notFound('This dealer')
    const plan = await findPlan(tx, planId)
    if (!plan?.active) throw notFound('This plan')
    const before = await findLiveSubscription(tx, dealerId)
    if (before && before.stripeId !== null)
      throw conflict('This dealer pays for a plan. Change that plan or refund an invoice')
    await upsertGift(tx, { dealerId, planId, priceCents: plan.priceCents, givenUntil })
    await recordAct(tx, by, {
      action: 'gift.give',
      subject,
      reason,
      before: { plan: before?.planId ?? null, until: before?.givenUntil?.toISOString() ?? null },
      after: { plan: planId, until: givenUntil.toISOString() },
    })
    await emit.job('billing.endGift', { dealerId }, { runAt: givenUntil })
    await touchInbox(tx, emit, [dealerId], 'subscription', dealerId)
    await notify(tx, emit, {
      dealerId,
      kind: 'subscription',
      title: `You've been given the ${plan.name}`,
      body: `Until ${dayOf(givenUntil)}. It is free and ends automatically.`,
      path: '/plan-management',
    })
  })
  return mySubscription(ctx, dealerId)
}

async function tellOfEnd(tx: Tx, emit: Emit, dealerId: string, planId: string): Promise<void> {
  const plan = await findPlan(tx, planId)
  await touchInbox(tx, emit, [dealerId], 'subscription', dealerId)
  await notify(tx, emit, {
    dealerId,
    kind: 'subscription',
    title: `Your ${plan?.name ?? 'plan'} has ended`,
    body: 'Your complimentary plan is over. Choose a plan to post and bid.',
    path: '/plan-management',
  })
}

export async function endDueGift(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  const ended = await endGift(tx, dealerId, { early: false })
  if (ended) await tellOfEnd(tx, emit, dealerId, ended.planId)
}

/** Ends a gift early. @throws 404 */
export async function takeGiftBack(ctx: Context, by: By, dealerId: string, reason: string): Promise<MySubscription> {
  const subject = await accountSubject(ctx.db, dealerId)
  await ctx.transact(async (tx, emit) => {
    await lockDealer(tx, dealerId)
    const ended = await endGift(tx, dealerId, { early: true })
    if (!ended) throw notFound('A complimentary plan')
    const before = { plan: ended.planId, until: ended.givenUntil?.toISOString() ?? null }
    await recordAct(tx, by, { action: 'gift.end', subject, reason, before, after: { plan: null } })
    await tellOfEnd(tx, emit, dealerId, ended.planId)
  })
  return mySubscription(ctx, dealerId)
}

/** @throws 409 if the dealer has no paid plan or the last payment failed */
async function requirePaying(ctx: Context, dealerId: string) {
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (!live || live.stripeId === null) throw conflict('This dealer has no paid plan. Give a complimentary plan instead')
  if (live.status !== 'active')
    throw conflict('This dealer has an open invoice. You can change the plan once it is paid')
  return live
}

/** Computes the price of another plan for the rest of the period. @throws 404, 409 */
export async function previewDealerPlan(ctx: Context, dealerId: string, planId: string) {
  await requirePaying(ctx, dealerId)
  return withStripeRepair(ctx, dealerId, () => previewChange(ctx, dealerId, planId))
}

/**
 * Changes a paying dealer's plan, charged or credited immediately at the price shown. Audited before the provider is
 * called; a refusal is audited after it.
 * @throws 404, 409, 402 with the provider's message
 */
export async function changeDealerPlan(
  ctx: Context,
  by: By,
  dealerId: string,
  { planId, quote, reason }: DealerPlanChange,
): Promise<MySubscription> {
  const live = await requirePaying(ctx, dealerId)
  const subject = await accountSubject(ctx.db, dealerId)
  const change = { before: { plan: live.planId }, after: { plan: planId } }
  await ctx.transact((tx) => recordAct(tx, by, { action: 'subscription.change', subject, reason, ...change }))
  try {
    await withStripeRepair(ctx, dealerId, () => orderPlan(ctx, dealerId, { planId, quote }))
  } catch (error) {
    const refusal = error instanceof Error ? error.message : 'The payment provider did not respond'
    await ctx.transact((tx) =>
      recordAct(tx, by, { action: 'subscription.refuse', subject, reason: refusal.slice(0, 500), ...change }),
    )
    throw error
  }
  // The charge has succeeded, so errors from here on must not be reported as a refusal.
  return refreshSubscription(ctx, dealerId)
}

/**
 * Grants or revokes API access in addition to the plan. Keys work only while it lasts. Requires the lock on the
 * dealer's row.
 * @throws 409 if nothing changes
 */
export async function setApiAccess(
  tx: Tx,
  emit: Emit,
  by: By,
  subject: Act['subject'],
  granted: boolean,
): Promise<void> {
  const dealerId = subject.id
  const changed = granted
    ? await insertGrant(tx, { dealerId, entitlement: 'apiAccess', grantedBy: by.actor.dealerId })
    : await removeGrants(tx, dealerId, 'apiAccess')
  if (!changed) throw conflict(granted ? 'API access is already granted' : 'There is no API access to end')
  await recordAct(tx, by, {
    action: granted ? 'access.grant' : 'access.revoke',
    subject,
    before: { apiAccess: !granted },
    after: { apiAccess: granted },
  })
  await touchInbox(tx, emit, [dealerId], 'subscription', dealerId)
  const rest = (await listEntitlements(tx, dealerId)).includes('apiAccess')
    ? 'Your plan now includes API access, so your API keys keep working'
    : 'Your API keys no longer work'
  await notify(tx, emit, {
    dealerId,
    kind: 'subscription',
    title: granted ? 'API access granted' : 'API access ended',
    body: granted ? 'Create your first key in Settings' : rest,
    path: '/settings#api-keys',
    key: `api-access:${granted}:${by.requestId}`,
  })
}

export const dropGrants = (tx: Tx, dealerId: string): Promise<boolean> => removeGrants(tx, dealerId)
