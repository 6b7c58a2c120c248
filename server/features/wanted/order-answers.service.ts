import { conflict, notFound } from '#server/errors.ts'
import type { Tx } from '#server/platform/db.ts'
import { findLivingOrder, isOwnOrder, updateAnswered } from './orders.repository.ts'

/** @throws 404 for another dealer's, 409 where it takes no vehicle now */
export async function requireLivingOrder(tx: Tx, dealerId: string, orderId: string, now: Date): Promise<void> {
  if ((await findLivingOrder(tx, dealerId, orderId, now)) !== undefined) return
  if (!(await isOwnOrder(tx, dealerId, orderId))) throw notFound('This buy order')
  throw conflict('This buy order takes no vehicle now: it is filled, paused or ended')
}

/** The dealer has given a word on the vehicle: matches in a row that had no answer are counted anew, of each order that it matched. */
export const vehicleAnswered = (tx: Tx, dealerId: string, vehicleId: string): Promise<void> =>
  updateAnswered(tx, dealerId, vehicleId)
