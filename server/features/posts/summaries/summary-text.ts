import { formatMoney, formatMonthDay, formatNumber } from '#shared/format.ts'
import { aboutTitle } from './title-words.ts'

/** Input for the summary. Prices are in cents and mileages in miles. Null means unknown. */
export interface SummaryVehicle {
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
  mileage: number | null
  priceCents: number | null
  previousPriceCents: number | null
  priceChangedAt: Date | null
  notes: string | null
}

export interface SummaryPost {
  title: string
  description: string
}

export interface SummaryItem {
  text: string
}

const usualMilesPerYear = 12_000
const makesShown = 4

const dollars = (cents: number) => formatMoney(Math.round(cents / 100))

/**
 * Writes a summary by fixed rules. Omits facts that the post's header shows. Empty without vehicles.
 * The market position depends on the reader, so it comes from GET /api/inventory/{id}/market.
 */
export function summarize(post: SummaryPost, vehicles: readonly SummaryVehicle[], thisYear: number): SummaryItem[] {
  const [first, ...others] = vehicles
  if (!first) return []
  const words = [post.title, post.description, ...vehicles.map(({ notes }) => notes ?? '')].join('\n')
  const facts = others.length === 0 ? [usageLine(first, thisYear), priceChange(first)] : manyLines(vehicles, thisYear)
  const lines = [...facts, disclosed(words), missing(words)].filter((text) => text !== '')
  return (lines.length > 0 ? lines : ['Title and condition are stated']).map((text) => ({ text }))
}

function manyLines(vehicles: readonly SummaryVehicle[], thisYear: number): string[] {
  const years = vehicles.flatMap(({ year }) => year ?? [])
  const makes = [...new Set(vehicles.flatMap(({ make }) => make ?? []))]
  const prices = vehicles.flatMap(({ priceCents }) => priceCents ?? [])
  const mileages = vehicles.flatMap(({ mileage }) => mileage ?? [])
  const lowered = vehicles.filter(
    ({ priceCents, previousPriceCents }) =>
      priceCents !== null && previousPriceCents !== null && priceCents < previousPriceCents,
  ).length
  const usage = vehicles.flatMap((vehicle) => milesPerYear(vehicle, thisYear) ?? [])
  return [
    join([yearsOf(years), makes.slice(0, makesShown).join(', ')]),
    range(prices, dollars, () => `, ${dollars(average(prices))} on average`),
    join([
      range(mileages, formatNumber, () => '', ' mi'),
      usage.length === 0 ? '' : `about ${rounded(average(usage))} mi/year on average (typical is ${usual})`,
    ]),
    lowered === 0 ? '' : `Price lowered on ${lowered} of ${vehicles.length}`,
  ]
}

function range(values: readonly number[], format: (value: number) => string, more: () => string, unit = ''): string {
  if (values.length === 0) return ''
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return low === high ? `${format(low)}${unit} each` : `${format(low)} to ${format(high)}${unit}${more()}`
}

const yearsOf = (years: readonly number[]): string => {
  if (years.length === 0) return ''
  const [low, high] = [Math.min(...years), Math.max(...years)]
  return low === high ? `Model year ${low}` : `Model years ${low} to ${high}`
}

const milesPerYear = ({ year, mileage }: SummaryVehicle, thisYear: number): number | undefined =>
  year === null || mileage === null ? undefined : mileage / Math.max(1, thisYear - year)

const rounded = (miles: number) => formatNumber(Math.round(miles / 100) * 100)

const usual = formatNumber(usualMilesPerYear)

function usageLine(vehicle: SummaryVehicle, thisYear: number): string {
  const miles = milesPerYear(vehicle, thisYear)
  return miles === undefined ? '' : `About ${rounded(miles)} mi/year (average is ${usual})`
}

function priceChange({ priceCents, previousPriceCents, priceChangedAt }: SummaryVehicle): string {
  if (priceCents === null || previousPriceCents === null || priceChangedAt === null) return ''
  if (priceCents === previousPriceCents) return ''
  const [verb, by] = priceCents < previousPriceCents ? ['lowered', -1] : ['raised', 1]
  const amount = dollars((priceCents - previousPriceCents) * Number(by))
  return `Price ${verb} by ${amount} from ${dollars(previousPriceCents)} on ${formatMonthDay(priceChangedAt, 'UTC')}`
}

const disclosures: [name: string, words: RegExp][] = [
  ['salvage', /salvage/i],
  ['rebuilt', /rebuilt(?! (?:engine|motor|transmission))/i],
  ['branded title', /branded/i],
  ['flood', /flood(?:ed)?|water damage/i],
  ['fire damage', /fire damage/i],
  ['hail', /hail/i],
  ['frame damage', /(?:frame|structural|unibody) damage/i],
  ['accident', /accidents?|wreck(?:ed)?|collision/i],
  ['airbags deployed', /air ?bags? deployed/i],
  ['odometer', /odometer (?:discrepancy|rollback|problem|broken)|not actual miles/i],
  ['true mileage unknown', /tmu|true miles? unknown/i],
  ['lemon law buyback', /lemon|buy ?back/i],
  ['theft recovery', /theft recovery/i],
  ['as-is', /as[- ]is/i],
  ['check engine light', /check engine/i],
]
const denied = /\b(?:no|not|never|without|zero|free of)\b/i

function disclosed(words: string): string {
  const named = disclosures.flatMap(([name, pattern]) => {
    const found = words.matchAll(new RegExp(`\\b(?:${pattern.source})\\b`, 'gi'))
    return [...found].some(({ index }) => !denied.test(clauseBefore(words, index))) ? [name] : []
  })
  return named.length === 0 ? '' : `Seller discloses: ${named.join(', ')}`
}

const clauseBefore = (words: string, index: number) =>
  words
    .slice(0, index)
    .split(/[.;:!?,\n]/)
    .at(-1)
    ?.slice(-60) ?? ''

const statedWords: [what: string, words: RegExp][] = [
  ['title', aboutTitle],
  [
    'condition',
    /\bcondition\b|\bruns?\b|\bdrives?\b|\bclean(?! title)\b|\brough\b|\bdamaged?\b|\baccidents?\b|\bdents?\b|\bscratch|\binspect|\bgrade\b|\bas[- ]is\b|\bmechanic|\bmaintained\b|\bneeds\b|\bretail ready\b|\bfront[- ]?line\b|\b(?:green|yellow|red) light\b|\bresprayed?\b|\bpaint meter\b|\bhail\b|\binterior is\b|\bnormal wear\b|\bnew battery\b/i,
  ],
]

/** Lists facts that buyers usually ask about and the post does not state. */
function missing(words: string): string {
  const open = statedWords.flatMap(([what, pattern]) => (pattern.test(words) ? [] : [what]))
  return open.length === 0 ? '' : `Not stated: ${open.join(', ')}`
}

const join = (parts: readonly string[]) => parts.filter((part) => part !== '').join(', ')
const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
