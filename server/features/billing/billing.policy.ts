import { paidStatuses } from '#shared/schemas/billing.ts'
import { paymentRequired, type AppError } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db } from '#server/platform/db.ts'
import type { Limit } from '#server/platform/limits.ts'
import { countConnections, findLiveSubscription } from './billing.repository.ts'

/** Trying cards is what card thieves do. */
export const payments: Limit = { name: 'payments', max: 20, seconds: 60 }

const planRefused = (owing: boolean, what: string): AppError =>
  owing
    ? paymentRequired(`Your last payment failed. Pay the open invoice to ${what}`, { plan: 'pay' })
    : paymentRequired(`Subscribe to a plan to ${what}`, { plan: 'subscribe' })

async function requirePaid(db: Db, dealerId: string, what: string): Promise<void> {
  const subscription = await findLiveSubscription(db, dealerId)
  if (!subscription || !paidStatuses.has(subscription.status)) throw planRefused(subscription !== undefined, what)
}

/** Posting inventory needs a paid plan; reading and messaging never do. @throws 402 */
export async function requirePosting(ctx: Pick<Context, 'db'>, dealerId: string): Promise<void> {
  await requirePaid(ctx.db, dealerId, 'post inventory')
}

/** @throws 402 */
export async function requireOffering(ctx: Pick<Context, 'db'>, dealerId: string): Promise<void> {
  await requirePaid(ctx.db, dealerId, 'make offers')
}

/** The refusal of a bid; whether the plan is paid is decided with the bid (place-bids.sql). */
export const biddingRefused = (owing: boolean): AppError => planRefused(owing, 'bid')

/**
 * Room for one more dealer in the network. A dealer without a plan has the
 * smallest plan's room. Call it inside the transaction that adds the connection, after locking the dealer's row.
 * @throws 402 with `details.connectionLimit` where it is full
 */
export async function requireConnectionSlot(db: Db, dealerId: string): Promise<void> {
  const subscription = await findLiveSubscription(db, dealerId)
  const limit = subscription ? subscription.connectionLimit : smallestConnectionLimit
  if (limit === null || (await countConnections(db, dealerId)) < limit) return
  const plan = subscription?.planName ?? 'Basic Plan'
  throw paymentRequired(`${plan} includes up to ${limit} connections. Upgrade to add more`, {
    plan: subscription ? 'upgrade' : 'subscribe',
    connectionLimit: limit,
  })
}

const smallestConnectionLimit = 50
