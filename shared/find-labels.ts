import type { FindQuery, FindRange, FindSale, FindSort, FindWord } from './find-query.ts'
import { formatMileage, formatMoney, formatNumber, formatVehicle } from './format.ts'
import { notStated, traitLabels } from './vehicle-traits.ts'

export const saleLabels: Readonly<Record<FindSale, string>> = {
  fixed: 'Fixed price',
  live: 'Live auction',
  coming: 'Upcoming auction',
}

export const sortLabels: Readonly<Record<FindSort, string>> = {
  newest: 'Newest',
  cheapest: 'Price low to high',
  dearest: 'Price high to low',
  mileage: 'Mileage',
  year: 'Year',
  nearest: 'Nearest',
  ending: 'Ending soonest',
}

const sortedBy: Readonly<Partial<Record<FindSort, string>>> = {
  cheapest: 'lowest price first',
  dearest: 'highest price first',
  mileage: 'lowest mileage first',
  year: 'newest year first',
  nearest: 'nearest first',
  ending: 'ending soonest first',
}

export interface Applied {
  label: string
  without: FindQuery
}

/** Formats a make, model and trim: `Ford F-150 XLT`. An empty part means "not stated", and the label says so. */
function wordLabel({ make, model, trim }: FindWord): string {
  const unstated = [make, model, trim].lastIndexOf('')
  const named = formatVehicle({ year: null, make, model: model ?? null, trim: trim ?? null })
  if (unstated === -1) return named
  const part = ['make', 'model', 'trim'][unstated]
  return named === '' ? `No ${part} stated` : `${named}, no ${part} stated`
}

export const rangeLabels = {
  year: ({ from, to }: FindRange): string => {
    if (from === undefined) return `${to} or older`
    if (to === undefined) return `${from} or newer`
    return from === to ? String(from) : `${from} to ${to}`
  },
  price: ({ from, to }: FindRange): string => {
    if (from === undefined) return `Up to ${formatMoney(to ?? 0)}`
    if (to === undefined) return `From ${formatMoney(from)}`
    return `${formatMoney(from)} to ${formatMoney(to)}`
  },
  miles: ({ from, to }: FindRange): string => {
    if (from === undefined) return `Under ${formatMileage(to ?? 0)}`
    if (to === undefined) return `Over ${formatMileage(from)}`
    return `${formatNumber(from)} to ${formatMileage(to)}`
  },
}

export const isOpen = ({ from, to }: FindRange): boolean => from === undefined && to === undefined

/** @param place name of the place; if omitted, its postal code is shown */
const nearLabel = ({ near, within }: Pick<FindQuery, 'near' | 'within'>, place = near): string =>
  within === undefined ? `Near ${place}` : `Within ${formatNumber(within)} mi of ${place}`

export const withoutNear = ({ within: _within, ...query }: FindQuery): FindQuery => ({ ...query, near: '' })

function nearApplied(query: FindQuery, isUnknown: boolean): Applied[] {
  if (query.near === '') return []
  const label = nearLabel(query)
  return [{ label: isUnknown ? `${label}, not applied` : label, without: withoutNear(query) }]
}

const wordsApplied = (query: FindQuery): Applied[] =>
  query.mmt.map((word) => ({
    label: wordLabel(word),
    without: { ...query, mmt: query.mmt.filter((other) => other !== word) },
  }))

const partNames = {
  year: 'year',
  price: 'price',
  miles: 'mileage',
  body: 'body',
  drive: 'drivetrain',
  fuel: 'fuel',
} as const

const noLabel = (name: keyof typeof partNames): string => `No ${partNames[name]} stated`

const rangeNames = ['year', 'price', 'miles'] as const

function rangeApplied(query: FindQuery, name: (typeof rangeNames)[number]): Applied[] {
  const range = query[name]
  const { none, ...bounds } = range
  return [
    ...(isOpen(range)
      ? []
      : [{ label: rangeLabels[name](range), without: { ...query, [name]: none === undefined ? {} : { none } } }]),
    ...(none === undefined ? [] : [{ label: noLabel(name), without: { ...query, [name]: bounds } }]),
  ]
}

const traitsApplied = (query: FindQuery): Applied[] =>
  (['body', 'drive', 'fuel'] as const).flatMap((name) =>
    query[name].map((value) => ({
      label: value === notStated ? noLabel(name) : traitLabels[value],
      without: { ...query, [name]: (query[name] as readonly string[]).filter((other) => other !== value) },
    })),
  )

const salesApplied = (query: FindQuery): Applied[] =>
  query.sale.map((value) => ({
    label: saleLabels[value],
    without: { ...query, sale: query.sale.filter((other) => other !== value) },
  }))

export const postedLabels = { 1: 'Last 24 hours', 7: 'Last 7 days', 30: 'Last 30 days' } as const

export const ratingLabel = (rating: number): string => `Rated ${rating} or better`

function restApplied(query: FindQuery): Applied[] {
  const { rating, posted, ...rest } = query
  return [
    ...(query.connected ? [{ label: 'My connections', without: { ...query, connected: false } }] : []),
    ...(rating === undefined
      ? []
      : [{ label: ratingLabel(rating), without: { ...rest, ...(posted !== undefined && { posted }) } }]),
    ...(posted === undefined
      ? []
      : [{ label: postedLabels[posted], without: { ...rest, ...(rating !== undefined && { rating }) } }]),
    ...(query.photos ? [{ label: 'Has photos', without: { ...query, photos: false } }] : []),
  ]
}

/** Lists the active filters by group. If `isUnknownPlace` is true, the place is listed, although it has no effect. */
export const appliedOf = (query: FindQuery, isUnknownPlace = false): Applied[] => [
  ...nearApplied(query, isUnknownPlace),
  ...wordsApplied(query),
  ...rangeNames.flatMap((name) => rangeApplied(query, name)),
  ...traitsApplied(query),
  ...salesApplied(query),
  ...restApplied(query),
]

/** Lowercases the first letter for use inside a sentence, except in words such as `SUV` and `4WD`. */
const lowerFirst = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

/**
 * Describes a search in one line: `Ford F-150, 2019 to 2021, under 40,000 mi, near Dallas, TX`. Includes every filter and the sort
 * order, so searches with the same description find the same vehicles. Empty if nothing is filtered.
 */
export function describeFind(query: FindQuery, place?: string): string {
  const labels = (applied: Applied[]) => applied.map(({ label }) => lowerFirst(label))
  return [
    ...(query.mmt.length === 0 ? [] : [query.mmt.map(wordLabel).join(' or ')]),
    ...rangeNames.map((name) => labels(rangeApplied(query, name)).join(' or ')).filter((words) => words !== ''),
    ...labels([...traitsApplied(query), ...salesApplied(query)]),
    ...(query.near === '' ? [] : [lowerFirst(nearLabel(query, place))]),
    ...labels(restApplied(query)),
    ...[sortedBy[query.sort]].filter((words) => words !== undefined),
  ].join(', ')
}
