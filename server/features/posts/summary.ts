import type { VehicleRow } from './posts.rows.ts'

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const whole = new Intl.NumberFormat('en-US')
const centsPerDollar = 100
const milesPerYear = 12_000

const titleOf = (vehicle: VehicleRow) =>
  [vehicle.year, vehicle.make, vehicle.model, vehicle.trim].filter(Boolean).join(' ')
const dollars = (cents: number) => money.format(cents / centsPerDollar)

function span(values: (number | null)[], format: (value: number) => string): string | undefined {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return undefined
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return low === high ? format(low) : `${format(low)} to ${format(high)}`
}

function usage({ year, mileage }: VehicleRow, now: Date): string | undefined {
  if (year === null || mileage === null) return undefined
  const age = Math.max(1, now.getFullYear() - year)
  const perYear = mileage / age
  const word = perYear < milesPerYear * 0.75 ? 'below' : perYear > milesPerYear * 1.25 ? 'above' : 'near'
  return `${whole.format(mileage)} mi, ${word} the usual ${whole.format(milesPerYear)} mi a year`
}

/** Bullets from the vehicles' own facts, without a model: the spec's `{text}` list. Empty when nothing is known. */
export function summarise(vehicles: VehicleRow[], now: Date = new Date()): { text: string }[] {
  const [first] = vehicles
  if (first === undefined) return []
  if (vehicles.length === 1) {
    const place = [first.city, first.state].filter(Boolean).join(', ')
    const lines = [
      titleOf(first),
      usage(first, now),
      first.priceCents === null ? undefined : `Asking ${dollars(first.priceCents)}`,
      first.color === null ? undefined : `${first.color} exterior`,
      place === '' ? undefined : `Located in ${place}`,
    ]
    return lines.filter((text) => text !== undefined && text !== '').map((text) => ({ text: text ?? '' }))
  }
  const makes = [...new Set(vehicles.map((vehicle) => vehicle.make).filter((make) => make !== null))]
  const years = span(
    vehicles.map((vehicle) => vehicle.year),
    String,
  )
  const prices = span(
    vehicles.map((vehicle) => vehicle.priceCents),
    dollars,
  )
  const miles = span(
    vehicles.map((vehicle) => vehicle.mileage),
    (value) => `${whole.format(value)} mi`,
  )
  const lines = [
    `${vehicles.length} vehicles`,
    makes.length === 0 ? undefined : makes.join(', '),
    years && `Model years ${years}`,
    prices && `Priced ${prices}`,
    miles && `Mileage ${miles}`,
  ]
  return lines.filter((text) => text !== undefined && text !== '').map((text) => ({ text: text ?? '' }))
}
