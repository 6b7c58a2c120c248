import { vinLength } from '../limits.ts'
import { composerVinMessage } from './vin.ts'

/** Some scanners read this letter before the VIN of an imported vehicle. No VIN contains it. */
const importMark = 'I'
/** Matches `VIN:`, `VIN no. ` and similar labels. If neither punctuation nor a space follows the label, a complete VIN must follow. */
const label = /^\s*V\.?I\.?N\.?(?:\s*(?:NUMBER|NUM|NO)\b\.?)?(?:\s*[:#=.-]+\s*|\s+|(?=[A-Z0-9]{17,18}$))/
/** If a text contains a complete VIN, another word of at least this length with a digit in it may be a second VIN with a typo. */
const doubtfulLength = 8

export const severalVinsMessage = 'There is more than one VIN here. Enter one at a time'

/** `vin` may be incomplete. `fault` explains why the text cannot be a VIN. */
export type TypedVin = { vin: string } | { fault: string }

/** Returns the VIN in upper case, without label, import letter, spaces and dashes. A text that is too long or has two VINs is a fault. */
export function readTypedVin(typed: string): TypedVin {
  const { text, several } = findVin(typed)
  if (several) return { fault: severalVinsMessage }
  if (text.length <= vinLength) return { vin: text }
  return { fault: `${composerVinMessage} (${text.length - vinLength} too many)` }
}

/** Like {@link readTypedVin}, but accepts text of any length. `several`: the text contains another VIN, possibly with a typo. */
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
