import { emptyFind, type FindQuery, readFind, writeFind } from '#shared/find-query.ts'
import { yearMax } from '#shared/limits.ts'
import { stateNames } from '#shared/places.ts'
import type { FindHome } from '#shared/schemas/find.ts'
import { formatPlace } from '#client/ui/format.ts'
import { readNames } from './parse-names.ts'
import {
  exclusionWords,
  fillerWords,
  nearMeMiles,
  wordsOfDependentSorts,
  wordsOfGroups,
  wordsOfOwnPlace,
  wordsOfSearches,
} from './grammar.ts'
import { type City, keyOf, knownCities } from './vocabulary.ts'

export interface Phrase {
  query: FindQuery
  /** The name of the place in `query.near`, if the dealer typed a name instead of a code. */
  place: string | undefined
  rest: string
  /** True if words such as `near me` stay in `rest`, because the dealer's location is unknown. */
  lacksHome: boolean
}

/** The dealer's own location: null if it is unknown, undefined if it has not been fetched. */
export type OwnPlace = FindHome | null | undefined

interface ParsedText extends FindQuery {
  place?: string
  home: OwnPlace
  lacksHome: boolean
  /** The radius if the text has no radius. */
  usualWithin?: number
}

export const phraseMax = 200

/**
 * Turns the words that a rule matched into filters. Returns true to remove the words, false to leave them for later rules, or `text` to
 * hide them from later rules and keep them in `rest`.
 * @param match the capture groups
 * @param after the text after the match
 */
type ApplyMatch = (parsed: ParsedText, match: string[], after: string) => boolean | 'text'
type Rule = readonly [RegExp, ApplyMatch]

const less = String.raw`(?:under|below|less than|lower than|fewer than|at most|up to|max(?:imum)?\.?(?: of)?|<=?)`
const more = String.raw`(?:over|above|more than|at least|min(?:imum)?\.?(?: of)?|starting at|>=?)`
const to = String.raw`\s*(?:-|to|through|thru|and)\s*`
const number = String.raw`(\d+(?:\.\d+)?)`
const dollars = String.raw`\$` + number
const year = String.raw`'?((?:19[5-9]|20[0-3])\d)`
/** Matches the separator before a word. It stays in the text, because it may also end the previous match. */
const start = String.raw`(^|[\s,;(])`
const end = String.raw`(?=$|[\s,;.)!?])`

const not = `(?:${[...exclusionWords].join('|')})`

const rule = (pattern: string, applyMatch: ApplyMatch): Rule => [new RegExp(start + pattern + end, 'gi'), applyMatch]

/** Returns a function that sets a range. It returns false if the search already has one of these bounds. */
function takeRange(name: 'year' | 'price' | 'miles') {
  return (parsed: ParsedText, from: number | undefined, to: number | undefined): boolean => {
    const known = parsed[name]
    const isNew = (from === undefined || known.from === undefined) && (to === undefined || known.to === undefined)
    if (!isNew) return false
    const [least, most] = from !== undefined && to !== undefined && from > to ? [to, from] : [from, to]
    parsed[name] = { ...known, ...(least !== undefined && { from: least }), ...(most !== undefined && { to: most }) }
    return true
  }
}
const takeYears = takeRange('year')
const takePrice = takeRange('price')
const takeMiles = takeRange('miles')

const inYears = (value: number): boolean => value <= yearMax

/** Expands a two-digit year: `19` is 2019, `98` is 1998. Returns undefined if the year is not plausible. */
function shortYear(digits: string): number | undefined {
  const value = Number(digits)
  if (value <= yearMax - 2000) return 2000 + value
  return value >= 80 ? 1900 + value : undefined
}

const nameOfState = (code: string): string => stateNames[code as keyof typeof stateNames] ?? code

const zip = String.raw`(\d{5}(?:-\d{4})?|[ABCEGHJ-NPRSTVXY]\d[A-Z](?:[ -]?\d[A-Z]\d)?)`
/** Matches a known city, optionally with its own state, so that the `or` in `Dallas or Houston` is not read as Oregon. */
const cityWords = knownCities
  .toSorted((a, b) => b.city.length - a.city.length)
  .map(({ city, state }) => {
    const name = city.replace('St. ', String.raw`(?:st\.?|saint) `)
    return `${name}(?:,? *(?:${state}|${nameOfState(state)}))?`
  })
  .join('|')
