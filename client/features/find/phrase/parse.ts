import { emptyFind, type FindQuery, readFind, writeFind } from '#shared/find-query.ts'
import { yearMax } from '#shared/limits.ts'
import { stateNames } from '#shared/places.ts'
import { readNames } from './parse-names.ts'
import { idleWords, unwanting, wordsOfGroups, wordsOfSearches } from './grammar.ts'
import { type City, keyOf, knownCities } from './vocabulary.ts'

export interface Phrase {
  query: FindQuery
  /** Name of the place in `query.near`, if it was typed as a name. */
  place: string | undefined
  rest: string
}

interface Said extends FindQuery {
  place?: string
}

/** A longer text is not read as filters. */
export const phraseMax = 200

/**
 * Turns matched words into filters. Returns true on success, false to let the next rule try, and `text` to keep the words as text.
 * @param match the groups
 * @param after the text after the match
 */
type Take = (said: Said, match: string[], after: string) => boolean | 'text'
type Rule = readonly [RegExp, Take]

const less = String.raw`(?:under|below|less than|lower than|fewer than|at most|up to|max(?:imum)?\.?(?: of)?|<=?)`
const more = String.raw`(?:over|above|more than|at least|min(?:imum)?\.?(?: of)?|starting at|>=?)`
const to = String.raw`\s*(?:-|to|through|thru|and)\s*`
const number = String.raw`(\d+(?:\.\d+)?)`
const dollars = String.raw`\$` + number
const year = String.raw`'?((?:19[5-9]|20[0-3])\d)`
/** The separator before a word. It is kept, because it may also end the previous word. */
const start = String.raw`(^|[\s,;(])`
const end = String.raw`(?=$|[\s,;.)!?])`

const not = `(?:${[...unwanting].join('|')})`

const rule = (pattern: string, take: Take): Rule => [new RegExp(start + pattern + end, 'gi'), take]

/** Sets a range unless there is one already. */
function takeRange(name: 'year' | 'price' | 'miles') {
  return (said: Said, from: number | undefined, to: number | undefined): boolean => {
    const known = said[name]
    const isNew = (from === undefined || known.from === undefined) && (to === undefined || known.to === undefined)
    if (!isNew) return false
    const [least, most] = from !== undefined && to !== undefined && from > to ? [to, from] : [from, to]
    said[name] = { ...known, ...(least !== undefined && { from: least }), ...(most !== undefined && { to: most }) }
    return true
  }
}
const takeYears = takeRange('year')
const takePrice = takeRange('price')
const takeMiles = takeRange('miles')

const inYears = (value: number): boolean => value <= yearMax

/** `19` is 2019, `98` is 1998; undefined if it cannot be a car's year. */
function shortYear(digits: string): number | undefined {
  const value = Number(digits)
  if (value <= yearMax - 2000) return 2000 + value
  return value >= 80 ? 1900 + value : undefined
}

const nameOfState = (code: string): string => stateNames[code as keyof typeof stateNames] ?? code

const zip = String.raw`(\d{5}(?:-\d{4})?|[ABCEGHJ-NPRSTVXY]\d[A-Z](?:[ -]?\d[A-Z]\d)?)`
/** A city only with its own state, so that `or` after another city is not Oregon. */
const cityWords = knownCities
  .toSorted((a, b) => b.city.length - a.city.length)
  .map(({ city, state }) => {
    const name = city.replace('St. ', String.raw`(?:st\.?|saint) `)
    return `${name}(?:,? *(?:${state}|${nameOfState(state)}))?`
  })
  .join('|')
const place = `(?:${zip}|(${cityWords}))`

/** State codes that are also words: `DALLAS OR HOUSTON`, `dallas colorado`. */
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
  /** The words around it make clear that it is a place. */
  isSure: boolean
}

function takeCode(said: Said, code: string, isSure: boolean): boolean {
  // A ZIP+4 looks like two numbers, so it counts only if the words around it make it clear.
  const [, five = code, street] = /^(\d{5})(-\d{4})?$/.exec(code) ?? []
  // A round number is a price or mileage without a unit; no ZIP ends in 000.
  if (/^\d+000$/.test(five) || (street !== undefined && !isSure)) return false
  said.near = five.toUpperCase().replace('-', ' ')
  return true
}

function takePlace(said: Said, { code, name, isSure }: Where): boolean {
  if (said.near !== '') return false
  if (code !== undefined) return takeCode(said, code, isSure)
  const found = cityNamed(name ?? '')
  if (found === undefined) return false
  const { city, isWhole } = found
  if (!isWhole && city.isAlsoCar && !isSure) return false
  said.near = city.code
  said.place = `${city.city}, ${city.state}`
  return true
}

/** Largest radius, in miles. */
const withinMax = 500
const isNeighbourhood = (miles: string | undefined): boolean => Number(miles) > 0 && Number(miles) <= withinMax

function takeAround(said: Said, miles: string | undefined, where: Where): boolean {
  if (said.within !== undefined || !isNeighbourhood(miles) || !takePlace(said, where)) return false
  said.within = Number(miles)
  return true
}

