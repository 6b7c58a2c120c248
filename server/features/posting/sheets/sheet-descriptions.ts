import { composerMakes } from '#shared/vin/vin-makes-composer.ts'
import { moreMakes } from '#shared/vin/vin-makes-more.ts'

export type DescriptionPart = 'year' | 'make' | 'model'

/** Longer makes come first, so that `Land Rover Discovery` is not read as a `Land`. */
const makes = [
  ...new Set([
    ...composerMakes.values(),
    ...moreMakes.values(),
    'Chevy',
    'Mercedes',
    'Mercedes Benz',
    'Rolls Royce',
    'VW',
    'Alfa',
  ]),
].toSorted((a, b) => b.length - a.length)

const year = String.raw`(?<year>(?:19|20)\d\d|'\d\d)`
const make = `(?<make>${makes.join('|')})`
const separator = String.raw`(?:\s*[-,/|]\s*|\s+)`
const yearFirst = new RegExp(`^(?:${year}${separator})?${make}${separator}(?<model>\\S.*)$`, 'is')
const yearLast = new RegExp(`^${make}${separator}(?<model>\\S.*?)${separator}${year}$`, 'is')
const textMax = 200

/** Returns the year, make or model in `2019 Honda Accord EX`. Empty unless the text begins with a known make, perhaps after a year. */
export function partOf(text: string, part: DescriptionPart): string {
  if (text.length > textMax) return ''
  const found = yearLast.exec(text) ?? yearFirst.exec(text)
  return found?.groups?.[part]?.trim() ?? ''
}