const place = `(?:${zip}|(${cityWords}))`

/** True for states that could be another word: `OR` in `DALLAS OR HOUSTON`, or the model in `dallas colorado`. */
const isWordToo = (state: string): boolean => /^(?:or|in|me|ok|hi|colorado)$/i.test(state)
const anyState = Object.entries(stateNames).flat().join('|')
const isUpper = (text: string): boolean => text === text.toUpperCase()

const cityKey = (name: string): string => keyOf(name.replace(/^saint /i, 'st '))

function cityNamed(words: string): { city: City; isWhole: boolean } | undefined {
  const key = cityKey(words)
  for (const city of knownCities) {
    const name = cityKey(city.city)
    if (key === name) return { city, isWhole: false }
    if ([city.state, nameOfState(city.state)].some((state) => key === name + keyOf(state)))
      return { city, isWhole: true }
  }
  return undefined
}

interface Where {
  code?: string | undefined
  name?: string | undefined
  /** True if the words around the match show that it is a place. */
  isSure: boolean
}

function takeCode(parsed: ParsedText, code: string, isSure: boolean): boolean {
  // `12345-6789` could be a ZIP+4 or a range. Treat it as a ZIP+4 only if the surrounding words indicate a place.
  const [, five = code, street] = /^(\d{5})(-\d{4})?$/.exec(code) ?? []
  // Leave a round number to the rules for prices and mileages, because no ZIP ends in 000.
  if (/^\d+000$/.test(five) || (street !== undefined && !isSure)) return false
  parsed.near = five.toUpperCase().replace('-', ' ')
  return true
}

function takePlace(parsed: ParsedText, { code, name, isSure }: Where): boolean {
  if (parsed.near !== '') return false
  if (code !== undefined) return takeCode(parsed, code, isSure)
  const found = cityNamed(name ?? '')
  if (found === undefined) return false
  const { city, isWhole } = found
  if (!isWhole && city.isAlsoCar && !isSure) return false
  parsed.near = city.code
  parsed.place = `${city.city}, ${city.state}`
  return true
}

/** Largest search radius in miles. */
const withinMax = 500
const isRadius = (miles: string | undefined): boolean => Number(miles) > 0 && Number(miles) <= withinMax

function takeAround(parsed: ParsedText, miles: string | undefined, where: Where): boolean {
  if (parsed.within !== undefined || !isRadius(miles) || !takePlace(parsed, where)) return false
  parsed.within = Number(miles)
  return true
}

/** Applies words such as `near me`. Leaves them in the text if the dealer's location is unknown. */
function takeHome(parsed: ParsedText, change: Partial<ParsedText>): boolean | 'text' {
  const { near, home } = parsed
  if (near !== '') return false
  if (!home) {
    parsed.lacksHome = home === null
    return 'text'
  }
  return put(parsed, { near: home.code, place: formatPlace({ city: home.city, state: home.region }), ...change })
}

const takeAroundHome = (parsed: ParsedText, miles: string | undefined): boolean | 'text' =>
  isRadius(miles) && takeHome(parsed, { within: Number(miles) })

const sure = (code: string | undefined, name: string | undefined): Where => ({ code, name, isSure: true })

/** Leaves `Portland, ME` to the server, because our list contains another Portland. */
const takeUnlistedCity: Rule = rule(
  `(${cityWords})(?: |(,)) *(${anyState})`,
  (_parsed, [name = '', comma, state = ''], after) => {
    const isKnown = cityNamed(name)?.city.isAlsoCar === true || cityNamed(name + state)?.isWhole === true
    const isSure = comma !== undefined || after.trim() === '' || (isUpper(state) && !isUpper(name))
    return !isKnown && (isSure || !isWordToo(state)) && 'text'
  },
)
const close = '(?:near|around|close to|close by|in|from)'
const { near: nearMe, nearby, from: fromMe, closest: closestToMe } = wordsOfOwnPlace
const takeNearHome = (parsed: ParsedText) => takeHome(parsed, { usualWithin: nearMeMiles })
const distances: Rule[] = [
  rule(`${not} (?:${nearMe}|${nearby}|${closestToMe})`, () => 'text'),
  rule(closestToMe, (parsed) => takeHome(parsed, { sort: 'nearest' })),
  // Without `within`, a number needs its unit here and below, because it could be a model: `mazda 3 near me`.
  rule(`(?:within|inside|max) ${number}(?:mi)? ?(?:radius )?${fromMe}`, (parsed, [miles]) =>
    takeAroundHome(parsed, miles),
  ),
  rule(`${number}mi ?(?:radius )?${fromMe}`, (parsed, [miles]) => takeAroundHome(parsed, miles)),
  rule(`${nearMe},? (?:within |\\+ ?)?${number}mi(?: radius)?`, (parsed, [miles]) => takeAroundHome(parsed, miles)),
  rule(nearMe, takeNearHome),
  takeUnlistedCity,
  ...[`(?:within|inside|max) ${number}(?:mi)?`, `${number}mi`].map((distance) =>
    rule(`${distance} ?(?:radius )?(?:of|from|around|away from|near) ${place}`, (parsed, [miles, code, name]) =>
      takeAround(parsed, miles, sure(code, name)),
    ),
  ),
  rule(`(?:${close} )?${place},? (?:within |\\+ ?)?${number}mi(?: radius)?`, (parsed, [code, name, miles]) =>
    takeAround(parsed, miles, sure(code, name)),
  ),
]

