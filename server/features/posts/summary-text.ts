/** What the summary is written from. Cents and miles; anything may be unknown. */
export interface SummaryVehicle {
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
  mileage: number | null
  priceCents: number | null
  color: string | null
  city: string | null
  state: string | null
  status: string
  /** The market this vehicle stands in; absent when there are too few comparable vehicles. */
  market?: { count: number; averageCents: number } | undefined
}

export interface SummaryItem {
  text: string
}

/** Fewer comparable vehicles than this say nothing about a price. */
export const comparablesMin = 5

const usualMilesPerYear = 12_000
const usualSpread = 0.15
const evenPercent = 0.5
const marketLines = 3

const number = new Intl.NumberFormat('en-US')
const miles = (value: number) => `${number.format(Math.round(value))} mi`
const dollars = (cents: number) => `$${number.format(Math.round(cents / 100))}`

/** The AI summary by rules: facts of the vehicles, then their prices against the network. Empty without vehicles. */
export function summarise(vehicles: readonly SummaryVehicle[], thisYear: number): SummaryItem[] {
  const [first, ...others] = vehicles
  if (!first) return []
  const lines = others.length === 0 ? singleLines(first, thisYear) : manyLines(vehicles)
  return lines.filter((text) => text !== '').map((text) => ({ text }))
}

function singleLines(vehicle: SummaryVehicle, thisYear: number): string[] {
  return [
    join([nameOf(vehicle), vehicle.mileage === null ? '' : miles(vehicle.mileage), vehicle.color ?? '']),
    marketLine(vehicle, 'Priced'),
    usageLine(vehicle, thisYear),
    placeLine(vehicle),
  ]
}

function manyLines(vehicles: readonly SummaryVehicle[]): string[] {
  const available = vehicles.filter(({ status }) => status === 'available').length
  const mileages = vehicles.flatMap(({ mileage }) => mileage ?? [])
  const prices = vehicles.flatMap(({ priceCents }) => priceCents ?? [])
  const years = vehicles.flatMap(({ year }) => year ?? [])
  const makes = [...new Set(vehicles.flatMap(({ make }) => make ?? []))]
  const compared = vehicles
    .filter(({ market, priceCents }) => market !== undefined && priceCents !== null)
    .toSorted((a, b) => percentOf(a) - percentOf(b))
  return [
    join([
      `${vehicles.length} vehicles`,
      `${available} available`,
      mileages.length > 0 ? `average ${miles(average(mileages))}` : '',
    ]),
    prices.length > 0
      ? `${dollars(Math.min(...prices))} to ${dollars(Math.max(...prices))}, ${dollars(average(prices))} per unit on average`
      : '',
    join([years.length > 0 ? span(Math.min(...years), Math.max(...years)) : '', makes.slice(0, 4).join(', ')]),
    ...compared.slice(0, marketLines).map((vehicle) => marketLine(vehicle, `${nameOf(vehicle)} priced`)),
  ]
}

function marketLine(vehicle: SummaryVehicle, subject: string): string {
  if (vehicle.market === undefined || vehicle.priceCents === null) return ''
  const percent = percentOf(vehicle)
  const among = `${vehicle.market.count} comparable vehicles in the network`
  if (Math.abs(percent) < evenPercent) return `${subject} level with ${among}`
  return `${subject} ${Math.abs(percent).toFixed(1)}% ${percent < 0 ? 'under' : 'over'} ${among}`
}

/** How far the price lies above its market, in percent; below is negative. */
function percentOf({ market, priceCents }: SummaryVehicle): number {
  if (market === undefined || priceCents === null || market.averageCents === 0) return 0
  return (priceCents / market.averageCents - 1) * 100
}

function besideUsual(milesPerYear: number): string {
  const share = milesPerYear / usualMilesPerYear - 1
  if (Math.abs(share) <= usualSpread) return 'in line with'
  return share < 0 ? 'below' : 'above'
}

function usageLine({ year, mileage }: SummaryVehicle, thisYear: number): string {
  if (year === null || mileage === null) return ''
  const perYear = mileage / Math.max(1, thisYear - year)
  return `About ${miles(Math.round(perYear / 100) * 100)} a year, ${besideUsual(perYear)} the usual ${number.format(usualMilesPerYear)}`
}

function placeLine({ city, state }: SummaryVehicle): string {
  const place = join([city ?? '', state ?? ''])
  return place === '' ? '' : `Located in ${place}`
}

function nameOf({ year, make, model, trim }: SummaryVehicle): string {
  return [year, make, model, trim].filter((part) => part !== null && part !== '').join(' ')
}

const join = (parts: readonly string[]) => parts.filter((part) => part !== '').join(', ')
const span = (low: number, high: number) => (low === high ? `Model year ${low}` : `Model years ${low} to ${high}`)
const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
