import { formatMoney } from '#shared/format.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { Tx } from '#server/platform/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { findLivingOrder, isOwnOrder, updateAnswered } from './orders.repository.ts'

interface OrderOffer {
  orderId: string
  amountCents: number
  /** What the vehicle costs now; null: no price is asked. */
  askedCents: number | null
}

/**
 * What is offered by an order is no more than is asked, nor than the order pays: the screen may be older than the price.
 * @throws 404 for another dealer's, 409 where it takes no vehicle now, or not for so much
 */
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
    throw conflict(`The seller asks ${formatMoney(dollarsOf(askedCents))} now. Review the price and offer again`)
  if (amountCents > order.priceCents)
    throw conflict(`This buy order pays ${formatMoney(dollarsOf(order.priceCents))}. Review the price and offer again`)
}

/** The dealer has given a word on the vehicle: matches in a row that had no answer are counted anew, of each order that it matched. */
export const vehicleAnswered = (tx: Tx, dealerId: string, vehicleId: string): Promise<void> =>
  updateAnswered(tx, dealerId, vehicleId)