const places: Rule[] = [
  rule(`${not} (?:${close} )?${place}`, () => 'text'),
  rule(`${close} ${place}`, (parsed, [code, name]) => takePlace(parsed, sure(code, name))),
  rule(place, (parsed, [code, name]) => takePlace(parsed, { code, name, isSure: false })),
  // Only after the other places, because of `nearby Dallas`.
  rule(nearby, takeNearHome),
  // A radius applies only if a place is known.
  rule(`(?:within |inside )${number}(?:mi)?`, (parsed, [miles]) => {
    if (parsed.near === '' || parsed.within !== undefined || !isRadius(miles)) return false
    parsed.within = Number(miles)
    return true
  }),
]

const years: Rule[] = [
  rule(`${not} ${year}(?:${to}${year})?`, () => 'text'),
  rule(`(?:between |from )?${year}${to}${year}`, (parsed, [a, b]) => takeYears(parsed, Number(a), Number(b))),
  rule(String.raw`(?:from )?${year}\s*-\s*'?(\d\d)`, (parsed, [a = '', b = '']) => {
    const last = shortYear(b)
    return last !== undefined && takeYears(parsed, Number(a), last)
  }),
  rule(String.raw`'?(\d\d)\s*-\s*'?(\d\d)`, (parsed, [a = '', b = '']) => {
    const [first, last] = [shortYear(a), shortYear(b)]
    return first !== undefined && last !== undefined && takeYears(parsed, first, last)
  }),
  rule(String.raw`${year} ?(?:\+|(?:or|and|&) (?:newer|up|later|above|on)|newer|onwards?|up)`, (parsed, [a]) =>
    takeYears(parsed, Number(a), undefined),
  ),
  rule(`(?:since|from|starting|not older than) ${year}`, (parsed, [a]) => takeYears(parsed, Number(a), undefined)),
  rule(`(?:newer than|after|later than) ${year}`, (parsed, [a]) => takeYears(parsed, Number(a) + 1, undefined)),
  rule(`${year} (?:(?:or|and|&) (?:older|earlier|before|down)|older)`, (parsed, [a]) =>
    takeYears(parsed, undefined, Number(a)),
  ),
  rule(`(?:until|up to|through|not newer than) ${year}`, (parsed, [a]) => takeYears(parsed, undefined, Number(a))),
  rule(`(?:(?:before|older than|earlier than) |pre[ -]?)${year}`, (parsed, [a]) =>
    takeYears(parsed, undefined, Number(a) - 1),
  ),
  // After `less` or `more`, the number could be a price, a mileage or a year, so do not turn it into a filter.
  rule(`(?:${less}|${more}) ?${year}`, () => 'text'),
  rule(String.raw`(?:year |model year )?${year}`, (parsed, [a]) => takeOneYear(parsed, Number(a))),
  rule(String.raw`'(\d\d)`, (parsed, [a = '']) => {
    const one = shortYear(a)
    return one !== undefined && takeOneYear(parsed, one)
  }),
]

/** Several single years become one range. */
function takeOneYear(parsed: ParsedText, value: number): boolean {
  if (!inYears(value)) return false
  const { from = value, to = value } = parsed.year
  parsed.year = { from: Math.min(from, value), to: Math.max(to, value) }
  return true
}

