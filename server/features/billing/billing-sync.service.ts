import type Stripe from 'stripe'
import {
  type MySubscription,
  paidStatuses,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '#shared/schemas/billing.ts'
import { formatLongDate } from '#shared/format.ts'
import { badRequest } from '#server/errors.ts'
import { findDealer, findTimeZone } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify, type Notice } from '#server/features/notifications/notifications.service.ts'
import { liveStatuses } from '#server/features/entitlements/plan-statuses.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { undefinedIfMissing, isMissing } from './billing-refusals.ts'
import {
  claimSync,
  endComplimentary,
  findBillingCustomer,
  findLiveSubscription,
  findPlan,
  findSubscriptionByStripeId,
  type HeldAddOn,
  insertStripeEvent,
  listHeldAddOns,
  nextSyncSeq,
  replaceAddOns,
  replaceBillingCustomer,
  type SubscriptionState,
  updateLostSubscription,
  upsertSubscription,
} from './billing.repository.ts'
import { itemsOf, mySubscription, usesStandin } from './billing.service.ts'

const subscriptionsRead = 20

/**
 * Copies a customer's subscriptions from the provider. Always reads the current state, so that repeated, late or reordered events are
 * harmless. A sequence number, taken before reading, prevents an earlier sync from overwriting a later one. `event` is recorded in the same
 * transaction, so that a failed transaction does not mark it as processed.
 */
export async function syncCustomer(
  ctx: Context,
  customerId: string,
  event?: { id: string; type: string },
): Promise<void> {
  const ours = await nextSyncSeq(ctx.db, customerId)
  if (!ours) return
  const { data } = await ctx.stripe.subscriptions.list({
    customer: customerId,
    status: 'all',
    limit: subscriptionsRead,
    expand: ['data.default_payment_method'],
  })
  await ctx.transact(async (tx, emit) => {
    if (event && !(await insertStripeEvent(tx, event))) return
    if (!(await claimSync(tx, customerId, ours.seq, cardMarkOf(data)))) return
    const changes: Change[] = []
    for (const state of data.flatMap(toState).toSorted(endedFirst)) {
      const before = await applyState(tx, emit, ours.dealerId, state)
      if (before) changes.push({ before, after: state })
    }
    for (const change of changes) await notifyOfChange(tx, emit, ours.dealerId, change)
  })
}

function cardMarkOf(subscriptions: readonly Stripe.Subscription[]): string | null {
  const paying = subscriptions.find(({ status }) => isLive(toStatus(status)))?.default_payment_method
  return typeof paying === 'object' ? (paying?.card?.fingerprint ?? null) : null
}

interface Change {
  before: PlanState
  after: PlanState
}

interface SyncedState extends SubscriptionState {
  addOns: HeldAddOn[]
}

/** Sorts ended subscriptions first, because the database allows only one live subscription at a time. */
const endedFirst = (a: SyncedState, b: SyncedState): number => Number(isLive(a.status)) - Number(isLive(b.status))

const isLive = (status: string): boolean => (liveStatuses as readonly string[]).includes(status)

/** Saves a subscription. Returns its previous state if it existed and has changed. */
async function applyState(tx: Tx, emit: Emit, dealerId: string, { addOns, ...state }: SyncedState) {
  const before = await findSubscriptionByStripeId(tx, state.stripeId)
  if (before && sameState(before, state) && sameAddOns(await listHeldAddOns(tx, before.id), addOns)) return undefined
  if (isLive(state.status)) await endComplimentary(tx, dealerId)
  const id = await upsertSubscription(tx, dealerId, state)
  await replaceAddOns(tx, id, addOns)
  if (state.status === 'past_due' && before?.status !== 'past_due') await emit.job('mail.pastDue', { dealerId })
  await touchInbox(tx, emit, [dealerId], 'subscription', id)
  return before
}

function sameState(
  before: Omit<SubscriptionState, 'status' | 'stripeId'> & { status: string },
  next: SubscriptionState,
): boolean {
  return (
    before.status === next.status &&
    before.planId === next.planId &&
    before.priceCents === next.priceCents &&
    before.cancelAtPeriodEnd === next.cancelAtPeriodEnd &&
    before.currentPeriodEnd?.getTime() === next.currentPeriodEnd?.getTime()
  )
}

const sameAddOns = (before: readonly HeldAddOn[], next: readonly HeldAddOn[]): boolean =>
  before.length === next.length &&
  next.every(({ id, priceCents }) => before.some((held) => held.id === id && held.priceCents === priceCents))

function toState(subscription: Stripe.Subscription): SyncedState[] {
  const [plan] = itemsOf(subscription, 'plan')
  if (!plan) return []
  return [
    {
      stripeId: subscription.id,
      planId: plan.id,
      status: toStatus(subscription.status),
      priceCents: plan.priceCents,
      currentPeriodEnd: new Date(plan.item.current_period_end * 1000),
      cancelAtPeriodEnd: subscription.cancel_at_period_end,
      addOns: itemsOf(subscription, 'addOn').map(({ id, priceCents }) => ({ id, priceCents })),
    },
  ]
}

/** Unknown statuses, which the provider may add, count as unpaid and grant nothing. */
export function toStatus(status: string): SubscriptionStatus {
  if (status === 'incomplete_expired') return 'canceled'
  return subscriptionStatuses.find((known) => known === status) ?? 'unpaid'
}

