import { paidStatuses, type SubscriptionStatus } from '#shared/schemas/billing.ts'
import { notify, type Notice } from '#server/features/notifications/notifications.service.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { findPlan, liveStatuses } from './billing.repository.ts'

/** What of a subscription a notice is about. */
export interface PlanState {
  planId: string
  status: SubscriptionStatus
  cancelAtPeriodEnd: boolean
  currentPeriodEnd: Date | null
}

const isLive = (status: string): boolean => (liveStatuses as readonly string[]).includes(status)
const isPaid = (status: SubscriptionStatus): boolean => paidStatuses.has(status)

const dayOf = (date: Date): string =>
  date.toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' })

type Words = Pick<Notice, 'title' | 'body' | 'mailed'>

/** The one thing worth telling about a change; undefined for a first payment, which the dealer sees happen. */
function wordsOf(before: PlanState, after: PlanState, planName: string): Words | undefined {
  if (!isLive(before.status)) return undefined
  if (!isLive(after.status))
    return {
      title: `Your ${planName} has ended`,
      body: 'You can still read and message. Choose a plan to post and bid.',
    }
  if (isPaid(before.status) && !isPaid(after.status))
    return {
      title: `The payment for your ${planName} failed`,
      body: 'Pay the open invoice or change your card.',
      mailed: true,
    }
  if (!isPaid(before.status) && isPaid(after.status))
    return { title: `The payment for your ${planName} went through`, body: 'You can post inventory and bid again.' }
  if (before.planId !== after.planId)
    return { title: `You are on the ${planName} now`, body: 'The change counts from today.' }
  if (before.cancelAtPeriodEnd === after.cancelAtPeriodEnd) return undefined
  if (!after.cancelAtPeriodEnd) return { title: `Your ${planName} goes on`, body: 'The cancellation is taken back.' }
  const end = after.currentPeriodEnd === null ? 'with its period' : `on ${dayOf(after.currentPeriodEnd)}`
  return { title: `Your ${planName} is cancelled`, body: `It ends ${end}. You can resume it until then.` }
}

/** Tells the dealer what became of their subscription. Locks the dealer's row: call it last. */
export async function notifyOfChange(
  tx: Tx,
  emit: Emit,
  dealerId: string,
  { before, after }: { before: PlanState; after: PlanState },
): Promise<void> {
  const plan = await findPlan(tx, after.planId)
  const words = wordsOf(before, after, plan?.name ?? 'plan')
  if (words) await notify(tx, emit, { ...words, dealerId, kind: 'subscription', path: '/plan-management' })
}