const sure = (code: string | undefined, name: string | undefined): Where => ({ code, name, isSure: true })

/** `Portland, ME` is not the Portland in our list, so leave it to the server. */
const elsewhere: Rule = rule(
  `(${cityWords})(?: |(,)) *(${anyState})`,
  (_said, [name = '', comma, state = ''], after) => {
    const isKnown = cityNamed(name)?.city.isAlsoCar === true || cityNamed(name + state)?.isWhole === true
    const isSure = comma !== undefined || after.trim() === '' || (isUpper(state) && !isUpper(name))
    return !isKnown && (isSure || !isWordToo(state)) && 'text'
  },
)
const close = '(?:near|around|close to|close by|in|from)'
const distances: Rule[] = [
  elsewhere,
  rule(
    `(?:within |inside |max )?${number}(?:mi)? ?(?:radius )?(?:of|from|around|away from|near) ${place}`,
    (said, [miles, code, name]) => takeAround(said, miles, sure(code, name)),
  ),
  rule(`(?:${close} )?${place},? (?:within |\\+ ?)?${number}mi(?: radius)?`, (said, [code, name, miles]) =>
    takeAround(said, miles, sure(code, name)),
  ),
]

const places: Rule[] = [
  rule(`${not} (?:${close} )?${place}`, () => 'text'),
  rule(`${close} ${place}`, (said, [code, name]) => takePlace(said, sure(code, name))),
  rule(place, (said, [code, name]) => takePlace(said, { code, name, isSure: false })),
  // Only if a place is known.
  rule(`(?:within |inside )${number}(?:mi)?`, (said, [miles]) => {
    if (said.near === '' || said.within !== undefined || !isNeighbourhood(miles)) return false
    said.within = Number(miles)
    return true
  }),
]

const years: Rule[] = [
  rule(`${not} ${year}(?:${to}${year})?`, () => 'text'),
  rule(`(?:between |from )?${year}${to}${year}`, (said, [a, b]) => takeYears(said, Number(a), Number(b))),
  rule(String.raw`(?:from )?${year}\s*-\s*'?(\d\d)`, (said, [a = '', b = '']) => {
    const last = shortYear(b)
    return last !== undefined && takeYears(said, Number(a), last)
  }),
  rule(String.raw`'?(\d\d)\s*-\s*'?(\d\d)`, (said, [a = '', b = '']) => {
    const [first, last] = [shortYear(a), shortYear(b)]
    return first !== undefined && last !== undefined && takeYears(said, first, last)
  }),
  rule(String.raw`${year} ?(?:\+|(?:or|and|&) (?:newer|up|later|above|on)|newer|onwards?|up)`, (said, [a]) =>
    takeYears(said, Number(a), undefined),
  ),
  rule(`(?:since|from|starting|not older than) ${year}`, (said, [a]) => takeYears(said, Number(a), undefined)),
  rule(`(?:newer than|after|later than) ${year}`, (said, [a]) => takeYears(said, Number(a) + 1, undefined)),
  rule(`${year} (?:(?:or|and|&) (?:older|earlier|before|down)|older)`, (said, [a]) =>
    takeYears(said, undefined, Number(a)),
  ),
  rule(`(?:until|up to|through|not newer than) ${year}`, (said, [a]) => takeYears(said, undefined, Number(a))),
  rule(`(?:(?:before|older than|earlier than) |pre[ -]?)${year}`, (said, [a]) =>
    takeYears(said, undefined, Number(a) - 1),
  ),
  // A number after `less` or `more` could be a price, a mileage or a year.
  rule(`(?:${less}|${more}) ?${year}`, () => 'text'),
  rule(String.raw`(?:year |model year )?${year}`, (said, [a]) => takeOneYear(said, Number(a))),
  rule(String.raw`'(\d\d)`, (said, [a = '']) => {
    const one = shortYear(a)
    return one !== undefined && takeOneYear(said, one)
  }),
]

/** Several single years become one range. */
function takeOneYear(said: Said, value: number): boolean {
  if (!inYears(value)) return false
  const { from = value, to = value } = said.year
  said.year = { from: Math.min(from, value), to: Math.max(to, value) }
  return true
}

const asked = '(?:(?:price|priced|asking|cost|costs|costing|for|at)(?: is| at|:)? )'
const money: Rule[] = [
  rule(String.raw`${asked}?(?:between |from )?(?:${dollars}${to}\$?|${number}${to}\$)${number}`, (said, [a, also, b]) =>
    takePrice(said, Number(a ?? also), Number(b)),
  ),
  rule(`${asked}(?:between |from )?${number}${to}${number}`, (said, [a, b]) => takePrice(said, Number(a), Number(b))),
  rule(String.raw`${asked}?${more} ?${dollars}`, (said, [a]) => takePrice(said, Number(a), undefined)),
  rule(String.raw`${asked}?${dollars} ?(?:\+|(?:or|and|&) (?:more|up|over|above))`, (said, [a]) =>
    takePrice(said, Number(a), undefined),
  ),
  rule(String.raw`${asked}?(?:${less} ?)?${dollars}(?: (?:max|tops|(?:or|and) (?:less|under|below)))?`, (said, [a]) =>
    takePrice(said, undefined, Number(a)),
  ),
  rule(`${asked}${more} ?${number}`, (said, [a]) => takePrice(said, Number(a), undefined)),
  rule(`${asked}${less} ?${number}`, (said, [a]) => takePrice(said, undefined, Number(a))),
]

