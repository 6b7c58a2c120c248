import type { FoundVehicle } from '#shared/schemas/find.ts'
import type { Db } from '#server/platform/database/db.ts'
import { listFound, findReader } from './find.repository.ts'

/** Returns vehicles by vehicle id, for callers that have not loaded the dealer's network. */
export async function readFoundVehicles(
  db: Db,
  dealerId: string,
  rowNos: readonly number[],
  now: Date,
): Promise<Map<string, FoundVehicle>> {
  const { network } = await findReader(db, dealerId)
  const found = await listFound(db, { dealerId, network }, rowNos, now)
  return new Map([...found.values()].map((vehicle) => [vehicle.vehicleId, vehicle]))
}
