import { vinYearCodes } from './vin-alphabet.ts'

const firstLetterYear = 2010
const firstDigitYear = 2001

/**
 * Model years by the VIN's 10th character: the letters A to Y without I, O, Q, U and Z mean 2010 to 2030, the digits 1 to 9 mean
 * 2001 to 2009. `modelYearOf` handles the earlier cycle of the letters (1980 to 2000).
 */
export const vinYears: ReadonlyMap<string, number> = new Map([
  ...[...vinYearCodes].map((code, index) => [code, firstLetterYear + index] as const),
  ...[...'123456789'].map((code, index) => [code, firstDigitYear + index] as const),
])

const yearIndex = 9
const cycleIndex = 6
const cycleYears = 30

/** `light`: cars and trucks up to 10,000 lb. `other`: heavy trucks, motorcycles and trailers. */
export type VehicleClass = 'light' | 'other' | 'unknown'

/**
 * Returns the model year of a VIN. The 10th character repeats every 30 years, so it may also mean the year 30 years earlier. If
 * position 7 is a digit, a year later than next year means the earlier year. For a light vehicle, next year also means the
 * earlier year: 49 CFR 565.15 has required a letter in position 7 since 2010, so in 2026 a 1997 car is not read as a 2027.
 * Vehicles of the class `other` may have a digit or a letter in either cycle, so only the calendar decides.
 */
export function modelYearOf(vin: string, thisYear: number, vehicleClass: VehicleClass = 'unknown'): number | undefined {
  const year = vinYears.get(vin[yearIndex] ?? '')
  if (year === undefined || year <= thisYear + (vehicleClass === 'light' ? 0 : 1)) return year
  return vehicleClass === 'other' || /\d/.test(vin[cycleIndex] ?? '') ? year - cycleYears : year
}