function put(said: Said, change: Partial<Said>): boolean {
  Object.assign(said, change)
  return true
}

/** Above this, a number without a unit is a mileage. */
const milesFrom = 3_000
const isMileage = (value: string | undefined): boolean => Number(value) >= milesFrom

const driven = '(?:(?:with|having|miles|mileage|odometer)(?: is|:)? )'
const mileage: Rule[] = [
  rule(`${driven}?(?:between |from )?${number}(?:mi)?${to}${number}mi`, (said, [a, b]) =>
    takeMiles(said, Number(a), Number(b)),
  ),
  rule(`${driven}${less} ?${number}(?:mi)?`, (said, [a]) => takeMiles(said, undefined, Number(a))),
  rule(`${driven}${more} ?${number}(?:mi)?`, (said, [a]) => takeMiles(said, Number(a), undefined)),
  rule(`${more} ?${number}mi`, (said, [a]) => takeMiles(said, Number(a), undefined)),
  rule(String.raw`${number}mi ?(?:\+|(?:or|and|&) (?:more|up|over|above))`, (said, [a]) =>
    takeMiles(said, Number(a), undefined),
  ),
  rule(`${less} ?${number}mi`, (said, [a]) => takeMiles(said, undefined, Number(a))),
  rule(
    `${number}mi(?: (?:max|tops|(?:or|and) (?:less|under|below)))?`,
    (said, [a]) => isMileage(a) && takeMiles(said, undefined, Number(a)),
  ),
  rule(`${more} ?${number}(?! ?km)`, (said, [a]) => isMileage(a) && takeMiles(said, Number(a), undefined)),
  rule(`${less} ?${number}(?! ?km)`, (said, [a]) => isMileage(a) && takeMiles(said, undefined, Number(a))),
  rule('low (?:miles|mileage)', (said) => put(said, { sort: 'mileage' })),
]

const also = <Value>(list: readonly Value[], values: readonly Value[]): Value[] => [...new Set([...list, ...values])]
const chosen = (words: string, change: Partial<Pick<FindQuery, 'body' | 'drive' | 'fuel' | 'sale'>>): Rule =>
  rule(`(?:${words})`, (said) => {
    const { body = [], drive = [], fuel = [], sale = [] } = change
    return put(said, {
      body: also(said.body, body),
      drive: also(said.drive, drive),
      fuel: also(said.fuel, fuel),
      sale: also(said.sale, sale),
    })
  })
const set = (words: string, change: Partial<Said>): Rule => rule(`(?:${words})`, (said) => put(said, change))

const anyWords = `(?:${[...wordsOfGroups, ...wordsOfSearches].map(([one]) => one).join('|')})`

const words: Rule[] = [
  rule(`(?!no auctions?${end})${not} (?:an? |any )?${anyWords}(?: n?or ${anyWords})*`, () => 'text'),
  ...wordsOfGroups.map(([words, change]) => chosen(words, change)),
  ...wordsOfSearches.map(([words, change]) => set(words, change)),
]

/** Normalizes amounts: `40k` to 40000, `30 grand` to $30000, `200 miles` to 200mi. */
function normalised(text: string): string {
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

/** Characters that replace words which stay text, so that later rules skip them. */
const markerFrom = 0xe000
const markers = /[\uE000-\uF8FF]/g

function apply(rules: readonly Rule[], text: string, said: Said, kept: string[]): string {
  return rules.reduce(
    (words, [pattern, take]) =>
      words.replaceAll(pattern, (...args) => {
        const [all, before = '', ...more] = args as [string, string, ...string[]]
        const [offset, whole] = args.slice(-2) as unknown as [number, string]
        const answer = take(said, more.slice(0, -2), whole.slice(offset + all.length))
        if (answer === false) return all
        if (answer === true) return `${before} `
        kept.push(all.slice(before.length))
        return before + String.fromCharCode(markerFrom + kept.length - 1)
      }),
    text,
  )
}

/** Reads a text as filters. Ambiguous words are never guessed; they stay text in `rest`. */
export function readPhrase(text: string): Phrase {
  const said: Said = { ...emptyFind }
  const kept: string[] = []
  const typed = normalised(text.slice(0, phraseMax))
  const left = apply([...distances, ...money, ...years, ...mileage, ...places], typed, said, kept)
  const named = readNames(left)
  said.mmt = named.mmt
  const rest = apply(words, named.left, said, kept)
    .split(/\s+/)
    .filter((word) => !idleWords.has(word.toLowerCase()))
    .join(' ')
    .replaceAll(markers, (mark) => kept[mark.charCodeAt(0) - markerFrom] ?? '')
    .trim()
  const { place, ...query } = said
  return { query: readFind(writeFind(query)), place, rest }
}
