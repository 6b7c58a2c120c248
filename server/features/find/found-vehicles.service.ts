import type { FoundVehicle } from '#shared/schemas/find.ts'
import type { Db } from '#server/platform/db.ts'
import { listFound, listRelations } from './find.repository.ts'

/**
 * What is shown of these rows of find_vehicles to a dealer, by row; those that are not on offer any more are left out. Their miles are from the
 * dealer's own place.
 */
export async function listShown(
  db: Db,
  { dealerId, network }: { dealerId: string; network: readonly number[] },
  rowNos: readonly number[],
  now: Date,
): Promise<Map<number, FoundVehicle>> {
  const found = await listFound(db, dealerId, rowNos, now)
  return new Map(
    found.map(({ rowNo, sellerNo, ...vehicle }) => [
      rowNo,
      { ...vehicle, connected: network.includes(sellerNo), yours: vehicle.seller.id === dealerId },
    ]),
  )
}

/** The same by vehicle, for who does not know the dealer's network. */
export async function readFoundVehicles(
  db: Db,
  dealerId: string,
  rowNos: readonly number[],
  now: Date,
): Promise<Map<string, FoundVehicle>> {
  const { network } = await listRelations(db, dealerId)
  const shown = await listShown(db, { dealerId, network }, rowNos, now)
  return new Map([...shown.values()].map((vehicle) => [vehicle.vehicleId, vehicle]))
}
