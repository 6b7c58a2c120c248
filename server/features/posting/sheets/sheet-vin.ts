import { plural } from '#shared/format.ts'
import { vinLength } from '#shared/limits.ts'
import { findVin } from '#shared/vin/vin-text.ts'
import { hasForbiddenLetters } from '#shared/vin/vin.ts'
import { type CellReading, isNothing } from './sheet-cells.ts'
import { isNoText } from './sheet-words.ts'

/** A `fault` without a value or `isUnknown` rejects the row. */
interface VinReading extends CellReading<string> {
  /** The cell says that the VIN is unknown. The vehicle is listed without a VIN. */
  isUnknown?: boolean
}

/** Reads a VIN as the forms do, but only a whole one. Never truncates it. */
export function readVin(cell: string): VinReading {
  if (isNothing(cell)) return {}
  if (isNoText(cell.trim())) return { isUnknown: true, fault: 'the VIN is not given' }
  const { text, several } = findVin(cell)
  if (several) return { fault: 'the cell has more than one VIN' }
  if (text.length !== vinLength)
    return { fault: `the VIN has ${plural(text.length, 'character')} instead of ${vinLength}` }
  return hasForbiddenLetters(text) ? { fault: 'the VIN has an I, O or Q, which no VIN has' } : { value: text }
}
