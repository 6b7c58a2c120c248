import { mileageMax, yearMax, yearMin } from './limits.ts'
import {
  bodies,
  drives,
  fuels,
  notStated,
  wordKey,
  type Body,
  type Drive,
  type Fuel,
  type NotStated,
} from './vehicle-traits.ts'

export const findSales = ['fixed', 'live', 'coming'] as const
export type FindSale = (typeof findSales)[number]

/** `nearest` requires a place. `ending` requires the filter for live auctions. */
export const findSorts = ['newest', 'cheapest', 'dearest', 'mileage', 'year', 'nearest', 'ending'] as const
export type FindSort = (typeof findSorts)[number]

const findViews = ['rows', 'cards'] as const
export type FindView = (typeof findViews)[number]

export const findPosted = [1, 7, 30] as const
export type FindPosted = (typeof findPosted)[number]

/** Radii that the filter offers, in miles. Any whole number up to `radiusMax` is accepted. */
export const findRadii = [25, 50, 100, 200, 300, 500, 1_000] as const
const radiusMax = 5_000
const ratingMax = 5
const priceMax = 99_999_999
const findWordsMax = 40
const wordMax = 80
const codeMax = 10
export const findQueryMax = 4_000

/** A range that includes both bounds. An undefined bound sets no limit. */
export interface FindRange {
  from?: number
  to?: number
  /** If set, vehicles without a value match, too. Without bounds, only those match. */
  none?: true
}

/** A make, optionally with a model and trim. An empty string means "not stated". */
export interface FindWord {
  make: string
  model?: string
  trim?: string
}

/** Choices within a group are alternatives. A vehicle must match every group; an empty or undefined group matches every vehicle. */
export interface FindQuery {
  mmt: FindWord[]
  year: FindRange
  price: FindRange
  miles: FindRange
  /** ZIP or postal code in uppercase. Empty if no place is chosen. */
  near: string
  within?: number
  body: (Body | NotStated)[]
  drive: (Drive | NotStated)[]
  fuel: (Fuel | NotStated)[]
  sale: FindSale[]
  connected: boolean
  rating?: number
  posted?: FindPosted
  photos: boolean
  sort: FindSort
  /** Layout of the results. It does not affect which vehicles are found. */
  as: FindView
}

export const findKeys = [
  'mmt',
  'year',
  'price',
  'miles',
  'near',
  'within',
  'body',
  'drive',
  'fuel',
  'sale',
  'seller',
  'rating',
  'posted',
  'photos',
  'sort',
  'as',
] as const
export type FindKey = (typeof findKeys)[number]
export type FindParams = Partial<Record<FindKey, string>>

export const emptyFind: FindQuery = {
  mmt: [],
  year: {},
  price: {},
  miles: {},
  near: '',
  body: [],
  drive: [],
  fuel: [],
  sale: [],
  connected: false,
  photos: false,
  sort: 'newest',
  as: 'rows',
}

const unstated = '-'
const cleanWord = (text: string) =>
  text
    .replaceAll(/[~,\s]+/g, ' ')
    .trim()
    .slice(0, wordMax)
    .trim()
const readWord = (text: string) => (wordKey(text) === '' ? '' : cleanWord(text))
const writeWord = (text: string) => (text === '' ? unstated : cleanWord(text))

function readWords(text: string): FindWord[] {
  const words = new Map<string, FindWord>()
  for (const one of text.split(',').slice(0, findWordsMax)) {
    const [make, model, trim] = one.split('~')
    if (make === undefined || make.trim() === '') continue
    const word: FindWord = {
      make: readWord(make),
      ...(model !== undefined && { model: readWord(model) }),
      ...(model !== undefined && trim !== undefined && { trim: readWord(trim) }),
    }
    words.set(wordText(word), word)
  }
  return [...words.values()]
}

/** Returns the canonical text of a choice, such as `ford~f150~xlt`. Spelling variants have the same text. */
export const wordText = ({ make, model, trim }: FindWord): string =>
  [make, model, trim].flatMap((part) => (part === undefined ? [] : wordKey(part))).join('~')

const writeWords = (words: readonly FindWord[]) =>
  words
    .map(({ make, model, trim }) =>
      [make, model, trim].flatMap((part) => (part === undefined ? [] : writeWord(part))).join('~'),
    )
    .join(',')

/** Parses `2019-2021`, `-30000`, `2019-` or `2019`. Swaps reversed bounds. Returns an open range if the text is unreadable. */
function readBounds(text: string, least: number, most: number): FindRange {
  const found = /^(\d*)(-?)(\d*)$/.exec(text.trim())
  if (found === null) return {}
  const [, from = '', dash = '', to = ''] = found
  const bound = (digits: string) => (digits === '' ? undefined : Math.min(most, Math.max(least, Number(digits))))
  const [one, other] = [bound(from), dash === '' ? bound(from) : bound(to)]
  const [low, high] = one !== undefined && other !== undefined && one > other ? [other, one] : [one, other]
  return { ...(low !== undefined && { from: low }), ...(high !== undefined && { to: high }) }
}

