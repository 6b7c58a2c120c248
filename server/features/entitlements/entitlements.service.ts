import {
  entitlementText,
  connectionLimitOf,
  entitlements,
  type Entitlement,
  entitlementsOf,
  planWith,
  howToUnlock,
} from '#shared/entitlements.ts'
import { paidStatuses } from '#shared/schemas/billing.ts'
import { forbidden, paymentRequired, type AppError } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db } from '#server/platform/database/db.ts'
import { countConnections, findRights } from './entitlements.repository.ts'

type Rights = Awaited<ReturnType<typeof findRights>>

const basicEntitlements = entitlementsOf('basic')

const has = ({ planId, status, addOnIds, granted, planRequired }: Rights, what: Entitlement): boolean =>
  granted.includes(what) ||
  (!planRequired && basicEntitlements.has(what)) ||
  (planId !== null && status !== null && paidStatuses.has(status) && entitlementsOf(planId, addOnIds).has(what))

const hasUnpaidPlan = ({ planId, status }: Pick<Rights, 'planId' | 'status'>): boolean =>
  planId !== null && status !== null && !paidStatuses.has(status)

/** `act` names the rejected action, such as `post inventory`. */
function planRefused(
  rights: Omit<Rights, 'granted' | 'planRequired'>,
  what: Entitlement,
  act = entitlementText(what),
): AppError {
  const { planId, addOnIds, billing } = rights
  // While billing is off, every dealer has Premium, so only an admin can grant anything beyond it.
  if (!billing) return forbidden(`An admin decides who can ${act}. Request it from the contact page`)
  const planName = planWith(what)
  if (planId !== null && hasUnpaidPlan(rights) && entitlementsOf(planId, addOnIds).has(what))
    return paymentRequired(`Your last payment failed. Pay the open invoice to ${act}`, { plan: 'pay', planName })
  const plan = planId === null ? 'subscribe' : 'upgrade'
  return paymentRequired(howToUnlock(what, planId ?? undefined, act), { plan, planName })
}

export async function listEntitlements(db: Db, dealerId: string): Promise<Entitlement[]> {
  const rights = await findRights(db, dealerId)
  return entitlements.filter((what) => has(rights, what))
}

/** Like {@link requireEntitlement}, but returns the error instead of throwing it. */
export async function missingFor(db: Db, dealerId: string, what: Entitlement): Promise<AppError | undefined> {
  const rights = await findRights(db, dealerId)
  return has(rights, what) ? undefined : planRefused(rights, what)
}

/** @throws 402 with the name of a plan that includes the entitlement; 403 while billing is off */
export async function requireEntitlement(db: Db, dealerId: string, what: Entitlement, act?: string): Promise<void> {
  const rights = await findRights(db, dealerId)
  if (!has(rights, what)) throw planRefused(rights, what, act)
}

/** @throws 402 if the network requires a plan and the dealer has no paid plan */
export const requirePosting = (ctx: Pick<Context, 'db'>, dealerId: string): Promise<void> =>
  requireEntitlement(ctx.db, dealerId, 'posting')

/** @throws 402 if the network requires a plan and the dealer has no paid plan */
export const requireOffering = (ctx: Pick<Context, 'db'>, dealerId: string): Promise<void> =>
  requireEntitlement(ctx.db, dealerId, 'bidding', 'make offers')

/** The error for a bid without a paid plan, which place-bids.sql detects. Every plan includes bidding. */
export const biddingRefused = (owing: boolean): AppError =>
  planRefused(
    { planId: owing ? 'basic' : null, status: owing ? 'past_due' : null, addOnIds: [], billing: true },
    'bidding',
  )

/**
 * Checks that the plan allows one more connection. Call this in the transaction that adds the connection, after locking the dealer.
 * @throws 402 with `details.connectionLimit` if the limit is reached
 */
export async function requireConnectionSlot(db: Db, dealerId: string): Promise<void> {
  const rights = await findRights(db, dealerId)
  const { planId } = rights
  const owing = hasUnpaidPlan(rights)
  const limit = connectionLimitOf(owing ? undefined : (planId ?? undefined))
  if (limit === null || (await countConnections(db, dealerId)) < limit) return
  const planName = planWith('unlimited connections')
  if (owing && connectionLimitOf(planId ?? undefined) === null)
    throw paymentRequired(`Your last payment failed. Pay the open invoice to have more than ${limit} connections`, {
      plan: 'pay',
      planName,
      connectionLimit: limit,
    })
  const own = planId === null ? 'Without a plan you can have' : 'Your plan includes'
  throw paymentRequired(`${own} up to ${limit} connections. The ${planName} has no limit`, {
    plan: planId === null ? 'subscribe' : 'upgrade',
    planName,
    connectionLimit: limit,
  })
}
