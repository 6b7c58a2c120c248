import { vinYearCodes } from './vin-alphabet.ts'

const firstLetterYear = 2010
const firstDigitYear = 2001

/** Model years by the VIN's 10th character. Letters stand for 2010 to 2030, and digits for 2001 to 2009. */
export const vinYears: ReadonlyMap<string, number> = new Map([
  ...[...vinYearCodes].map((code, index) => [code, firstLetterYear + index] as const),
  ...[...'123456789'].map((code, index) => [code, firstDigitYear + index] as const),
])

const yearIndex = 9
const cycleIndex = 6
const cycleYears = 30

/** `light`: cars, and trucks up to 10,000 lb. `other`: heavy trucks, buses, motorcycles and trailers. */
export type VehicleClass = 'light' | 'other' | 'unknown'

/**
 * Returns the model year of a VIN. The 10th character repeats every 30 years. A year after next year (for light vehicles, after
 * this year) is moved back 30 years if position 7 is a digit, which means the earlier cycle (49 CFR 565.15). For vehicles of the
 * class `other`, position 7 has no such meaning, so such a year is always moved back.
 */
export function modelYearOf(vin: string, thisYear: number, vehicleClass: VehicleClass = 'unknown'): number | undefined {
  const year = vinYears.get(vin[yearIndex] ?? '')
  if (year === undefined || year <= thisYear + (vehicleClass === 'light' ? 0 : 1)) return year
  return vehicleClass === 'other' || /\d/.test(vin[cycleIndex] ?? '') ? year - cycleYears : year
}
