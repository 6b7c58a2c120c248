import { vinLength, yearMax, yearMin } from './limits.ts'
import { vehicleStates } from './places.ts'
import type { NewVehicle } from './schemas/posts.ts'
import { isBlank } from './visible-text.ts'

const neededFields = ['vin', 'year', 'make', 'model', 'mileage', 'price', 'city', 'state'] as const
export type NeededField = (typeof neededFields)[number]

type FieldValues = { [Field in NeededField]?: NewVehicle[Field] | null }

const vinPattern = new RegExp(`^[A-HJ-NPR-Z0-9]{${vinLength}}$`, 'i')

/** True for 17 letters and digits without I, O and Q (ISO 3779), which look like 1 and 0. */
const isVin = (text: string): boolean => vinPattern.test(text)

export const isState = (code: string): boolean => (vehicleStates as readonly string[]).includes(code)

const isIn = (number: number | null | undefined, min: number, max = Infinity) =>
  typeof number === 'number' && number >= min && number <= max

function isFilled(vehicle: FieldValues, field: NeededField): boolean {
  switch (field) {
    case 'vin':
      return isVin(vehicle.vin ?? '')
    case 'state':
      return isState(vehicle.state ?? '')
    case 'year':
      return isIn(vehicle.year, yearMin, yearMax)
    case 'mileage':
    case 'price':
      return isIn(vehicle[field], 0)
    default:
      return !isBlank(vehicle[field] ?? '')
  }
}

export const missingFields = (vehicle: FieldValues): NeededField[] =>
  neededFields.filter((field) => !isFilled(vehicle, field))

export const isComplete = (vehicle: FieldValues): boolean => missingFields(vehicle).length === 0

/** The composer's minimum: VIN, make, model, and whether the vehicle is at the dealership. A state is optional, but must be valid. */
export function isNamed(vehicle: NewVehicle): boolean {
  const names = (['vin', 'make', 'model'] as const).every((field) => isFilled(vehicle, field))
  return names && vehicle.atDealership !== undefined && ((vehicle.state ?? '') === '' || isFilled(vehicle, 'state'))
}

export const canBeOffered = (vehicle: NewVehicle): boolean => isComplete(vehicle) || isNamed(vehicle)