/** Copies the dealer's subscriptions from the provider and returns the current one. */
export async function refreshSubscription(ctx: Context, dealerId: string): Promise<MySubscription> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  if (customer !== undefined) await syncCustomer(ctx, customer)
  return mySubscription(ctx, dealerId)
}

/** Processes a webhook event. `payload` must contain the raw bytes that were signed. @throws 400 if the signature is invalid or too old */
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

interface PlanState {
  planId: string
  status: SubscriptionStatus
  cancelAtPeriodEnd: boolean
  currentPeriodEnd: Date | null
}

interface PlanChange {
  before: PlanState
  after: PlanState
}

const isPaid = (status: SubscriptionStatus): boolean => paidStatuses.has(status)

/** Formats a date in the dealer's time zone, such as `July 31, 2026`. */
export const dayOf = async (db: Db, dealerId: string, date: Date): Promise<string> =>
  formatLongDate(date, await findTimeZone(db, dealerId))

type NoticeText = Pick<Notice, 'title' | 'body' | 'mailed'>

/** Returns undefined if the change needs no notice, such as a first payment. @param end the last day of the period, if there is one */
function textOf({ before, after }: PlanChange, planName: string, end: string | undefined): NoticeText | undefined {
  if (!isLive(before.status)) return undefined
  if (!isLive(after.status))
    return {
      title: `Your ${planName} has ended`,
      body: 'You can still read and message. Choose a plan for features that need one.',
    }
  if (isPaid(before.status) && !isPaid(after.status))
    return {
      title: `The payment for your ${planName} failed`,
      body: 'Pay the open invoice or change your card.',
      mailed: true,
    }
  if (!isPaid(before.status) && isPaid(after.status))
    return { title: `The payment for your ${planName} went through`, body: 'All features of your plan work again.' }
  if (before.planId !== after.planId)
    return { title: `You are now on the ${planName}`, body: 'The change takes effect today.' }
  if (before.cancelAtPeriodEnd === after.cancelAtPeriodEnd) return undefined
  if (!after.cancelAtPeriodEnd) return { title: `Your ${planName} continues`, body: 'The cancellation was reversed.' }
  return {
    title: `Your ${planName} is cancelled`,
    body: `It ends ${end === undefined ? 'at the end of its billing period' : `on ${end}`}. You can resume it until then.`,
  }
}

/** Notifies the dealer of a plan change. Locks the dealer's row, so call this last in a transaction. */
export async function notifyOfChange(tx: Tx, emit: Emit, dealerId: string, change: PlanChange): Promise<void> {
  const { planId, currentPeriodEnd } = change.after
  const plan = await findPlan(tx, planId)
  const end = currentPeriodEnd === null ? undefined : await dayOf(tx, dealerId, currentPeriodEnd)
  const words = textOf(change, plan?.name ?? 'plan', end)
  if (words) await notify(tx, emit, { ...words, dealerId, kind: 'subscription', path: '/plan-management' })
}

/** Runs `act`. If the provider has lost data, such as after a reset of the stand-in or new API keys, repairs it and retries once. */
export async function withStripeRepair<T>(ctx: Context, dealerId: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!isMissing(error) || !(await repairStripeData(ctx, dealerId))) throw error
    return act()
  }
}

/** Recreates a lost customer. Cancels a lost subscription; with the stand-in, makes it complimentary. Returns false if nothing is lost. */
async function repairStripeData(ctx: Context, dealerId: string): Promise<boolean> {
  const [customerId, live, dealer] = await Promise.all([
    findBillingCustomer(ctx.db, dealerId),
    findLiveSubscription(ctx.db, dealerId),
    findDealer(ctx.db, dealerId),
  ])
  const customerLost =
    customerId !== undefined && (await isMissingAtProvider(ctx.stripe.customers.retrieve(customerId)))
  const subscriptionId = live?.stripeId ?? undefined
  const planLost =
    subscriptionId !== undefined && (await isMissingAtProvider(ctx.stripe.subscriptions.retrieve(subscriptionId)))
  if (!dealer || (!customerLost && !planLost)) return false
  ctx.log.warn({ dealerId, customerLost, planLost }, 'the payment provider lost its records of an account')
  const made = customerLost
    ? await ctx.stripe.customers.create(
        { email: dealer.email, metadata: { dealer: dealerId } },
        { idempotencyKey: `customer:${dealerId}:after:${customerId}` },
      )
    : undefined
  const standin = usesStandin(ctx.config)
  await ctx.transact(async (tx, emit) => {
    if (made) await replaceBillingCustomer(tx, dealerId, made.id)
    if (!live || !planLost) return
    await updateLostSubscription(tx, live.id, standin)
    if (standin) await emit.job('billing.demoPlan', { dealerId }, { uniqueKey: dealerId })
    await touchInbox(tx, emit, [dealerId], 'subscription', live.id)
  })
  return true
}

async function isMissingAtProvider(asked: Promise<Stripe.Customer | Stripe.DeletedCustomer | Stripe.Subscription>) {
  const found = await asked.catch(undefinedIfMissing)
  return found === undefined || ('deleted' in found && found.deleted)
}