function readRange(text: string, least: number, most: number): FindRange {
  const parts = text.split(',').map((part) => part.trim())
  const bounds = parts.find((part) => part !== notStated) ?? ''
  return { ...readBounds(bounds, least, most), ...(parts.includes(notStated) && { none: true }) }
}

const wholeText = (bound: number | undefined, round: (bound: number) => number) =>
  bound === undefined ? '' : String(round(bound))

/** Writes a range. Rounds cents outward to whole dollars, so that the written range still includes both bounds. */
const writeRange = ({ from, to, none }: FindRange) =>
  [
    ...(from === undefined && to === undefined ? [] : [`${wholeText(from, Math.floor)}-${wholeText(to, Math.ceil)}`]),
    ...(none === undefined ? [] : [notStated]),
  ].join(',')

function readChoice<T extends string>(text: string, list: readonly T[]): T[] {
  const named = new Set(text.split(','))
  return list.filter((value) => named.has(value))
}

function readNumber(text: string, least: number, most: number): number | undefined {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? undefined : Math.min(most, Math.max(least, number))
}

const readNear = (text: string) =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9 -]/g, '')
    .trim()
    .slice(0, codeMax)
    .trim()

function readSort(text: string, query: Pick<FindQuery, 'near' | 'sale'>): FindSort {
  const sort = findSorts.find((one) => one === text) ?? 'newest'
  if (sort === 'nearest' && query.near === '') return 'newest'
  if (sort === 'ending' && !query.sale.includes('live')) return 'newest'
  return sort
}

const optional = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }

/** Parses the parameters of a URL. Ignores unknown and unreadable values, and never throws. */
export function readFind(params: Readonly<Record<string, string | undefined>>): FindQuery {
  const text = (key: FindKey) => params[key] ?? ''
  const near = readNear(text('near'))
  const sale = readChoice(text('sale'), findSales)
  const within = near === '' ? undefined : readNumber(text('within'), 1, radiusMax)
  return {
    mmt: readWords(text('mmt')),
    year: readRange(text('year'), yearMin, yearMax),
    price: readRange(text('price'), 0, priceMax),
    miles: readRange(text('miles'), 0, mileageMax),
    near,
    ...optional('within', within === undefined ? undefined : Math.round(within)),
    body: readChoice(text('body'), [...bodies, notStated]),
    drive: readChoice(text('drive'), [...drives, notStated]),
    fuel: readChoice(text('fuel'), [...fuels, notStated]),
    sale,
    connected: text('seller') === 'connected',
    ...optional('rating', readNumber(text('rating'), 1, ratingMax)),
    ...optional(
      'posted',
      findPosted.find((days) => String(days) === text('posted')),
    ),
    photos: text('photos') === '1',
    sort: readSort(text('sort'), { near, sale }),
    as: findViews.find((one) => one === text('as')) ?? 'rows',
  }
}

export function writeFind(query: FindQuery): FindParams {
  const { near, within } = query
  const all: Record<FindKey, string> = {
    mmt: writeWords(query.mmt),
    year: writeRange(query.year),
    price: writeRange(query.price),
    miles: writeRange(query.miles),
    near,
    within: near === '' || within === undefined ? '' : String(within),
    body: query.body.join(','),
    drive: query.drive.join(','),
    fuel: query.fuel.join(','),
    sale: query.sale.join(','),
    seller: query.connected ? 'connected' : '',
    rating: query.rating === undefined ? '' : String(query.rating),
    posted: query.posted === undefined ? '' : String(query.posted),
    photos: query.photos ? '1' : '',
    sort: query.sort === 'newest' ? '' : query.sort,
    as: query.as === 'rows' ? '' : query.as,
  }
  return Object.fromEntries(findKeys.flatMap((key) => (all[key] === '' ? [] : [[key, all[key]]])))
}

/** Returns the query string without `?`, in a fixed order. Does not escape commas, so that the URL stays readable. */
export function findSearch(query: FindQuery): string {
  return Object.entries(writeFind(query))
    .map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%20', '+')}`)
    .join('&')
}

/** Keeps only the conditions on vehicles. Drops the sort order, the layout, and a place without a radius. */
export const filtersOf = (query: FindQuery): FindQuery => ({
  ...query,
  near: query.within === undefined ? '' : query.near,
  sort: 'newest',
  as: 'rows',
})

export const parseFind = (search: string): FindQuery => readFind(Object.fromEntries(new URLSearchParams(search)))
