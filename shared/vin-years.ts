import { vinYearCodes } from './vin-alphabet.ts'

const firstLetterYear = 2010
const firstDigitYear = 2001

/**
 * Model year by the VIN's 10th character: the letters A to Y
 * without I, O, Q, U and Z stand for 2010 to 2030, the digits 1 to 9 for 2001 to 2009. The table is read as documented:
 * the earlier cycle of the same letters (1980 to 2000) is not told apart.
 */
export const vinYears: ReadonlyMap<string, number> = new Map([
  ...[...vinYearCodes].map((code, index) => [code, firstLetterYear + index] as const),
  ...[...'123456789'].map((code, index) => [code, firstDigitYear + index] as const),
])
