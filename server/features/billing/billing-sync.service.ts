import type Stripe from 'stripe'
import { type SubscriptionStatus, subscriptionStatuses } from '#shared/schemas/billing.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { type HeldAddOn, listAddOnsOf, replaceAddOns } from './billing-add-ons.repository.ts'
import { itemsOf } from './billing.service.ts'
import { notifyOfChange, type PlanState } from './billing-notices.service.ts'
import {
  claimSync,
  endComplimentary,
  findSubscriptionByStripeId,
  insertStripeEvent,
  liveStatuses,
  nextSyncSeq,
  type SubscriptionState,
  upsertSubscription,
} from './billing.repository.ts'
import { badRequest } from '#server/errors.ts'

const subscriptionsRead = 20

/**
 * Makes our copy of a customer's subscriptions equal to the provider's. An event only says that something changed:
 * the state is always read anew, so repeated, late and swapped events end in the same state. A number taken before
 * the reading decides between two that overlap: the one that started later is never overwritten by the earlier one.
 * @param event stored in the same transaction, so an event that could not be applied is not marked as seen.
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
  })
  await ctx.transact(async (tx, emit) => {
    if (event && !(await insertStripeEvent(tx, event))) return
    if (!(await claimSync(tx, customerId, ours.seq))) return
    const changes: Change[] = []
    for (const state of data.flatMap(toState).toSorted(endedFirst)) {
      const before = await applyState(tx, emit, ours.dealerId, state)
      if (before) changes.push({ before, after: state })
    }
    for (const change of changes) await notifyOfChange(tx, emit, ours.dealerId, change)
  })
}

interface Change {
  before: PlanState
  after: PlanState
}

interface SyncedState extends SubscriptionState {
  addOns: HeldAddOn[]
}

/** The database allows one live subscription at a time. */
const endedFirst = (a: SyncedState, b: SyncedState): number => Number(isLive(a.status)) - Number(isLive(b.status))

function isLive(status: string): boolean {
  return (liveStatuses as readonly string[]).includes(status)
}

/** @returns what was there before, where it was there and is another now */
async function applyState(tx: Tx, emit: Emit, dealerId: string, { addOns, ...state }: SyncedState) {
  const before = await findSubscriptionByStripeId(tx, state.stripeId)
  if (before && sameState(before, state) && sameAddOns(await listAddOnsOf(tx, before.id), addOns)) return undefined
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

/** Subscriptions to anything that is not one of our plans are none of our business. */
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

/** A status that the provider may add one day gives no rights until we know it. */
function toStatus(status: string): SubscriptionStatus {
  if (status === 'incomplete_expired') return 'canceled'
  return subscriptionStatuses.find((known) => known === status) ?? 'unpaid'
}

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
