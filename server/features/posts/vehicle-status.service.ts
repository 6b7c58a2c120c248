import type { VehicleStatus } from '#shared/schemas/posts.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Emit } from '#server/platform/transact.ts'
import { countAvailable, listSummaryVehicles, updatePost, updateVehicleStatus } from './posts.repository.ts'

/** A deal moves its vehicle: the post's counters follow, and a post whose last vehicle is sold is sold. */
export async function setVehicleStatus(
  tx: Tx,
  emit: Emit,
  { postId, vehicleId, status }: { postId: string; vehicleId: string; status: VehicleStatus },
): Promise<void> {
  if (!(await updateVehicleStatus(tx, postId, vehicleId, status))) return
  const vehicles = await listSummaryVehicles(tx, postId)
  const sold = vehicles.length > 0 && vehicles.every((vehicle) => vehicle.status === 'sold')
  const availableCount = await countAvailable(tx, postId)
  const state = await updatePost(tx, postId, { availableCount, ...(sold && { status: 'sold' }) })
  emit('post.changed', state)
  emit('post.edited', { postId, version: state.version })
}
