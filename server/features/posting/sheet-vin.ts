import { plural } from '#shared/format.ts'
import { vinLength } from '#shared/limits.ts'
import { hasForbiddenLetters } from '#shared/vin.ts'
import { type CellReading, isNothing } from './sheet-cells.ts'

/** Barcode scanners add this letter before the VIN of an import. No VIN contains it. */
const importMark = 'I'
const label = /^\s*V\.?I\.?N\.?(?:\s*(?:NO|NUMBER|NUM)\b\.?)?\s*[:#=.-]*\s*/
/** Texts that mean an unknown VIN. */
const unknown = /^(N\/?A|NONE|NULL|TBD|TBA|UNKNOWN|PENDING|NOT GIVEN)\.?$/
/** A word of this length beside a VIN may be another VIN with a typo. */
const doubtfulLength = 8

/** A `fault` without a value or `isUnknown` rejects the row. */
interface VinReading extends CellReading<string> {
  /** The cell says that the VIN is unknown. The row is listed without one. */
  isUnknown?: boolean
}

/** Reads a VIN, with or without a label, a barcode prefix, spaces and dashes. Never truncates it. */
export function readVin(cell: string): VinReading {
  if (isNothing(cell)) return {}
  const text = cell
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .toUpperCase()
    .trim()
  if (unknown.test(text)) return { isUnknown: true, fault: 'the VIN is not given' }
  const bare = text.replace(label, '')
  const words = (bare === '' ? text : bare).split(/[^A-Z0-9]+/).filter((word) => word !== '')
  const whole = [...new Set(words.map(withoutMark).filter((word) => word.length === vinLength))]
  if (whole.length > 1) return { fault: 'the cell has more than one VIN' }
  const [one = withoutMark(words.join(''))] = whole
  const others = words.filter((word) => withoutMark(word) !== one)
  if (whole.length === 1 && others.some(({ length }) => length >= doubtfulLength))
    return { fault: 'the cell has more than one VIN' }
  if (one.length === 2 * vinLength) return { fault: 'the cell has more than one VIN' }
  if (one.length !== vinLength)
    return { fault: `the VIN has ${plural(one.length, 'character')} instead of ${vinLength}` }
  return hasForbiddenLetters(one) ? { fault: 'the VIN has an I, O or Q, which no VIN has' } : { value: one }
}

const withoutMark = (word: string): string =>
  word.length === vinLength + 1 && word.startsWith(importMark) ? word.slice(1) : word
