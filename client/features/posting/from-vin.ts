import { isListOf, isText } from '#client/lib/guards.ts'
import type { DecodedVin } from '#shared/vin.ts'

const told = ['year', 'make', 'model', 'trim'] as const

/** What a VIN can fill of a vehicle that is being typed: text in every field, as the inputs hold it. */
export interface VinFields extends Record<(typeof told)[number], string> {
  vin: string
  /** Fields whose value came from the VIN and was not touched since. */
  fromVin: readonly string[]
}

export const vinFieldGuards = {
  vin: isText,
  year: isText,
  make: isText,
  model: isText,
  trim: isText,
  fromVin: isListOf(isText),
}

/** What was typed is the dealer's: the VIN does not answer for it any more. */
export function withText<Vehicle extends VinFields>(vehicle: Vehicle, field: keyof Vehicle, text: string): Vehicle {
  return { ...vehicle, [field]: text, fromVin: vehicle.fromVin.filter((filled) => filled !== field) }
}

/** Another VIN: what the last one told, and nobody touched since, is not known of it. */
export function withVin<Vehicle extends VinFields>(vehicle: Vehicle, vin: string): Vehicle {
  if (vin === vehicle.vin) return vehicle
  const unknown = Object.fromEntries(vehicle.fromVin.map((field) => [field, '']))
  return { ...vehicle, ...unknown, vin, fromVin: [] }
}

/** Fills what is empty, or came from the VIN before; typed values are never overwritten. */
export function fillFromVin<Vehicle extends VinFields>(
  vehicle: Vehicle,
  decoded: DecodedVin & { trim?: string | undefined },
): Vehicle {
  const fields = told.filter(
    (field) => (decoded[field] ?? '') !== '' && (vehicle[field].trim() === '' || vehicle.fromVin.includes(field)),
  )
  const found = Object.fromEntries(fields.map((field) => [field, String(decoded[field])]))
  return { ...vehicle, ...found, fromVin: [...new Set([...vehicle.fromVin, ...fields])] }
}
