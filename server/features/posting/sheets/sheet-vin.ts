import { plural } from '#shared/format.ts'
import { vinLength } from '#shared/limits.ts'
import { findVin } from '#shared/vin/vin-text.ts'
import { checkDigitHolds, hasForbiddenLetters } from '#shared/vin/vin.ts'
import { type CellReading, isNothing } from './sheet-cells.ts'
import { isNoText } from './sheet-words.ts'

/** Result of reading a VIN cell. A `fault` rejects the row, unless `value` or `isUnknown` is set. */
interface VinReading extends CellReading<string> {
  /** True if the cell says that the VIN is unknown. The vehicle is then listed without one. */
  isUnknown?: boolean
}

/** Placeholders for an unknown VIN. Seventeen ones must be included, because they have a valid check digit. */
const noVin = /^(?:no[ -]?vin|vin|see (?:notes|below|photos?)|0|([0-9X*])\1{16}|12345678901234567)$/i

/** Reads a VIN like the forms do, but accepts only a complete VIN and never truncates it. */
export function readVin(cell: string): VinReading {
  if (isNothing(cell)) return {}
  if (isNoText(cell.trim()) || noVin.test(cell.trim())) return { isUnknown: true, fault: 'the VIN is not given' }
  const { text, several } = findVin(withOne(cell))
  if (several) return { fault: 'the cell has more than one VIN' }
  if (text.length !== vinLength)
    return { fault: `the VIN has ${plural(text.length, 'character')} instead of ${vinLength}` }
  return hasForbiddenLetters(text) ? { fault: 'the VIN has an I, O or Q, which VINs never contain' } : { value: text }
}

/** Replaces a lowercase L among capital letters with the digit 1, if that makes the check digit valid. */
function withOne(cell: string): string {
  const corrected = cell.replaceAll('l', '1')
  const isTypedForOne = corrected !== cell && cell.replaceAll('l', '') === cell.replaceAll('l', '').toUpperCase()
  return isTypedForOne && checkDigitHolds(findVin(corrected).text) ? corrected : cell
}
