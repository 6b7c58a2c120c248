import type { DealerPlanChange, MySubscription, PlanGift } from '#shared/schemas/billing.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { type By, recordAct, type Act } from '#server/features/audit/audit.service.ts'
import { lockDealer, findDealer } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { listEntitlements } from '#server/features/entitlements/entitlements.service.ts'
import { dayOf, refreshSubscription, withStripeRepair } from './billing-sync.service.ts'
import { endGift, findLiveSubscription, findPlan, upsertGift, insertGrant, removeGrants } from './billing.repository.ts'
import { mySubscription } from './billing.service.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { orderPlan, previewChange } from './billing-changes.service.ts'

const giftMaxMs = 5 * 366 * 24 * 3_600_000

/** Returns the account as the subject of an audit entry. @throws 404 if the account does not exist */
export async function accountSubject(db: Db, id: string): Promise<Act['subject']> {
  const dealer = await findDealer(db, id)
  if (!dealer) throw notFound('This dealer')
  return { kind: 'user', id, name: dealer.name || dealer.email }
}

/** Gives a plan. @throws 400 if `until` is past or over five years ahead; 404 if the plan is unknown; 409 if the dealer pays for one */
export async function grantPlan(
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
      body: `Until ${await dayOf(tx, dealerId, givenUntil)}. It is free and ends automatically.`,
      path: '/plan-management',
    })
  })
  return mySubscription(ctx, dealerId)
}

async function notifyOfEnd(tx: Tx, emit: Emit, dealerId: string, planId: string): Promise<void> {
  const plan = await findPlan(tx, planId)
  await touchInbox(tx, emit, [dealerId], 'subscription', dealerId)
  await notify(tx, emit, {
    dealerId,
    kind: 'subscription',
    title: `Your ${plan?.name ?? 'plan'} has ended`,
    body: 'Your complimentary plan has ended. Choose a plan for features that need one.',
    path: '/plan-management',
  })
}

export async function endDueGift(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  const ended = await endGift(tx, dealerId, { early: false })
  if (ended) await notifyOfEnd(tx, emit, dealerId, ended.planId)
}

/** Ends a complimentary plan early. @throws 404 if the dealer has none */
export async function revokeGift(ctx: Context, by: By, dealerId: string, reason: string): Promise<MySubscription> {
  const subject = await accountSubject(ctx.db, dealerId)
  await ctx.transact(async (tx, emit) => {
    await lockDealer(tx, dealerId)
    const ended = await endGift(tx, dealerId, { early: true })
    if (!ended) throw notFound('A complimentary plan')
    const before = { plan: ended.planId, until: ended.givenUntil?.toISOString() ?? null }
    await recordAct(tx, by, { action: 'gift.end', subject, reason, before, after: { plan: null } })
    await notifyOfEnd(tx, emit, dealerId, ended.planId)
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

/** @throws 404 if the plan does not exist; 409 if the dealer already has it, has no paid plan, or has an open invoice */
export async function previewDealerPlan(ctx: Context, dealerId: string, planId: string) {
  await requirePaying(ctx, dealerId)
  return withStripeRepair(ctx, dealerId, () => previewChange(ctx, dealerId, planId))
}

/** Changes a plan. The audit log also records failures. @throws 409 if the dealer has no paid plan; the errors of {@link orderPlan} */
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
  // The charge has succeeded. Run this outside the try block, so that an error here is not recorded as a failed change.
  return refreshSubscription(ctx, dealerId)
}

/** Grants or revokes API access beyond the plan. The caller must lock the dealer's row. @throws 409 if it would not change */
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
  if (!changed) throw conflict(granted ? 'API access is already granted' : 'This dealer has no API access to revoke')
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
