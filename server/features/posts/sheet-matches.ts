import type { VehicleStatus } from '#shared/schemas/posts.ts'
import type { vehicleColumns } from './posts.repository.ts'

export type Columns = ReturnType<typeof vehicleColumns>
export type Listed = Columns & { id: string; status: VehicleStatus }
/** Returns a key that identifies a vehicle. Undefined if the vehicle lacks the fields for this key. */
type KeyOf = (vehicle: Columns) => string | undefined

const traits = ['year', 'make', 'model', 'trim', 'mileage'] as const
const allTraits = [...traits, 'priceCents', 'color', 'city', 'state', 'location', 'notes'] as const

const asText = (vehicle: Columns, fields: readonly (typeof allTraits)[number][]) =>
  fields.map((field) => String(vehicle[field] ?? '').toLowerCase()).join('\n')
const byVin: KeyOf = ({ vin }) => vin ?? undefined
const byAllTraits: KeyOf = (vehicle) => (vehicle.vin === null ? asText(vehicle, allTraits) : undefined)
/** Matches vehicles whose mileage, color or price may have changed. */
const byName: KeyOf = (vehicle) =>
  vehicle.vin === null ? asText(vehicle, ['year', 'make', 'model', 'trim']) : undefined
const byTraits: KeyOf = (vehicle) => (vehicle.vin === null ? asText(vehicle, traits) : undefined)
const byNameWithVin: KeyOf = (vehicle) =>
  vehicle.vin === null ? undefined : asText(vehicle, ['year', 'make', 'model', 'trim'])
/** Matches vehicles whose VIN was added or removed. Requires a mileage, because otherwise it may be a different vehicle. */
const byTraitsWithVin: KeyOf = (vehicle) =>
  vehicle.vin === null || vehicle.mileage === null ? undefined : asText(vehicle, traits)

const isAnyMileage = (): boolean => true
/** An odometer never goes back. */
const hasNoLessMiles = (vehicle: Columns, row: Columns): boolean =>
  vehicle.mileage === null || row.mileage === null || row.mileage >= vehicle.mileage

/**
 * Matches the rows of a sheet with the post's vehicles. Returns the vehicle id of each matched row.
 * - Rows match by VIN. Rows without a VIN match by all their other fields first, so that similar vehicles are not mixed up.
 * - Vehicles in a deal match before similar vehicles, so that no vehicle is sold twice.
 * - Vehicles in a deal, sold or pending also match by year, make, model and trim alone. A new price or a higher mileage must not offer them
 *   again. A row with a lower mileage is another vehicle.
 */
export function matchRows(rows: readonly Columns[], dealt: readonly Listed[], others: readonly Listed[]) {
  const matches = new Map<Columns, string>()
  const taken = new Set<string>()
  const match = (
    vehicles: readonly Listed[],
    keyOf: KeyOf,
    keyOfRow = keyOf,
    maySame: typeof hasNoLessMiles = isAnyMileage,
  ) => {
    const waiting = new Map<string | undefined, Listed[]>()
    for (const vehicle of vehicles) {
      if (taken.has(vehicle.id)) continue
      const alike = waiting.get(keyOf(vehicle)) ?? []
      alike.push(vehicle)
      waiting.set(keyOf(vehicle), alike)
    }
    for (const row of rows) {
      const key = matches.has(row) ? undefined : keyOfRow(row)
      const alike = key === undefined ? [] : (waiting.get(key) ?? [])
      const vehicle = alike.find((one) => maySame(one, row))
      if (vehicle === undefined) continue
      alike.splice(alike.indexOf(vehicle), 1)
      matches.set(row, vehicle.id)
      taken.add(vehicle.id)
    }
  }
  for (const keyOf of [byVin, byAllTraits, byTraits]) {
    match(dealt, keyOf)
    match(others, keyOf)
  }
  match(dealt, byTraits, byTraitsWithVin)
  for (const vehicles of [dealt, others]) match(vehicles, byTraitsWithVin, byTraits)
  const offMarket = others.filter(({ status }) => status !== 'available')
  for (const vehicles of [dealt, offMarket]) {
    match(vehicles, byName, byName, hasNoLessMiles)
    // If the sheet no longer has any VINs, its rows still describe the vehicles that were sold.
    if (rows.every(({ vin }) => vin === null)) match(vehicles, byNameWithVin, byName, hasNoLessMiles)
  }
  return matches
}
