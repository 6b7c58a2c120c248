import type { AuctionTerms } from '#shared/schemas/auctions.ts'
import { auctionDefaultMs, auctionMinMs, hardEndAfterMs } from '#shared/limits.ts'
import { isLotForSale } from '#server/features/deals/deal-opening.service.ts'
import { endOffersOnLot } from '#server/features/deals/offers/offer-notices.service.ts'
import { refreshFind, tellOffered } from '#server/features/find/find-rows.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { readClock } from '#server/platform/clock.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { endPresets } from './presets/auction-presets.service.ts'
import { notForSale, setUpAuction } from './auctions.policy.ts'
import {
  findState,
  findTitle,
  insertAuction,
  listBidders,
  listOpenOf,
  lockAuction,
  settle,
  stopOpen,
  updateTerms,
} from './auctions.repository.ts'
import { markUnseen } from './shared-accounts/shared-accounts.repository.ts'

export async function openAuction(
  tx: Tx,
  emit: Emit,
  post: { id: string; sellerId: string; askingCents: number | undefined },
  terms: AuctionTerms,
): Promise<void> {
  const setup = setUpAuction(terms, post.askingCents, await readClock(tx))
  await insertAuction(tx, post.id, post.sellerId, setup)
  await emit.job('auction.close', { postId: post.id }, { runAt: setup.endsAt, uniqueKey: post.id })
  await emit('auction.changed', { postId: post.id })
}

export type HeldAuction = Awaited<ReturnType<typeof holdAuction>>

/**
 * Locks the auction and returns it, and whether its vehicle was off the market before the seller's change (checked only
 * for a stopped auction). Call it before locking the post: closing locks the auction first, too.
 */
export async function holdAuction(tx: Tx, postId: string, sellerId: string) {
  const auction = await lockAuction(tx, postId, sellerId)
  if (auction === undefined) return undefined
  return { ...auction, wasOffMarket: auction.isStopped && !(await isLotForSale(tx, postId)) }
}

/** Opens bidding on an existing post and ends open offers on its vehicle. @throws 409 if the vehicle is not for sale */
export async function openOnOffered(
  tx: Tx,
  emit: Emit,
  post: Parameters<typeof openAuction>[2],
  terms: AuctionTerms,
): Promise<void> {
  if (!(await isLotForSale(tx, post.id))) throw notForSale()
  await openAuction(tx, emit, post, terms)
  await refreshFind(tx, [post.id])
  await endOffersOnLot(tx, emit, post.id)
}

interface LotChange {
  postId: string
  wasActive: boolean
  canRun: boolean
}

/**
 * Updates an auction without bids after its post changes. It ends when the post is gone, sold, expired or no longer
 * announces an auction, or its vehicle is not for sale. It restarts when both are back on offer, for the same length or
 * at its own later time, unless the seller ended it or its time was over. Ends offers on its vehicle, which the edit
 * may have changed.
 */
export async function followPost(
  tx: Tx,
  emit: Emit,
  auction: HeldAuction,
  { postId, wasActive, canRun }: LotChange,
): Promise<void> {
  if (auction === undefined) return
  if (!canRun || !(await isLotForSale(tx, postId))) {
    await stopAuction(tx, emit, postId, { onlyWithoutBids: true })
    return
  }
  const isBack = (!wasActive || auction.wasOffMarket) && auction.isStopped && auction.endReason === null
  const isOpen = auction.status === 'open' || (isBack && (await reopen(tx, emit, postId, auction)))
  if (isOpen) await endOffersOnLot(tx, emit, postId)
}

/** Starts now with the same length. An auction that had not begun keeps its times. */
function periodAgain({ startsAt, endsAt, hardEndsAt }: NonNullable<HeldAuction>, now: Date) {
  if (startsAt > now) return { startsAt, endsAt, hardEndsAt }
  const length = endsAt.getTime() - startsAt.getTime()
  const end = now.getTime() + (length < auctionMinMs ? auctionDefaultMs : length)
  return { startsAt: now, endsAt: new Date(end), hardEndsAt: new Date(end + hardEndAfterMs) }
}

/** False if somebody has bid. */
async function reopen(tx: Tx, emit: Emit, postId: string, before: NonNullable<HeldAuction>): Promise<boolean> {
  const { bidCount, startCents, reserveCents } = before
  if (bidCount > 0) return false
  const period = periodAgain(before, await readClock(tx))
  if (!(await updateTerms(tx, postId, { startCents, reserveCents, ...period }))) return false
  await emit.job('auction.close', { postId }, { runAt: period.endsAt, uniqueKey: postId })
  await emit('auction.changed', { postId })
  return true
}

/** Ends maximums set before the start and notifies their dealers, because the seller has changed the vehicle. */
export const endPresetsOn = (tx: Tx, emit: Emit, postId: string): Promise<void> =>
  endPresets(tx, emit, postId, { words: 'the seller has changed what is sold' })

export async function settleAuction(tx: Tx, emit: Emit, postId: string, status: 'sold' | 'no_sale'): Promise<void> {
  if (!(await settle(tx, postId, status))) return
  await refreshFind(tx, [postId])
  await emit('auction.changed', { postId })
  // An unsold vehicle accepts offers again.
  if (status === 'no_sale') await tellOffered(emit, postId)
}

/** Link of notices whose post has no page anymore. */
const besidePost = '/lane'

/** Tells the bidders that nobody wins. An auction with bids is never restarted, so its dedupe key stays unique. */
async function tellBidders(tx: Tx, emit: Emit, postId: string, why: string): Promise<void> {
  const bidders = await listBidders(tx, postId)
  if (bidders.length === 0) return
  const notice = {
    kind: 'deal',
    title: `The auction ended without a sale: ${why}`,
    body: (await findTitle(tx, postId)) ?? '',
    path: besidePost,
    key: `stopped:${postId}`,
  } as const
  await notify(tx, emit, ...bidders.map(({ id }) => ({ ...notice, dealerId: id })))
}

const takenDown = 'its post was taken down'

/**
 * Ends the auction of a removed post without a sale, drops maximums set before the start and notifies those dealers.
 */
export async function stopAuction(
  tx: Tx,
  emit: Emit,
  postId: string,
  { onlyWithoutBids = false, why = takenDown } = {},
): Promise<void> {
  if (!(await stopOpen(tx, postId, { onlyWithoutBids }))) return
  await markUnseen(tx, postId)
  const isThere = onlyWithoutBids && (await findState(tx, postId, 0)) !== undefined
  await endPresets(tx, emit, postId, { words: 'the vehicle is not on offer', ...(!isThere && { path: besidePost }) })
  await tellBidders(tx, emit, postId, why)
  await emit('auction.changed', { postId })
}

export async function stopAuctionsOf(tx: Tx, emit: Emit, sellerId: string, why = takenDown): Promise<void> {
  const postIds = await listOpenOf(tx, sellerId)
  for (const postId of postIds) await stopAuction(tx, emit, postId, { why })
  await refreshFind(tx, postIds)
}
