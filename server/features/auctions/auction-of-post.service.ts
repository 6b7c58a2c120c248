import type { AuctionTerms } from '#shared/schemas/auctions.ts'
import { auctionDefaultMs, auctionMinMs, hardEndAfterMs } from '#shared/limits.ts'
import { endOffersOnLot } from '#server/features/deals/offers/offer-notices.service.ts'
import { refreshFind } from '#server/features/find/refresh-find.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { type AuctionWithVehicle, isLotForSale } from '#server/features/sale/sale.service.ts'
import { readClock } from '#server/platform/process/clock.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { endPresets } from './presets/auction-presets.service.ts'
import { endsAuction, notForSale, setUpAuction } from './auctions.policy.ts'
import {
  findState,
  findTitle,
  insertAuction,
  listBidders,
  listOpenOf,
  stopOpen,
  updateEndReason,
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

/** Opens bidding on an existing post and ends open offers on its vehicle. @throws 409 if the vehicle is not for sale */
export async function openOnExistingPost(
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
  /** The seller removed or replaced the vehicle, so the auction ends permanently. */
  lotReplaced?: boolean
  /** True if this change may end an open auction, because the seller has confirmed it or cannot be asked. */
  mayEnd: boolean
}

const lotReplacedReason = 'The seller removed or replaced the vehicle'

/**
 * Ends an auction without bids if its post is deleted, sold, expired or no longer an auction, or if its vehicle is not for sale. Restarts
 * the auction when the post and vehicle are available again. An auction that its seller ended, or whose time is over, stays ended.
 * @throws 409 with `EndsAuction` if the change would end an open auction without confirmation
 */
export async function followPost(tx: Tx, emit: Emit, auction: AuctionWithVehicle, change: LotChange): Promise<void> {
  if (auction === undefined) return
  const { postId, wasActive } = change
  if (!change.canRun || change.lotReplaced === true || !(await isLotForSale(tx, postId)))
    return endWithLot(tx, emit, auction, change)
  const isBack = (!wasActive || auction.wasOffMarket) && auction.isStopped && auction.endReason === null
  const isOpen = auction.status === 'open' || (isBack && (await reopen(tx, emit, postId, auction)))
  if (isOpen) await endOffersOnLot(tx, emit, postId)
}

async function endWithLot(
  tx: Tx,
  emit: Emit,
  { status, bidCount, isDue, isStopped, endReason }: NonNullable<AuctionWithVehicle>,
  { postId, lotReplaced, mayEnd }: LotChange,
): Promise<void> {
  if (!mayEnd && status === 'open' && bidCount === 0 && !isDue) throw endsAuction()
  // Without this, a stopped auction would restart and sell the post's next vehicle.
  if (lotReplaced && isStopped && endReason === null) await updateEndReason(tx, postId, lotReplacedReason)
  await stopAuction(tx, emit, postId, { onlyWithoutBids: true, ...(lotReplaced && { endReason: lotReplacedReason }) })
}

/** Restarts now with the same duration (20 minutes if it was under a minute). Before the scheduled start, keeps the scheduled times. */
function periodAgain({ startsAt, endsAt, hardEndsAt }: NonNullable<AuctionWithVehicle>, now: Date) {
  if (startsAt > now) return { startsAt, endsAt, hardEndsAt }
  const length = endsAt.getTime() - startsAt.getTime()
  const end = now.getTime() + (length < auctionMinMs ? auctionDefaultMs : length)
  return { startsAt: now, endsAt: new Date(end), hardEndsAt: new Date(end + hardEndAfterMs) }
}

/** Restarts an auction without bids. Returns false if it has bids or cannot be restarted. */
async function reopen(tx: Tx, emit: Emit, postId: string, before: NonNullable<AuctionWithVehicle>): Promise<boolean> {
  const { bidCount, startCents, reserveCents } = before
  if (bidCount > 0) return false
  const period = periodAgain(before, await readClock(tx))
  if (!(await updateTerms(tx, postId, { startCents, reserveCents, ...period }))) return false
  await emit.job('auction.close', { postId }, { runAt: period.endsAt, uniqueKey: postId })
  await emit('auction.changed', { postId })
  return true
}

export const endPresetsOn = (tx: Tx, emit: Emit, postId: string): Promise<void> =>
  endPresets(tx, emit, postId, { reason: 'the seller changed the vehicle' })

/** Link for notices about a post that no longer has a page. */
const lanePath = '/lane'

/** Notifies the bidders. The dedupe key is unique, because an auction with bids is never restarted. */
async function notifyBidders(tx: Tx, emit: Emit, postId: string, why: string): Promise<void> {
  const bidders = await listBidders(tx, postId)
  if (bidders.length === 0) return
  const notice = {
    kind: 'deal',
    title: `The auction ended without a sale: ${why}`,
    body: (await findTitle(tx, postId)) ?? '',
    path: lanePath,
    key: `stopped:${postId}`,
  } as const
  await notify(tx, emit, ...bidders.map(({ id }) => ({ ...notice, dealerId: id })))
}

const postRemoved = 'its post was taken down'

/** Ends an open auction without a sale, deletes its preset maximums, and notifies the dealers who bid or set one. */
export async function stopAuction(
  tx: Tx,
  emit: Emit,
  postId: string,
  { onlyWithoutBids = false, why = postRemoved, endReason = null as string | null } = {},
): Promise<void> {
  if (!(await stopOpen(tx, postId, onlyWithoutBids, endReason))) return
  await markUnseen(tx, postId)
  const isThere = onlyWithoutBids && (await findState(tx, postId, 0)) !== undefined
  await endPresets(tx, emit, postId, {
    reason: 'the vehicle is no longer for sale',
    ...(!isThere && { path: lanePath }),
  })
  await notifyBidders(tx, emit, postId, why)
  await emit('auction.changed', { postId })
}

export async function stopAuctionsOf(tx: Tx, emit: Emit, sellerId: string, why = postRemoved): Promise<void> {
  const postIds = await listOpenOf(tx, sellerId)
  for (const postId of postIds) await stopAuction(tx, emit, postId, { why })
  await refreshFind(tx, postIds)
}
