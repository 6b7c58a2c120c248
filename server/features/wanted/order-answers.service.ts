import { conflict, notFound } from '#server/errors.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { type MatchKey, updateMatch } from './matches.repository.ts'
import { findLivingOrder, isOwnOrder, updateAnswered } from './orders.repository.ts'

/** @throws 404 for another dealer's, 409 where it takes no vehicle now */
export async function requireLivingOrder(tx: Tx, dealerId: string, orderId: string, now: Date): Promise<void> {
  if ((await findLivingOrder(tx, dealerId, orderId, now)) !== undefined) return
  if (!(await isOwnOrder(tx, dealerId, orderId))) throw notFound('This buy order')
  throw conflict('This buy order takes no vehicle now: it is filled, paused or ended')
}

/** A match has its answer: those in a row that had none are counted anew. False: there was no such match. */
export async function matchAnswered(
  tx: Tx,
  emit: Emit,
  dealerId: string,
  pair: MatchKey,
  state: 'offered' | 'dismissed',
): Promise<boolean> {
  const isMatch = await updateMatch(tx, dealerId, pair, state)
  if (!isMatch) return false
  await updateAnswered(tx, pair.orderId)
  await touchInbox(tx, emit, [dealerId], 'match', pair.orderId)
  return true
}

/** The offer was taken back: it waits for an answer again. */
export async function matchReopened(tx: Tx, emit: Emit, dealerId: string, pair: MatchKey): Promise<void> {
  if (await updateMatch(tx, dealerId, pair, 'seen')) await touchInbox(tx, emit, [dealerId], 'match', pair.orderId)
}
