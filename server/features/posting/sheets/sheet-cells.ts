import { formatMoney } from '#shared/format.ts'
import { yearMax, yearMin } from '#shared/limits.ts'
import { isWholeCents } from '#server/platform/money.ts'

/** If both fields are set, the value is used, but the dealer should check it. If neither is set, the cell is empty. */
export interface CellReading<Value> {
  value?: Value
  fault?: string
}

export interface Unit {
  distance?: 'km' | 'km outside the US' | 'km or miles'
  thousands?: boolean
  /** Currency of the prices. Undefined for US dollars. */
  currency?: string
}

const milesPerKm = 0.621_371_192
const mileageMax = 9_999_999
const priceMax = 99_999_999
/** A price below this is probably in thousands: 12.9 means 12,900. */
const priceMin = 100
const thousand = 1_000
/** Longer text cannot be a number. Skipping it avoids slow parsing. */
const cellMax = 200
/** A date before this year is not a model year, but a plain number that the sheet formats as a date. */
const datedYearMin = 1_910

/** Arabic, Persian and Devanagari digits. `digitOf` lists each script's digits from 0 to 9. */
const otherDigits = /[٠-٩۰-۹०-९]/g
const digitOf = (digit: string): string => String('٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९'.indexOf(digit) % 10)

const plainText = (text: string): string =>
  /^[!-~]*$/.test(text) && !text.includes('"') && !text.includes('`')
    ? text.toLowerCase()
    : text
        .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
        .replace(otherDigits, digitOf)
        .replaceAll('\u066b', '.')
        .replaceAll('\u066c', ',')
        .replace(/[‘’´`]/g, "'")
        .replace(/[“”„«»]/g, '"')
        .replace(/[−–—]/g, '-')
        .replace(/\p{Extended_Pictographic}[\ufe0f\u200d]*/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .toLowerCase()
        .normalize('NFD')
        .replace(/\p{M}/gu, '')

/** Removes the leading apostrophe that marks a number stored as text, and the equals sign of a constant that was exported as a formula. */
const withoutTextMark = (text: string): string => text.replace(/^'(?=.*\d)|^=(?=\$?\d[\d.,]*$)/, '')

const nothing = /^\s*[$€£]?\s*(?:[-−–—]+|\/|\.+)?\s*$/

/** True if the cell is blank or holds only a dash, perhaps with a currency sign, as in accounting formats. */
export const isNothing = (text: string): boolean => text === '' || nothing.test(text)

interface PlainNumber {
  value: number
  decimals: string
}

const grouped = /^[1-9]\d{0,2}([,. '])\d{3}(?:\1\d{3})*(?:(?!\1)[.,](\d{1,2}))?$/
const ungrouped = /^(\d+)(?:\.(\d+)|,(\d{1,2}))?$/
const exponential = /^(\d)(?:[.,](\d+))?e\+?0*(\d)$/

/** Parses an unambiguous number. Three digits after a separator are thousands: prices and mileages never have three decimals. */
function numberOf(text: string): PlainNumber | undefined {
  const groups = grouped.exec(text)
  if (groups !== null) {
    const [, , decimals = ''] = groups
    const whole = decimals === '' ? text : text.slice(0, -decimals.length - 1)
    return withDecimals(whole.replace(/\D/g, ''), decimals)
  }
  const [, whole, behindPoint, behindComma = ''] = ungrouped.exec(text) ?? []
  return whole === undefined ? powerOf(text) : withDecimals(whole, behindPoint ?? behindComma)
}

const withDecimals = (whole: string, decimals: string): PlainNumber => ({
  value: Number(decimals === '' ? whole : `${whole}.${decimals}`),
  decimals,
})

/** Parses `1.2995E4`. Rejects `1.3E+04`: a column too narrow for 12,995 shows it that way, so the last digits are lost. */
function powerOf(text: string): PlainNumber | undefined {
  const [, , digits = '', power] = exponential.exec(text) ?? []
  const isWhole = power !== undefined && digits.length >= Number(power)
  return isWhole ? { value: Number(text.replace(',', '.')), decimals: '' } : undefined
}

/** Parses the part before `k`, as in `45k`, `12.9k` and `12,5k`. Rejects three digits after a comma as ambiguous. */
function thousandsOf(text: string): PlainNumber | undefined {
  const [, whole, decimals = ''] = /^(\d{1,4})(?:\.(\d{1,3}))?$/.exec(text.replace(/,(?=\d{1,2}$)/, '.')) ?? []
  return whole === undefined
    ? undefined
    : { value: Math.round(Number(`${whole}.${decimals || 0}`) * thousand), decimals: '' }
}

const countOfNumbers = (text: string): number => text.match(/\d+(?:[.,']\d+)*(?: \d{3}(?!\d))*/g)?.length ?? 0

function numberFault(name: string, text: string): string {
  if (/^\(.*\)$|^-\s*\$?\s*\d|\d\s*-$/.test(text)) return `the ${name} is negative`
  if (countOfNumbers(text) > 1) return `the ${name} has more than one number`
  return countOfNumbers(text) === 0 ? `the ${name} is not a number` : `the ${name} could not be read`
}

const isNonZero = (decimals: string) => /[1-9]/.test(decimals)

const currencies =
  /^(?:u\.?s\.? ?\$|u\.?s\.?d?\.? ?\$?(?=\d)|usd ?\$?|ca ?\$|cad ?\$?|c\$|cdn ?\$?|mx ?\$|mxn ?\$?|au?d? ?\$|aud|nz ?\$|nzd|chf|fr\.|eur|gbp|jpy|inr|\$|€|£|¥|₹)|(?:us ?\$|usd|u\.?s\.?|ca ?\$|cad|cdn|(?<=\$ ?)ca|mxn|aud|nzd|chf|eur|gbp|jpy|inr|(?:u\.?s\.? )?dollars?|\$|€|£|¥|₹)$/
const priceNames =
  /^(?:(?:asking|sale|selling|our|wholesale|dealer|internet|list|retail|cash|net|special) price|asking|ask|sale|wholesale|whsl|retail|internet|list|net|cash|price|prix|now|only|just|reduced(?: to)?)\s*:?\s*(?=\W*\d|[a-z]{2,3} ?\$?\d)/
const fee = '(?:tax(?:es)?|tx|fees?|ttl|tt&l|t\\.t\\.l\\.?|lic(?:ense)?|doc(?: fees?)?|title)'
const priceWords = new RegExp(
  `[\\s,;(/[!*]*(?:o\\.?b\\.?o\\.?|o\\.?n\\.?o\\.?|b/?o|or (?:best|trade)(?: offer)?|firm|ferme|neg(?:o|ociable|otiable)?\\.?|cash(?: price)?|net(?: to seller)?|(?:plus|\\+|excl\\.?|before|incl\\.?|including) ?${fee}(?: ?(?:&|and|,) ?${fee})*|ttl|each|ea\\.?|asking|as[ -]is|wholesale|whsl|retail|reduced)[!*]*[)\\]]?$`,
)
const dashedCents = /[,.]-*$/

const foreignCurrencies: readonly (readonly [sign: RegExp, name: string])[] = [
  [/€|eur/, 'euros'],
  [/£|gbp/, 'pounds'],
  [/chf|fr/, 'Swiss francs'],
  [/^c|ca/, 'Canadian dollars'],
  [/mx/, 'Mexican pesos'],
  [/^a/, 'Australian dollars'],
  [/nz/, 'New Zealand dollars'],
  [/¥|jpy/, 'yen'],
  [/₹|inr/, 'rupees'],
]

const currencyOf = (sign: string): string | undefined => foreignCurrencies.find(([pattern]) => pattern.test(sign))?.[1]

function bareAmount(text: string): { amount: string; currency: string | undefined } {
  let amount = text.replace(/^[*!\s]+/, '').replace(priceNames, '')
  let currency: string | undefined
  for (let before = ''; before !== amount;) {
    before = amount
    const sign = currencies.exec(amount)?.[0] ?? ''
    currency ??= currencyOf(sign)
    amount = amount
      .replace(currencies, '')
      .replace(/[\s!*]+$/, '')
      .replace(priceWords, '')
      .replace(dashedCents, '')
      .trim()
  }
  return { amount, currency }
}

/** Reads a price in dollars: `$31,900.00` is 31900, and `12.9k` is 12900. A price of 0 counts as missing. */
export function readPrice(cell: string, unit: Unit & { ofRow?: string } = {}): CellReading<number> {
  if (isNothing(cell)) return {}
  if (cell.length > cellMax) return { fault: 'the price could not be read' }
  const text = plainText(withoutTextMark(cell))
  const { amount, currency: own } = bareAmount(text)
  const number = scaledNumber(amount.replace(/^\+ ?(?=\d)/, ''), unit)
  if (number === undefined) return { fault: numberFault('price', text) }
  const { value } = number
  const currency = own ?? currencyOf(plainText(unit.ofRow ?? '').trim())
  if (value === 0) return { fault: 'a price of 0 counts as missing' }
  if (value > priceMax) return { fault: 'the price is too high' }
  if (!isWholeCents(value)) return { fault: 'the price has more than two decimals' }
  if (value < priceMin) return { fault: `the price is below ${formatMoney(priceMin)}: it may be in thousands` }
  const dollars = Math.round(value * 100) / 100
  return currency === undefined
    ? { value: dollars }
    : { value: dollars, fault: `the price is in ${currency}, and listed in US dollars without conversion` }
}

const distanceUnit = /^(.*\d)\s*(k|t(?=km))?\s*(mi|mls|miles?|milles|millas|meilen|km|kms|kilomet(?:er|re)s?)\.?$/
const mileageNames = /^(?:odometer|mileage|miles|odo|mi|km)\s*:?\s*(?=\d)/

/** Reads a mileage in whole miles. Converts kilometers to miles. A mileage of 0 counts as missing. */
export function readMileage(cell: string, unit: Unit & { isUs?: boolean; ofRow?: string } = {}): CellReading<number> {
  if (isNothing(cell)) return {}
  if (cell.length > cellMax) return { fault: 'the mileage could not be read' }
  const text = plainText(withoutTextMark(cell))
  const { distance, own = rowUnit(unit.ofRow) } = bareDistance(text)
  const number = scaledNumber(distance, unit)
  const noUnit = unitFault(own, unit)
  if (noUnit !== undefined) return { fault: noUnit }
  return number === undefined ? { fault: numberFault('mileage', text) } : milesOf(number, isInKm(own, unit))
}

function milesOf({ value, decimals }: PlainNumber, isKm: boolean): CellReading<number> {
  if (value === 0) return { fault: 'a mileage of 0 counts as missing' }
  if (value < thousand && isNonZero(decimals)) return { fault: 'the mileage is not a whole number' }
  const miles = Math.round(isKm ? value * milesPerKm : value)
  return miles > mileageMax ? { fault: 'the mileage is too high' } : { value: miles }
}

function unitFault(own: string | undefined, { distance, ofRow }: Unit & { ofRow?: string }): string | undefined {
  if (own === 'unknown') return `the mileage unit, ${ofRow}, is not recognized`
  const isOpen = own === undefined && distance === 'km or miles'
  return isOpen ? 'the heading names miles and kilometers, so the unit is not known' : undefined
}

function rowUnit(cell = ''): 'km' | 'mi' | 'unknown' | undefined {
  const text = plainText(cell).replace(/[.\s]/g, '')
  if (text === '') return undefined
  if (/^k(?:ms?|ilomet(?:er|re)s?)?$/.test(text)) return 'km'
  return /^(?:m|mi|mls?|miles?|milles?)$/.test(text) ? 'mi' : 'unknown'
}

function bareDistance(text: string): { distance: string; own: string | undefined } {
  const bare = text.replace(/[\s([]*(?:actual|act\.|verified)[)\]]?$/, '')
  const unnamed = bare.replace(mileageNames, '')
  const [, counted = unnamed, kilo = '', behind] = distanceUnit.exec(unnamed) ?? []
  return { distance: counted.trim() + (kilo && 'k'), own: behind ?? leadingUnit(bare) }
}

const leadingUnit = (text: string): string | undefined => /^(km|mi)/.exec(text)?.[1]

function isInKm(own: string | undefined, { distance, isUs = false }: Unit & { isUs?: boolean }): boolean {
  if (own !== undefined) return own.startsWith('k')
  return distance === 'km' || (distance !== undefined && !isUs)
}

function scaledNumber(text: string, { thousands = false }: Unit): PlainNumber | undefined {
  const [, before] = /^(.*\d)\s?(?:k|grand|thousand|mille)$/.exec(text) ?? []
  if (before !== undefined) return thousandsOf(before)
  const number = numberOf(text)
  if (!thousands || number === undefined) return number
  // A number such as 45,123 is ambiguous in a column of thousands.
  return number.value < thousand ? { value: Math.round(number.value * thousand), decimals: '' } : undefined
}

const shortYear = /^(?:my ?)?'?(\d{2})$/
const longYear = /^(?:my ?)?'?(\d{4})(?:[.,]0+)?(?: ?my)?$/
const dates = [
  /^(\d{4})([-/.])\d{1,2}\2\d{1,2}(?:[ t].*)?$/,
  /^\d{1,2}([-/.])\d{1,2}\1(?<year>\d{4}|\d{2})(?: .*)?$/,
  /^\d{1,2}[-/](?<year>\d{4})$/,
  /^(\d{4})[-/](?:0?[1-9]|1[0-2])$/,
  /^(?:\d{1,2}[- ])?[a-z]{3,9}\.?[- ,]+(?:\d{1,2},? )?(?<year>\d{4}|'?\d{2})$/,
]

const withCentury = (digits: string): number =>
  digits.length === 2 ? Number(digits) + (Number(digits) <= yearMax - 2_000 ? 2_000 : 1_900) : Number(digits)

/** Reads a model year: `2019`, `'19`, or the year of a date. */
export function readYear(cell: string): CellReading<number> {
  if (isNothing(cell)) return {}
  if (cell.length > cellMax) return { fault: 'the year could not be read' }
  const text = plainText(cell)
    .replace(/^[[(](.*)[)\]]$|[\s.,*]+$/g, '$1')
    .replace(/^(\d)[., '](\d{3})$/, '$1$2')
  const digits = longYear.exec(text)?.[1] ?? shortYear.exec(text)?.[1]
  if (digits !== undefined) return yearIn(withCentury(digits))
  const dated = datedYear(text)
  if (dated !== undefined) return dated < datedYearMin ? { fault: 'the year is shown as a date' } : yearIn(dated)
  return { fault: countOfNumbers(text) > 1 ? 'the year has more than one number' : 'the year could not be read' }
}

const yearIn = (year: number): CellReading<number> =>
  year < yearMin || year > yearMax
    ? { fault: `the year ${year} is not between ${yearMin} and ${yearMax}` }
    : { value: year }

function datedYear(text: string): number | undefined {
  for (const pattern of dates) {
    const found = pattern.exec(text)
    const digits = found?.groups?.['year'] ?? found?.[1]
    if (digits !== undefined) return withCentury(digits.replace("'", ''))
  }
  return undefined
}
