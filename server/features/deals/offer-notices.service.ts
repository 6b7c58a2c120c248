import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Tx } from '#server/platform/db.ts'
import { dollarsOf, formatDollars } from '#server/platform/money.ts'
import type { Emit } from '#server/platform/transact.ts'
import type { StoredOffer } from './offers.rows.ts'

const titles: Record<string, (price: string) => string> = {
  offered: (price) => `New offer: ${price}`,
  countered: (price) => `Counter-offer: ${price}`,
  accepted: (price) => `Offer of ${price} accepted`,
  declined: (price) => `Offer of ${price} declined`,
  withdrawn: (price) => `Offer of ${price} withdrawn`,
  expired: (price) => `Offer of ${price} expired without an answer`,
}

/** Tells both sides what happened to an offer; whoever did it is not told. */
export async function notifyStep(
  tx: Tx,
  emit: Emit,
  offer: StoredOffer,
  actorId: string | null,
  kind: string,
): Promise<void> {
  const title = titles[kind]?.(formatDollars(dollarsOf(offer.amountCents)))
  if (title === undefined) return
  const notice = {
    kind: 'deal',
    title,
    path: '/deals',
    key: `offer:${offer.id}:${offer.version}`,
    ...(actorId !== null && { actorId }),
  } as const
  await notify(tx, emit, { ...notice, dealerId: offer.sellerId }, { ...notice, dealerId: offer.buyerId })
}
