import { plural } from '#shared/format.ts'
import { cancelledWinsDays, cancelledWinsMax } from '#shared/limits.ts'
import { type AppError, conflict, forbidden } from '#server/errors.ts'
import { type Act, type By, recordAct } from '#server/features/audit/audit.service.ts'
import { reportAsNetwork } from '#server/features/reports/own-reports.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { findDealer, lockDealer, updateDealer } from './dealers.repository.ts'
import { findNetworkSettings } from './licenses.repository.ts'

const dayMs = 24 * 3_600_000
const tooManyCancels = `cancelled ${plural(cancelledWinsMax, 'auction win')} within ${cancelledWinsDays} days`

export const biddingStopped = (): AppError =>
  forbidden(`You have ${tooManyCancels}. An admin must let you bid again. Write to them from the contact page`)

/** Guards preset maximums; place-bids.sql guards bids. @throws 403 if an admin must let the dealer bid again */
export async function requireMayBid(db: Db, dealerId: string): Promise<void> {
  const [dealer, { stopAfterCancels }] = await Promise.all([findDealer(db, dealerId), findNetworkSettings(db)])
  if (stopAfterCancels && dealer !== undefined && dealer.biddingStoppedAt !== null) throw biddingStopped()
}

export async function cancelsCountedFrom(tx: Tx, dealerId: string, now: Date): Promise<Date> {
  const cleared = (await findDealer(tx, dealerId))?.biddingClearedAt?.getTime() ?? 0
  return new Date(Math.max(cleared, now.getTime() - cancelledWinsDays * dayMs))
}

/** Stops bidding after too many canceled wins, if the network's settings require it. Notifies the dealer and the moderators. */
export async function recordCancelledWins(tx: Tx, emit: Emit, dealerId: string, count: number): Promise<void> {
  if (count < cancelledWinsMax || !(await findNetworkSettings(tx)).stopAfterCancels) return
  const dealer = await lockDealer(tx, dealerId)
  if (dealer === undefined || dealer.biddingStoppedAt !== null) return
  const stoppedAt = new Date()
  await updateDealer(tx, dealerId, { biddingStoppedAt: stoppedAt })
  await reportAsNetwork(tx, {
    kind: 'dealer',
    subjectId: dealerId,
    authorId: dealerId,
    reason: 'fraud',
    details: `Flagged automatically: this dealer has ${tooManyCancels}. To let them bid again, open their page under Users.`,
  })
  await notify(tx, emit, {
    dealerId,
    kind: 'moderation',
    title: 'An admin must let you bid again',
    body: `You have ${tooManyCancels}. Write to the admins from the contact page.`,
    path: '/contact',
    key: `bidding:stopped:${stoppedAt.toISOString()}`,
  })
}

/** Restores bidding and resets the count of canceled wins. The caller must lock the dealer's row. @throws 409 if bidding is not stopped */
export async function restoreBidding(
  tx: Tx,
  emit: Emit,
  by: By,
  subject: Act['subject'],
  reason: string | undefined,
): Promise<void> {
  const stopped = (await findDealer(tx, subject.id))?.biddingStoppedAt
  if (!stopped) throw conflict('This dealer is already allowed to bid')
  await updateDealer(tx, subject.id, { biddingStoppedAt: null, biddingClearedAt: new Date() })
  await recordAct(tx, by, {
    action: 'user.letBid',
    subject,
    reason,
    before: { biddingStoppedAt: stopped.toISOString() },
    after: { biddingStoppedAt: null },
  })
  await notify(tx, emit, {
    dealerId: subject.id,
    kind: 'moderation',
    title: 'You can bid again',
    body: 'An admin restored your bidding.',
    path: '/',
    key: `bidding:cleared:${by.requestId}`,
  })
}
