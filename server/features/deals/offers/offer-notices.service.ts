import { formatMoney } from '#shared/format.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { insertStep } from '../deals.repository.ts'
import { endOpenOn, endOpenOnLot, endOpenOnPosts, endOpenOnSold, findName } from './offers.repository.ts'
import type { StoredOffer } from './offers.rows.ts'

export async function notifyOfOffer(
  tx: Tx,
  emit: Emit,
  offer: StoredOffer,
  actorId: string | null,
  kind: string,
): Promise<void> {
  await insertStep(tx, { offerId: offer.id, actorId, kind, amountCents: offer.amountCents })
  await touchInbox(tx, emit, [offer.sellerId, offer.buyerId], 'deal', offer.id)
  await emit('offer.changed', {
    offerId: offer.id,
    postId: offer.postId,
    sellerId: offer.sellerId,
    buyerId: offer.buyerId,
    status: offer.status,
    turn: offer.turn,
    amount: dollarsOf(offer.amountCents),
    actorId,
  })
  await notifyStep(tx, emit, offer, actorId, kind)
}

/** Ends open offers on the vehicle that is going to auction. The caller must lock the post first. */
export async function endOffersOnLot(tx: Tx, emit: Emit, postId: string): Promise<void> {
  for (const offer of await endOpenOnLot(tx, postId)) await notifyOfOffer(tx, emit, offer, offer.sellerId, 'ended')
}

/** Ends open offers on changed or removed vehicles. The caller must lock the post first. */
export async function endOffersFor(
  tx: Tx,
  emit: Emit,
  vehicleIds: readonly string[],
  why: 'changed' | 'removed' = 'changed',
): Promise<void> {
  if (vehicleIds.length === 0) return
  for (const offer of await endOpenOn(tx, vehicleIds)) await notifyOfOffer(tx, emit, offer, offer.sellerId, why)
}

/** Ends open offers on the post's sold vehicles. The caller must lock the post first. */
export async function endOffersOnSold(tx: Tx, emit: Emit, postId: string): Promise<void> {
  for (const offer of await endOpenOnSold(tx, postId)) await notifyOfOffer(tx, emit, offer, offer.sellerId, 'sold')
}

/** The caller must lock the posts first. `actorId` is the seller who let the post expire, or null to notify both sides. */
export async function endOffersOnPosts(
  tx: Tx,
  emit: Emit,
  postIds: readonly string[],
  why: 'hidden' | 'post_expired',
  actorId: string | null = null,
): Promise<void> {
  if (postIds.length === 0) return
  for (const offer of await endOpenOnPosts(tx, postIds)) await notifyOfOffer(tx, emit, offer, actorId, why)
}

interface NoticeText {
  title: (price: string) => string
  body?: string
}

const textOf: Record<string, NoticeText> = {
  offered: { title: (price) => `New offer: ${price}` },
  countered: { title: (price) => `Counter-offer: ${price}` },
  accepted: { title: (price) => `Offer of ${price} accepted` },
  declined: { title: (price) => `Offer of ${price} declined` },
  withdrawn: { title: (price) => `Offer of ${price} withdrawn` },
  expired: { title: (price) => `Offer of ${price} expired without an answer` },
  ended: {
    title: (price) => `Offer of ${price} ended: the vehicle is going to auction`,
    body: 'The seller put the vehicle up for auction, which ended the offer. You can bid on it now.',
  },
  changed: {
    title: (price) => `Offer of ${price} ended: the vehicle was changed`,
    body: "The seller changed the vehicle's details, which ended the offer. Review them before making a new one.",
  },
  removed: {
    title: (price) => `Offer of ${price} ended: the vehicle is no longer for sale`,
    body: 'The seller took the vehicle down, which ended the offer.',
  },
  hidden: {
    title: (price) => `Offer of ${price} ended: the vehicle is no longer for sale`,
    body: 'A moderator took the post down, which ended the offer.',
  },
  post_expired: {
    title: (price) => `Offer of ${price} ended: the post has expired`,
    body: 'The vehicle is no longer for sale, which ended the offer.',
  },
  sold: {
    title: (price) => `Offer of ${price} ended: the vehicle was sold`,
    body: 'The seller marked the vehicle as sold, which ended the offer.',
  },
}

function placeOf(kind: string, { postId, dealId, status }: StoredOffer): string {
  if (kind === 'ended' || kind === 'changed') return `/post/${postId}`
  if (status === 'accepted' && dealId !== null) return `/deals/${dealId}`
  return status === 'open' ? '/deals' : '/deals?stage=cancelled'
}

async function notifyStep(tx: Tx, emit: Emit, offer: StoredOffer, actorId: string | null, kind: string): Promise<void> {
  const texts = textOf[kind]
  if (texts === undefined) return
  const notice = {
    kind: 'deal',
    title: texts.title(formatMoney(dollarsOf(offer.amountCents))),
    body: [await findName(tx, offer), texts.body].filter(Boolean).join('. '),
    path: placeOf(kind, offer),
    key: `offer:${offer.id}:${offer.version}`,
    ...(actorId !== null && { actorId }),
    // A new offer is not binding, so it can be hidden from a dealer who has blocked its sender.
    despiteBlock: kind !== 'offered',
  } as const
  await notify(tx, emit, { ...notice, dealerId: offer.sellerId }, { ...notice, dealerId: offer.buyerId })
}
