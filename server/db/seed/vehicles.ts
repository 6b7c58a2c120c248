import { vinYears } from '#shared/vin/vin-years.ts'
import { checkDigitOf } from '#shared/vin/vin.ts'
import { paintFor, paintGroups } from './paints.ts'
import { shapeOf } from './photos/shape-choice.ts'
import type { Random } from './random.ts'
import { vehicleModels, type VehicleModel } from './vehicle-models.ts'

/** `priceCents` is in cents, `mileage` in miles. */
export interface DemoVehicle {
  vin: string
  year: number
  make: string
  model: string
  trim: string
  body: VehicleModel['body']
  mileage: number
  priceCents: number
  color: string
  paintIndex: number
}

const yearCodes = new Map([...vinYears].map(([code, year]) => [year, code] as const))
const plants = 'ABDFGHKLMRTU'

/** `wanted` fixes some of the vehicle's values. Without a wanted year, the model year is at most `thisYear`. */
export function makeVehicle(random: Random, thisYear: number, wanted?: Partial<DemoVehicle>): DemoVehicle {
  const model = pickModel(random, wanted)
  const newest = Math.min(model.to, thisYear)
  const year = wanted?.year ?? Math.max(model.from, newest - Math.floor(random.next() ** 1.4 * 9))
  const age = Math.max(0.4, thisYear - year + 0.5 + random.bell() * 0.3)
  const mileage = wanted?.mileage ?? Math.max(600, Math.round(age * 12_400 * (1 + random.bell() * 0.32)))
  const paint = paintFor(shapeOf(model), weighted(random, paintGroups))
  const trimIndex = Math.min(model.trims.length - 1, Math.floor(random.next() ** 1.3 * model.trims.length))
  return {
    vin: makeVin(random, model.vinPrefix, year),
    year,
    make: model.make,
    model: model.model,
    trim: wanted?.trim ?? model.trims[trimIndex] ?? '',
    body: model.body,
    mileage,
    priceCents: wanted?.priceCents ?? wholesalePrice(random, model, { age, mileage, trimIndex }),
    color: random.pick(paint.names),
    paintIndex: paintGroups.indexOf(paint),
  }
}

/** Makes a VIN with a valid year code and check digit. */
function makeVin(random: Random, prefix: string, year: number): string {
  const yearCode = yearCodes.get(year)
  if (yearCode === undefined) throw new RangeError(`no VIN year code for ${year}`)
  const plant = plants.charAt(random.int(0, plants.length - 1))
  const serial = String(random.int(100_000, 989_999))
  const without = `${prefix}0${yearCode}${plant}${serial}`
  return `${prefix}${checkDigitOf(without) ?? '0'}${yearCode}${plant}${serial}`
}

/** Returns a price in cents. Pickups and some makes depreciate more slowly. Unusual mileage changes the price. */
function wholesalePrice(
  random: Random,
  model: VehicleModel,
  { age, mileage, trimIndex }: { age: number; mileage: number; trimIndex: number },
): number {
  const yearlyKeep = model.body === 'pickup' || model.make === 'Toyota' || model.make === 'Lexus' ? 0.94 : 0.9
  const isElectric = model.make === 'Tesla'
  const whenNew = model.listPrice * (1 + trimIndex * 0.085)
  const firstDrop = isElectric ? 0.74 : 0.86
  const forAge = whenNew * firstDrop * yearlyKeep ** age
  const forMiles = 1 - ((mileage - age * 12_400) / 1000) * 0.0035
  const asked = forAge * Math.min(1.15, Math.max(0.7, forMiles)) * (1 + random.bell() * 0.04)
  return Math.max(2_500, Math.round(asked / 50) * 50) * 100
}

function pickModel(random: Random, wanted?: Partial<DemoVehicle>): VehicleModel {
  const isWanted = (model: VehicleModel) =>
    (['make', 'model', 'body'] as const).every((name) => [undefined, model[name]].includes(wanted?.[name]))
  const isBuilt = ({ from, to }: VehicleModel, year = from) => year >= from && year <= to
  const fits = vehicleModels.filter((model) => isWanted(model) && isBuilt(model, wanted?.year))
  return weighted(random, fits)
}

function weighted<T extends { weight: number }>(random: Random, items: readonly T[]): T {
  let left = random.next() * items.reduce((sum, item) => sum + item.weight, 0)
  const found = items.find((item) => (left -= item.weight) < 0) ?? items.at(-1)
  if (!found) throw new RangeError('nothing to choose from')
  return found
}
