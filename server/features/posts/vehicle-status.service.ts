import type { VehicleStatus } from '#shared/schemas/posts.ts'
import { refreshFind, tellMatched, tellOffered } from '#server/features/find/find-rows.service.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { countAvailable, listSummaryVehicles, lockLot, updatePost, updateVehicleStatus } from './posts.repository.ts'

/**
 * Locks the post until the transaction ends. Call it before selling from it, opening bidding or changing its vehicles,
 * and after locking its auction. @returns false if the post is deleted or hidden, or its seller suspended
 */
export async function holdForSale(tx: Tx, postId: string): Promise<boolean> {
  return (await lockLot(tx, postId))?.gone === false
}

/**
 * Sets a vehicle's status after a change of its deal, and updates the post's counters and status. A cancelled deal does
 * not change a vehicle that its seller has marked as sold.
 */
export async function setVehicleStatus(
  tx: Tx,
  emit: Emit,
  { postId, vehicleId, status }: { postId: string; vehicleId: string; status: VehicleStatus },
): Promise<void> {
  await holdForSale(tx, postId)
  if (!(await updateVehicleStatus(tx, postId, vehicleId, status, status === 'available' ? 'pending' : undefined)))
    return
  const vehicles = await listSummaryVehicles(tx, postId)
  const sold = vehicles.length > 0 && vehicles.every((vehicle) => vehicle.status === 'sold')
  const availableCount = await countAvailable(tx, postId)
  const state = await updatePost(tx, postId, { availableCount, ...(sold && { status: 'sold' }) })
  await refreshFind(tx, [postId])
  emit('post.changed', { ...state, partial: true })
  emit('post.edited', { postId, version: state.version })
  await (status === 'available' ? tellOffered : tellMatched)(emit, postId)
}
