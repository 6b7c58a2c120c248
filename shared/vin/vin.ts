import { vinLength } from '../limits.ts'
import { vinValues, vinWeights } from './vin-alphabet.ts'
import { makeRuleFor } from './vin-make-rules.ts'
import { composerMakes } from './vin-makes-composer.ts'
import { dialogMakes } from './vin-makes-dialog.ts'
import { moreMakes } from './vin-makes-more.ts'
import { composerModels, dialogModels } from './vin-models.ts'
import { isOtherVehicle } from './vin-other-vehicles.ts'
import { modelYearOf, type VehicleClass } from './vin-years.ts'

export interface DecodedVin {
  year?: number
  make?: string
  model?: string
}

const checkDigitIndex = 8
const wmiLength = 3

export const composerVinMessage = `VIN must be exactly ${vinLength} characters`

export const vinDecodedTitle = 'VIN Decoded!'
export const vinUnknownTitle = 'VIN Not Recognized'
export const vinUnknownMessage = 'Could not decode this VIN automatically'

export function cleanVin(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, vinLength)
}

/** Says how many characters are missing. Returns undefined if the VIN is empty or none are missing. */
export function dialogVinMessage(vin: string): string | undefined {
  const missing = vinLength - vin.length
  return vin === '' || missing <= 0 ? undefined : `${composerVinMessage} (${missing} more needed)`
}

/** True if the text contains I, O or Q. VINs do not, because these letters look like 1 and 0 (ISO 3779). */
export function hasForbiddenLetters(vin: string): boolean {
  return /[IOQ]/.test(vin)
}

/** Returns the weighted sum modulo 11; 10 is written as X (49 CFR 565.15(c)). Undefined if the length or a character is invalid. */
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

/** True if the check digit is valid. An invalid check digit only causes a warning. */
export function checkDigitHolds(vin: string): boolean {
  const expected = checkDigitOf(vin)
  return expected !== undefined && vin[checkDigitIndex] === expected
}

/** Barcodes of imported vehicles have this letter before the VIN. No VIN contains it. */
const importMark = 'I'

/** Returns the words of a barcode's text that could be VINs. */
const vinsIn = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => (word.length === vinLength + 1 && word.startsWith(importMark) ? word.slice(1) : word))
    .filter((word) => word.length === vinLength && !hasForbiddenLetters(word))

/** Returns the VIN in a barcode's text and whether its check digit `holds`. Undefined without a VIN or with several valid VINs. */
export function scannedVin(text: string): { vin: string; holds: boolean } | undefined {
  if (hasSeveralVins(text)) return undefined
  const found = vinsIn(text)
  const vin = found.find(checkDigitHolds) ?? found[0]
  return vin === undefined ? undefined : { vin, holds: checkDigitHolds(vin) }
}

export const validVinsIn = (text: string): string[] => [...new Set(vinsIn(text).filter(checkDigitHolds))]

/** True if a barcode contains more than one valid VIN, so it is unclear which one is meant. */
export const hasSeveralVins = (text: string): boolean => validVinsIn(text).length > 1

const currentYear = () => new Date().getFullYear()

/** Reads the year from the 10th character, the make from the first three, and in some cases the model. */
export function decodeDialogVin(vin: string, thisYear = currentYear()): DecodedVin | undefined {
  return decode(vin, { thisYear, makes: dialogMakes, models: dialogModels })
}

/** Like {@link decodeDialogVin}, but with larger tables of makes and models. Rejects VINs that contain I, O or Q. */
export function decodeComposerVin(vin: string, thisYear = currentYear()): DecodedVin | undefined {
  if (hasForbiddenLetters(vin)) return undefined
  return decode(vin, { thisYear, makes: composerMakes, more: moreMakes, models: composerModels })
}

export function autoFilledMessage(decoded: DecodedVin): string {
  return `Auto-filled: ${[decoded.year, decoded.make, decoded.model].filter((part) => part !== undefined).join(', ')}`
}

interface Tables {
  thisYear: number
  makes: ReadonlyMap<string, string>
  more?: ReadonlyMap<string, string>
  models: ReadonlyMap<string, string>
}

/** Makes whose identifiers are for both light trucks and trucks above 10,000 lb. */
const mixedMakes: ReadonlySet<string> = new Set(['Freightliner', 'Isuzu'])

function classOf(vin: string, hasRule: boolean, usualMake: string | undefined): VehicleClass {
  if (isOtherVehicle(vin)) return 'other'
  const isLight = usualMake === undefined ? hasRule : !mixedMakes.has(usualMake)
  return isLight ? 'light' : 'unknown'
}

/** Decodes what is known about a VIN. All tables list makers of cars and light trucks, except the one in vin-other-vehicles.ts. */
function decode(vin: string, { thisYear, makes, more, models }: Tables): DecodedVin | undefined {
  if (vin.length !== vinLength) return undefined
  const wmi = vin.slice(0, wmiLength)
  const rule = makeRuleFor(vin)
  const usualMake = makes.get(wmi) ?? more?.get(wmi)
  const make = rule ? rule[1] : usualMake
  const year = modelYearOf(vin, thisYear, classOf(vin, rule !== undefined, usualMake))
  if (make === undefined) return year === undefined ? undefined : { year }
  // Use the model table only for the make to which this identifier usually belongs.
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
