import { vinLength } from '../limits.ts'
import { composerVinMessage } from './vin.ts'

/** Some scanners read this letter before the VIN of an imported vehicle. No VIN contains it. */
const importMark = 'I'
/** Matches `VIN:`, `VIN no. ` and similar labels. A label without punctuation or a space after it must precede a complete VIN. */
const label = /^\s*V\.?I\.?N\.?(?:\s*(?:NUMBER|NUM|NO)\b\.?)?(?:\s*[:#=.-]+\s*|\s+|(?=[A-Z0-9]{17,18}$))/
/** If the text contains a complete VIN, another word of at least this length that has a digit may be a second VIN with a typo. */
const doubtfulLength = 8

export const severalVinsMessage = 'There is more than one VIN here. Enter one at a time'

/** `vin` may be incomplete. `fault` says why the text cannot be one VIN. */
export type TypedVin = { vin: string } | { fault: string }

/** Returns the VIN in uppercase, without a label, import letter or punctuation. A `fault` if the text is too long or has two VINs. */
export function readTypedVin(typed: string): TypedVin {
  const { text, several } = findVin(typed)
  if (several) return { fault: severalVinsMessage }
  if (text.length <= vinLength) return { vin: text }
  return { fault: `${composerVinMessage} (${text.length - vinLength} too many)` }
}

/** Like {@link readTypedVin}, but accepts text of any length. `several`: the text has another VIN, possibly one with a typo. */
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
