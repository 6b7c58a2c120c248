import { typedAmount, typedMiles, typedNumber } from '#client/lib/form/typed-amount.ts'
import type { FieldErrors } from '#client/ui/form-state.ts'
import { formatMoney, formatNumber } from '#client/ui/format.ts'
import { bidMaxDollars, mileageMax, yearMax, yearMin } from '#shared/limits.ts'
import { orderTrimsMax, perMonthMax } from '#shared/constants/wanted.ts'
import type { BuyOrder, NewBuyOrder, OrderSearch } from '#shared/schemas/wanted.ts'
import { drives } from '#shared/vehicle-traits.ts'
import type { ofFind } from './order-labels.ts'

export const any = 'any'
/** Option value that keeps the order's current end date. */
export const keepEndDate = '0'

export interface OrderWords {
  make: string
  model: string
  trims: string
  yearFrom: string
  yearTo: string
  milesMax: string
  price: string
  perMonth: string
  days: string
  near: string
  within: string
  drive: string
  photosOnly: boolean
  showName: boolean
  note: string
}

export type OrderStart = ReturnType<typeof ofFind>

const textOf = (value: number | null, format: (value: number) => string = String) =>
  value === null ? '' : format(value)

const fresh = { perMonth: 1, showName: false, note: '' }

export function wordsOf(order: BuyOrder | undefined, start: OrderStart, zip: string): OrderWords {
  const from = order ?? { ...start, ...fresh, near: start.near || zip }
  return {
    make: from.make,
    model: from.model,
    trims: from.trims.join(', '),
    yearFrom: textOf(from.yearFrom),
    yearTo: textOf(from.yearTo),
    milesMax: textOf(from.milesMax, formatNumber),
    price: textOf(from.price, formatMoney),
    perMonth: String(from.perMonth),
    days: order && order.state !== 'ended' ? keepEndDate : '30',
    near: from.near,
    within: textOf(from.within) || any,
    drive: from.drive ?? any,
    photosOnly: from.photosOnly,
    showName: from.showName,
    note: from.note,
  }
}

const wholeOf = (text: string): number | undefined => {
  const number = typedNumber(text)
  return Number.isInteger(number) ? number : undefined
}

function yearOf(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const year = wholeOf(text)
  return year !== undefined && year >= yearMin && year <= yearMax ? year : undefined
}

const trimsOf = (text: string) =>
  text
    .split(',')
    .map((trim) => trim.trim())
    .filter(Boolean)

const faultTexts = {
  make: 'Enter a make',
  model: 'Enter a model',
  year: `Enter a year from ${yearMin} to ${yearMax}, or leave blank`,
  milesMax: 'Enter the maximum mileage',
  price: 'Enter a price in dollars',
  perMonth: `Enter a number from 1 to ${perMonthMax}`,
  near: 'Enter a ZIP or postal code, or set the distance to "Any distance"',
} as const

const isBetween = (value: number | undefined, least: number, most: number): boolean =>
  value !== undefined && value >= least && value <= most

export function faultsOf(words: OrderWords): FieldErrors<OrderWords> {
  const faults: [keyof OrderWords, boolean, string][] = [
    ['make', words.make.trim() === '', faultTexts.make],
    ['model', words.model.trim() === '', faultTexts.model],
    ['trims', trimsOf(words.trims).length > orderTrimsMax, `Enter up to ${orderTrimsMax} trims`],
    ['yearFrom', yearOf(words.yearFrom) === undefined, faultTexts.year],
    ['yearTo', yearOf(words.yearTo) === undefined, faultTexts.year],
    ['milesMax', !isBetween(typedMiles(words.milesMax), 1, mileageMax), faultTexts.milesMax],
    ['price', typedAmount(words.price) === undefined, faultTexts.price],
    ['price', (typedAmount(words.price) ?? 0) > bidMaxDollars, `Enter ${formatMoney(bidMaxDollars)} or less`],
    ['perMonth', !isBetween(wholeOf(words.perMonth), 1, perMonthMax), faultTexts.perMonth],
    ['near', words.near.trim() === '' && words.within !== any, faultTexts.near],
  ]
  return Object.fromEntries(faults.flatMap(([name, isWrong, words]) => (isWrong ? [[name, words]] : [])))
}

/** Returns the search that the form describes, or undefined until make and model are filled in and the mileage is valid. */
export function searchOf(words: OrderWords): OrderSearch | undefined {
  const { make, model, near, within, drive, photosOnly } = words
  const milesMax = typedMiles(words.milesMax) ?? mileageMax
  if (make.trim() === '' || model.trim() === '' || milesMax < 1 || milesMax > mileageMax) return undefined
  return {
    make: make.trim(),
    model: model.trim(),
    trims: trimsOf(words.trims).slice(0, orderTrimsMax),
    yearFrom: yearOf(words.yearFrom) ?? null,
    yearTo: yearOf(words.yearTo) ?? null,
    milesMax,
    near: near.trim(),
    within: within === any ? null : Number(within),
    drive: drives.find((one) => one === drive) ?? null,
    photosOnly,
  }
}

export function orderOf(words: OrderWords): NewBuyOrder | undefined {
  const search = searchOf(words)
  return (
    search && {
      ...search,
      price: typedAmount(words.price) ?? 0,
      perMonth: wholeOf(words.perMonth) ?? 1,
      days: Number(words.days),
      showName: words.showName,
      note: words.note.trim(),
    }
  )
}
