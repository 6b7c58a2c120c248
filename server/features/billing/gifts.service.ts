import type { DealerPlanChange, MySubscription, PlanGift } from '#shared/schemas/billing.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { type Act, type By, recordAct } from '#server/features/admin/audit.service.ts'
import { findDealer, lockDealer } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { changePlan, previewChange } from './billing-changes.service.ts'
import { dayOf, withStripeRepair } from './billing-sync.service.ts'
import { endGift, findLiveSubscription, findPlan, upsertGift } from './billing.repository.ts'
import { mySubscription } from './billing.service.ts'

/** Longer than that nobody knows what a plan is worth. */
const giftMaxMs = 5 * 366 * 24 * 3_600_000

/** Whose account it is, as the audit log names it. @throws 404 */
export async function accountSubject(db: Db, id: string): Promise<Act['subject']> {
  const dealer = await findDealer(db, id)
  if (!dealer) throw notFound('This dealer')
  return { kind: 'user', id, name: dealer.name || dealer.email }
}

/**
 * A plan that nobody pays for, until that moment. One that was given before gives way to it.
 * @throws 404, 400 for an end that is over or too far, 409 for who pays for a plan
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
    throw badRequest('A gift ends in the future, within five years', { fields: ['until'] })
  const subject = await accountSubject(ctx.db, dealerId)
  await ctx.transact(async (tx, emit) => {
    await lockDealer(tx, dealerId)
    const plan = await findPlan(tx, planId)
    if (!plan?.active) throw notFound('This plan')
    const before = await findLiveSubscription(tx, dealerId)
    if (before && before.stripeId !== null)
      throw conflict('This dealer pays for a plan. Change that one, or pay an invoice back')
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
      title: `You are given the ${plan.name}`,
      body: `Until ${dayOf(givenUntil)}. There is nothing to pay, and it ends by itself.`,
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
    body: 'It was given to you until now. Choose a plan to post and bid.',
    path: '/plan-management',
  })
}

/** The gift whose time is over; one that was prolonged meanwhile stays. */
export async function endDueGift(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  const ended = await endGift(tx, dealerId, { early: false })
  if (ended) await tellOfEnd(tx, emit, dealerId, ended.planId)
}

/** Takes a gift back before its time. @throws 404 */
export async function takeGiftBack(ctx: Context, by: By, dealerId: string, reason: string): Promise<MySubscription> {
  const subject = await accountSubject(ctx.db, dealerId)
  await ctx.transact(async (tx, emit) => {
    await lockDealer(tx, dealerId)
    const ended = await endGift(tx, dealerId, { early: true })
    if (!ended) throw notFound('A plan that was given')
    const before = { plan: ended.planId, until: ended.givenUntil?.toISOString() ?? null }
    await recordAct(tx, by, { action: 'gift.end', subject, reason, before, after: { plan: null } })
    await tellOfEnd(tx, emit, dealerId, ended.planId)
  })
  return mySubscription(ctx, dealerId)
}

/** @throws 409 for who pays for no plan, or whose last payment failed */
async function requirePaying(ctx: Context, dealerId: string) {
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (!live || live.stripeId === null) throw conflict('This dealer pays for no plan. Give one until a day instead')
  if (live.status !== 'active')
    throw conflict('An invoice of this dealer is open. The plan can be changed when it is paid')
  return live
}

/** What the other plan costs the dealer for the rest of the period. @throws 404, 409 */
export async function previewDealerPlan(ctx: Context, dealerId: string, planId: string) {
  await requirePaying(ctx, dealerId)
  return withStripeRepair(ctx, dealerId, () => previewChange(ctx, dealerId, planId))
}

/**
 * Another plan for a dealer who pays for one, charged or credited at once at the price that was shown. What is asked of the
 * provider is written down before, and a refusal after it.
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
    return await withStripeRepair(ctx, dealerId, () => changePlan(ctx, dealerId, { planId, quote }))
  } catch (error) {
    const refusal = error instanceof Error ? error.message : 'The payment provider did not answer'
    await ctx.transact((tx) =>
      recordAct(tx, by, { action: 'subscription.refuse', subject, reason: refusal.slice(0, 500), ...change }),
    )
    throw error
  }
}