const asked = '(?:(?:price|priced|asking|cost|costs|costing|for|at)(?: is| at|:)? )'
const money: Rule[] = [
  rule(
    String.raw`${asked}?(?:between |from )?(?:${dollars}${to}\$?|${number}${to}\$)${number}`,
    (parsed, [a, also, b]) => takePrice(parsed, Number(a ?? also), Number(b)),
  ),
  rule(`${asked}(?:between |from )?${number}${to}${number}`, (parsed, [a, b]) =>
    takePrice(parsed, Number(a), Number(b)),
  ),
  rule(String.raw`${asked}?${more} ?${dollars}`, (parsed, [a]) => takePrice(parsed, Number(a), undefined)),
  rule(String.raw`${asked}?${dollars} ?(?:\+|(?:or|and|&) (?:more|up|over|above))`, (parsed, [a]) =>
    takePrice(parsed, Number(a), undefined),
  ),
  rule(String.raw`${asked}?(?:${less} ?)?${dollars}(?: (?:max|tops|(?:or|and) (?:less|under|below)))?`, (parsed, [a]) =>
    takePrice(parsed, undefined, Number(a)),
  ),
  rule(`${asked}${more} ?${number}`, (parsed, [a]) => takePrice(parsed, Number(a), undefined)),
  rule(`${asked}${less} ?${number}`, (parsed, [a]) => takePrice(parsed, undefined, Number(a))),
]

function put(parsed: ParsedText, change: Partial<ParsedText>): boolean {
  Object.assign(parsed, change)
  return true
}

/** From this value on, a number without a unit can be a mileage. */
const milesFrom = 3_000
const isMileage = (value: string | undefined): boolean => Number(value) >= milesFrom

const driven = '(?:(?:with|having|miles|mileage|odometer)(?: is|:)? )'
const mileage: Rule[] = [
  rule(`${driven}?(?:between |from )?${number}(?:mi)?${to}${number}mi`, (parsed, [a, b]) =>
    takeMiles(parsed, Number(a), Number(b)),
  ),
  rule(`${driven}${less} ?${number}(?:mi)?`, (parsed, [a]) => takeMiles(parsed, undefined, Number(a))),
  rule(`${driven}${more} ?${number}(?:mi)?`, (parsed, [a]) => takeMiles(parsed, Number(a), undefined)),
  rule(`${more} ?${number}mi`, (parsed, [a]) => takeMiles(parsed, Number(a), undefined)),
  rule(String.raw`${number}mi ?(?:\+|(?:or|and|&) (?:more|up|over|above))`, (parsed, [a]) =>
    takeMiles(parsed, Number(a), undefined),
  ),
  rule(`${less} ?${number}mi`, (parsed, [a]) => takeMiles(parsed, undefined, Number(a))),
  rule(
    `${number}mi(?: (?:max|tops|(?:or|and) (?:less|under|below)))?`,
    (parsed, [a]) => isMileage(a) && takeMiles(parsed, undefined, Number(a)),
  ),
  rule(`${more} ?${number}(?! ?km)`, (parsed, [a]) => isMileage(a) && takeMiles(parsed, Number(a), undefined)),
  rule(`${less} ?${number}(?! ?km)`, (parsed, [a]) => isMileage(a) && takeMiles(parsed, undefined, Number(a))),
  rule('low (?:miles|mileage)', (parsed) => put(parsed, { sort: 'mileage' })),
]

const also = <Value>(list: readonly Value[], values: readonly Value[]): Value[] => [...new Set([...list, ...values])]
const chosen = (words: string, change: Partial<Pick<FindQuery, 'body' | 'drive' | 'fuel' | 'sale'>>): Rule =>
  rule(`(?:${words})`, (parsed) => {
    const { body = [], drive = [], fuel = [], sale = [] } = change
    return put(parsed, {
      body: also(parsed.body, body),
      drive: also(parsed.drive, drive),
      fuel: also(parsed.fuel, fuel),
      sale: also(parsed.sale, sale),
    })
  })
const set = (words: string, change: Partial<ParsedText>): Rule => rule(`(?:${words})`, (parsed) => put(parsed, change))

const { nearest, ending } = wordsOfDependentSorts
const anyWords = `(?:${[...[...wordsOfGroups, ...wordsOfSearches].map(([one]) => one), nearest, ending].join('|')})`

