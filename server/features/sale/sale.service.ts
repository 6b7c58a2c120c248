import type { VehicleStatus } from '#shared/schemas/posts.ts'
import { refreshFind, queueMatching, announceOffered } from '#server/features/find/refresh-find.service.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  countAvailable,
  findDealVehicle,
  hasLivingDeal,
  listSummaryVehicles,
  lockAuction,
  lockLot,
  lockPost,
  setFinalStatus,
  updatePost,
  updateVehicleStatus,
} from './sale.repository.ts'

// Higher-level features that write to auctions, posts and vehicles import these statements from here.
export {
  countAvailable,
  listSummaryVehicles,
  lockAuction,
  type LockedAuction,
  lockPost,
  setFinalStatus,
  updatePost,
  updateVehicleStatus,
} from './sale.repository.ts'

/** Returns undefined if the post is deleted or hidden. */
export const findAndLockPost = (tx: Tx, postId: string) => lockPost(tx, postId)

/**
 * Locks the post. Lock its auction first. Call this before selling or changing a vehicle of the post, or opening bidding.
 * @returns false if the post is deleted or hidden, or its seller is suspended
 */
export async function lockForSale(tx: Tx, postId: string): Promise<boolean> {
  return (await lockLot(tx, postId))?.gone === false
}

/** Updates the vehicle, and the post's counts and status. Canceling a deal does not change a vehicle that its seller has marked as sold. */
export async function setVehicleStatus(
  tx: Tx,
  emit: Emit,
  { postId, vehicleId, status }: { postId: string; vehicleId: string; status: VehicleStatus },
): Promise<void> {
  await lockForSale(tx, postId)
  if (!(await updateVehicleStatus(tx, postId, vehicleId, status, status === 'available' ? 'pending' : undefined)))
    return
  const vehicles = await listSummaryVehicles(tx, postId)
  const sold = vehicles.length > 0 && vehicles.every((vehicle) => vehicle.status === 'sold')
  const availableCount = await countAvailable(tx, postId)
  const state = await updatePost(tx, postId, { availableCount, ...(sold && { status: 'sold' }) })
  await refreshFind(tx, [postId])
  emit('post.changed', { ...state, partial: true })
  emit('post.edited', { postId, version: state.version })
  await (status === 'available' ? announceOffered : queueMatching)(emit, postId)
}

/** Returns the given vehicle, or else the post's first vehicle. Locks the post against other sales. */
export async function lockVehicleForSale(tx: Tx, postId: string, vehicleId?: string) {
  const there = await lockForSale(tx, postId)
  const vehicle = await findDealVehicle(tx, postId, vehicleId)
  if (vehicle === undefined) return { vehicle, isForSale: there && vehicleId === undefined }
  const free = vehicle.status === 'available' && !(await hasLivingDeal(tx, vehicle.id))
  return { vehicle, isForSale: there && free }
}

/** True if the post's first vehicle can be sold now. Locks the post. */
export async function isLotForSale(tx: Tx, postId: string): Promise<boolean> {
  return (await lockVehicleForSale(tx, postId)).isForSale
}

export type AuctionWithVehicle = Awaited<ReturnType<typeof lockAuctionAndVehicle>>

/**
 * Locks the auction. `wasOffMarket` is true if the auction was stopped and its vehicle could not be sold before the seller's change. Call
 * this before locking the post, because closing an auction also locks the auction first.
 */
export async function lockAuctionAndVehicle(tx: Tx, postId: string, sellerId: string) {
  const auction = await lockAuction(tx, postId, sellerId)
  if (auction === undefined) return undefined
  return { ...auction, wasOffMarket: auction.isStopped && !(await isLotForSale(tx, postId)) }
}

/** Locks the auction before the post, as closing an auction does. `post` is undefined if the post is deleted or hidden. */
export async function lockPostAndAuction(tx: Tx, postId: string, sellerId: string) {
  const locked = await lockAuctionAndVehicle(tx, postId, sellerId)
  const post = await lockPost(tx, postId)
  // Bidding may have been opened while this transaction waited for the lock.
  return { post, auction: locked ?? (await lockAuctionAndVehicle(tx, postId, sellerId)) }
}

/** Ends an auction that is waiting for its seller's decision. An unsold vehicle accepts offers again. */
export async function finishAuction(tx: Tx, emit: Emit, postId: string, status: 'sold' | 'no_sale'): Promise<void> {
  if (!(await setFinalStatus(tx, postId, status))) return
  await refreshFind(tx, [postId])
  await emit('auction.changed', { postId })
  if (status === 'no_sale') await announceOffered(emit, postId)
}
