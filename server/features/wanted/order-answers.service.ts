import { formatMoney } from '#shared/format.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { findLivingOrder, isOwnOrder, updateAnswered } from './orders.repository.ts'

interface OrderOffer {
  orderId: string
  amountCents: number
  askedCents: number | null
}

/** The buyer's screen may show old prices. @throws 404 if it is another dealer's order; 409 if it accepts no vehicles or not this amount */
export async function requireOrderTakes(
  tx: Tx,
  dealerId: string,
  { orderId, amountCents, askedCents }: OrderOffer,
  now: Date,
): Promise<void> {
  const order = await findLivingOrder(tx, dealerId, orderId, now)
  if (order === undefined) {
    if (!(await isOwnOrder(tx, dealerId, orderId))) throw notFound('This buy order')
    throw conflict('This buy order is not accepting vehicles: it is filled, paused or ended')
  }
  if (askedCents !== null && amountCents > askedCents)
    throw conflict(`The seller now asks ${formatMoney(dollarsOf(askedCents))}. Review the price and offer again`)
  if (amountCents > order.priceCents)
    throw conflict(`This buy order pays ${formatMoney(dollarsOf(order.priceCents))}. Review the price and offer again`)
}

/** Restarts the count of unanswered matches for each of the dealer's orders that matched the vehicle. */
export const vehicleAnswered = (tx: Tx, dealerId: string, vehicleId: string): Promise<void> =>
  updateAnswered(tx, dealerId, vehicleId)
