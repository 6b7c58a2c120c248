import { vinLength } from '../limits.ts'
import { vinValues, vinWeights } from './vin-alphabet.ts'
import { makeRuleFor } from './vin-make-rules.ts'
import { composerMakes } from './vin-makes-composer.ts'
import { dialogMakes } from './vin-makes-dialog.ts'
import { moreMakes } from './vin-makes-more.ts'
import { composerModels, dialogModels } from './vin-models.ts'
import { isOtherVehicle } from './vin-other-vehicles.ts'
import { modelYearOf, type VehicleClass } from './vin-years.ts'

/** Facts that the tables derive from a VIN. Unknown fields are absent. */
export interface DecodedVin {
  year?: number
  make?: string
  model?: string
}

const checkDigitIndex = 8
const wmiLength = 3

/** The composer's message for a VIN that is too short. */
export const composerVinMessage = `VIN must be exactly ${vinLength} characters`

/** Titles and messages of the two toasts after a look-up. */
export const vinDecodedTitle = 'VIN Decoded!'
export const vinUnknownTitle = 'VIN Not Recognized'
export const vinUnknownMessage = 'Could not decode this VIN automatically'

/** Keeps letters and digits of typed or pasted text, in upper case, at most 17. */
export function cleanVin(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, vinLength)
}

/** The dialog's message for an incomplete VIN; undefined if there is nothing to report. */
export function dialogVinMessage(vin: string): string | undefined {
  const missing = vinLength - vin.length
  return vin === '' || missing <= 0 ? undefined : `${composerVinMessage} (${missing} more needed)`
}

/** I, O and Q are never used in a VIN, so that they are not read as 1 and 0 (ISO 3779). */
export function hasForbiddenLetters(vin: string): boolean {
  return /[IOQ]/.test(vin)
}

/**
 * Computes the check digit from the other 16 characters (49 CFR 565.15(c)): the sum of value times weight, modulo 11, where 10 is
 * written as X. Undefined if the VIN has another length or a character without a value.
 */
export function checkDigitOf(vin: string): string | undefined {
  if (vin.length !== vinLength) return undefined
  let sum = 0
  for (const [index, character] of [...vin].entries()) {
    const value = vinValues.get(character)
    if (value === undefined && index !== checkDigitIndex) return undefined
    sum += (value ?? 0) * (vinWeights[index] ?? 0)
  }
  const remainder = sum % 11
  return remainder === 10 ? 'X' : String(remainder)
}

/** True if the check digit, the 9th character, is right. A wrong one is only a warning. */
export function checkDigitHolds(vin: string): boolean {
  const expected = checkDigitOf(vin)
  return expected !== undefined && vin[checkDigitIndex] === expected
}

/** Barcodes of imported vehicles have this letter before the VIN. No VIN contains it. */
const importMark = 'I'

/** The texts of one or more barcodes as words that can be VINs. */
const vinsIn = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => (word.length === vinLength + 1 && word.startsWith(importMark) ? word.slice(1) : word))
    .filter((word) => word.length === vinLength && !hasForbiddenLetters(word))

/**
 * Returns the VIN in the text of a barcode: alone, after an import mark, or among other words, as in a QR code. `holds` is true if its
 * check digit is valid. Prefers a valid VIN. Undefined if there is none, or if two are valid.
 */
export function scannedVin(text: string): { vin: string; holds: boolean } | undefined {
  if (hasSeveralVins(text)) return undefined
  const found = vinsIn(text)
  const vin = found.find(checkDigitHolds) ?? found[0]
  return vin === undefined ? undefined : { vin, holds: checkDigitHolds(vin) }
}

/** The distinct VINs with valid check digits in a text, in order. */
export const validVinsIn = (text: string): string[] => [...new Set(vinsIn(text).filter(checkDigitHolds))]

/** True if a scan contains different VINs with valid check digits, so that it is unclear which one is meant. */
export const hasSeveralVins = (text: string): boolean => validVinsIn(text).length > 1

/** The default year that model years are compared with. */
const currentYear = () => new Date().getFullYear()

/** The dialog's decoder: year from the 10th character, make from the first three, sometimes a model. */
export function decodeDialogVin(vin: string, thisYear = currentYear()): DecodedVin | undefined {
  return decode(vin, { thisYear, makes: dialogMakes, models: dialogModels })
}

/** The composer's decoder: a larger make table, model guesses, and no VIN with I, O or Q. */
export function decodeComposerVin(vin: string, thisYear = currentYear()): DecodedVin | undefined {
  if (hasForbiddenLetters(vin)) return undefined
  return decode(vin, { thisYear, makes: composerMakes, more: moreMakes, models: composerModels })
}

/** The words after 'Auto-filled: ' in the success toast. */
export function autoFilledMessage(decoded: DecodedVin): string {
  return `Auto-filled: ${[decoded.year, decoded.make, decoded.model].filter((part) => part !== undefined).join(', ')}`
}

interface Tables {
  thisYear: number
  makes: ReadonlyMap<string, string>
  more?: ReadonlyMap<string, string>
  models: ReadonlyMap<string, string>
}

/** Makes whose identifiers stand for light trucks and for trucks above 10,000 lb. */
const mixedMakes: ReadonlySet<string> = new Set(['Freightliner', 'Isuzu'])

function classOf(vin: string, hasRule: boolean, usualMake: string | undefined): VehicleClass {
  if (isOtherVehicle(vin)) return 'other'
  const isLight = usualMake === undefined ? hasRule : !mixedMakes.has(usualMake)
  return isLight ? 'light' : 'unknown'
}

/**
 * Decodes year, make and model as far as the tables know them, and the year of unknown makes, too. Undefined if nothing is known. Makes
 * of the tables build cars and light trucks, except the identifiers of vin-other-vehicles.ts.
 */
function decode(vin: string, { thisYear, makes, more, models }: Tables): DecodedVin | undefined {
  if (vin.length !== vinLength) return undefined
  const wmi = vin.slice(0, wmiLength)
  const rule = makeRuleFor(vin)
  const usualMake = makes.get(wmi) ?? more?.get(wmi)
  const make = rule ? rule[1] : usualMake
  const year = modelYearOf(vin, thisYear, classOf(vin, rule !== undefined, usualMake))
  if (make === undefined) return year === undefined ? undefined : { year }
  // The model table applies to the make that usually has the identifier.
  const model = make === (usualMake ?? make) ? longestPrefix(vin, models) : undefined
  return { make, ...(year !== undefined && { year }), ...(model !== undefined && { model }) }
}

function longestPrefix(vin: string, models: ReadonlyMap<string, string>): string | undefined {
  for (let length = checkDigitIndex; length >= wmiLength; length--) {
    const model = models.get(vin.slice(0, length))
    if (model !== undefined) return model
  }
  return undefined
}
