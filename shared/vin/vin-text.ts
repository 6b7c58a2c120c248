import { vinLength } from '../limits.ts'
import { composerVinMessage } from './vin.ts'

/** Scanners put this letter, which no VIN contains, before the VIN of an imported vehicle. */
const importMark = 'I'
/** `VIN:`, `VIN no. ` and the like. Without a mark after it, the word is a label only before a whole VIN. */
const label = /^\s*V\.?I\.?N\.?(?:\s*(?:NUMBER|NUM|NO)\b\.?)?(?:\s*[:#=.-]+\s*|\s+|(?=[A-Z0-9]{17,18}$))/
/** A word of this length with a digit in it, beside a whole VIN, may be another VIN with a typing error. */
const doubtfulLength = 8

export const severalVinsMessage = 'There is more than one VIN here. Enter one at a time'

/** The VIN in a text, perhaps unfinished, or the reason why it cannot be one. */
export type TypedVin = { vin: string } | { fault: string }

/**
 * Reads what was typed, pasted or sent as a VIN: in upper case, without its label, the import mark of a barcode, blanks and dashes.
 * The text is never cut to fit: one that is too long, or names two VINs, is a fault.
 */
export function readTypedVin(typed: string): TypedVin {
  const { text, several } = findVin(typed)
  if (several) return { fault: severalVinsMessage }
  if (text.length <= vinLength) return { vin: text }
  return { fault: `${composerVinMessage} (${text.length - vinLength} too many)` }
}

/**
 * Returns the text of a VIN as {@link readTypedVin} reads it, of any length. `several`: there is more than one VIN, or another one with
 * a typing error.
 */
export function findVin(typed: string): { text: string; several: boolean } {
  const plain = typed.normalize('NFKC').toUpperCase()
  const bare = plain.replace(label, '')
  const words = (bare === '' ? plain : bare).split(/[^A-Z0-9]+/).filter((word) => word !== '')
  const whole = new Set(words.map(withoutMark).filter(isWhole))
  const [text = withoutMark(words.join(''))] = whole
  const others = words.filter((word) => withoutMark(word) !== text)
  const isDoubtful = whole.size === 1 && others.some((word) => word.length >= doubtfulLength && /\d/.test(word))
  return { text, several: whole.size > 1 || isDoubtful || text.length === 2 * vinLength }
}

const isWhole = (word: string): boolean => word.length === vinLength

const withoutMark = (word: string): string =>
  word.length === vinLength + 1 && word.startsWith(importMark) ? word.slice(1) : word
