import type { FoundVehicle } from '#shared/schemas/find.ts'
import type { Db } from '#server/platform/db.ts'
import { listFound, listRelations } from './find.repository.ts'

/** What is shown of these rows of find_vehicles to a dealer, by vehicle; those that are not on offer any more are left out. */
export async function readFoundVehicles(
  db: Db,
  dealerId: string,
  rowNos: readonly number[],
  now: Date,
): Promise<Map<string, Omit<FoundVehicle, 'miles'>>> {
  const [{ network }, found] = await Promise.all([listRelations(db, dealerId), listFound(db, rowNos, now)])
  return new Map(
    found.map(({ rowNo: _rowNo, sellerNo, ...vehicle }) => [
      vehicle.vehicleId,
      { ...vehicle, connected: network.includes(sellerNo), yours: vehicle.seller.id === dealerId },
    ]),
  )
}