const words: Rule[] = [
  rule(`(?!no auctions?${end})${not} (?:an? |any )?${anyWords}(?: n?or ${anyWords})*`, () => 'text'),
  ...wordsOfGroups.map(([words, change]) => chosen(words, change)),
  ...wordsOfSearches.map(([words, change]) => set(words, change)),
  rule(nearest, (parsed) => (parsed.near === '' ? 'text' : put(parsed, { sort: 'nearest' }))),
  rule(ending, (parsed) => put(parsed, { sort: 'ending', sale: also(parsed.sale, ['live']) })),
]

const isOnlyNearest = new RegExp(`^${nearest}$`, 'i')

/** Normalizes amounts: `40k` to 40000, `30 grand` to $30000, `200 miles` to 200mi. */
function normalized(text: string): string {
  const thousand = (digits: string) => String(Math.round(Number(digits) * 1_000))
  return text
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/(\d),(?=\d{3}\b)/g, '$1')
    .replaceAll(/(^|\D)\$\s+(?=\d)/g, '$1$$')
    .replaceAll(
      /(^|[^\w.])(\d{1,3}(?:\.\d+)?)\s?k?(\s*(?:-|to|and)\s*\$?)(?=\d{1,3}(?:\.\d+)?\s?(?:k|grand|thousand)\b)/gi,
      (_all, before: string, digits: string, between: string) => before + thousand(digits) + between,
    )
    .replaceAll(
      /(^|[^\w.$])(\d+(?:\.\d+)?)\s?grand\b/gi,
      (_all, before: string, digits: string) => before + '$' + thousand(digits),
    )
    .replaceAll(
      /(^|[^\w.])(\d+(?:\.\d+)?)\s?(?:k|thousand)(?=mi|[^\w]|$)/gi,
      (_all, before: string, digits: string) => before + thousand(digits),
    )
    .replaceAll(/(^|[^\w.$])(\d+(?:\.\d+)?)\s?(?:dollars|usd|bucks|\$(?!\d))/gi, '$1$$$2')
    .replaceAll(/(\d)\s?(?:miles|mile|mi|mls)\b\.?/gi, '$1mi')
    .replaceAll(/\b(?:no|not) (?:more|higher|greater) than\b|\bnot (?:over|above)\b/gi, 'under')
    .replaceAll(/\b(?:no|not) (?:less|lower|fewer) than\b|\bnot (?:under|below)\b/gi, 'over')
    .replaceAll(/\bmini[ -]van/gi, 'minivan')
}

/** Private-use characters that replace words kept in `rest`, so that later rules skip those words. */
const markerFrom = 0xe000
const markers = /[\uE000-\uF8FF]/g

function apply(rules: readonly Rule[], text: string, parsed: ParsedText, kept: string[]): string {
  return rules.reduce(
    (words, [pattern, applyMatch]) =>
      words.replaceAll(pattern, (...args) => {
        const [all, before = '', ...more] = args as [string, string, ...string[]]
        const [offset, whole] = args.slice(-2) as unknown as [number, string]
        const answer = applyMatch(parsed, more.slice(0, -2), whole.slice(offset + all.length))
        if (answer === false) return all
        if (answer === true) return `${before} `
        kept.push(all.slice(before.length))
        return before + String.fromCharCode(markerFrom + kept.length - 1)
      }),
    text,
  )
}

/** Parses the text into filters. Words that are ambiguous or not a filter stay in `rest`. */
export function readPhrase(text: string, home?: OwnPlace): Phrase {
  const parsed: ParsedText = { ...emptyFind, home, lacksHome: false }
  const kept: string[] = []
  const typed = normalized(text.slice(0, phraseMax))
  const left = apply([...distances, ...money, ...years, ...mileage, ...places], typed, parsed, kept)
  const named = readNames(left)
  parsed.mmt = named.mmt
  let rest = apply(words, named.left, parsed, kept)
    .split(/\s+/)
    .filter((word) => !fillerWords.has(word.toLowerCase()))
    .join(' ')
    .replaceAll(markers, (mark) => kept[mark.charCodeAt(0) - markerFrom] ?? '')
    .trim()
  // Other words could be a place that only the server knows.
  if (isOnlyNearest.test(rest) && takeHome(parsed, { sort: 'nearest' }) === true) rest = ''
  const { place, lacksHome, within = parsed.usualWithin, ...query } = parsed
  return { query: readFind(writeFind({ ...query, ...(within !== undefined && { within }) })), place, rest, lacksHome }
}
