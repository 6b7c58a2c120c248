import type { ReadPart } from './workbook-xml.ts'

export interface NumberFormat {
  isDate: boolean
  /** Number of decimals. If undefined, all decimals are shown. */
  decimals?: number
  prefix?: string
  suffix?: string
  /** Text shown instead of the number. May be empty. */
  instead?: string
}

const asStored: NumberFormat = { isDate: false }
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
/** Built-in date formats, including East Asian formats, have no code in the workbook (ECMA-376 18.8.30). */
const knownDateFormats = [...range(14, 22), ...range(27, 36), ...range(45, 47), ...range(50, 58)].map(String)
const knownFormats: Readonly<Record<string, string>> = { 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00' }
const formatCodeMax = 255

/** Returns the formats for positive numbers, indexed by the cell's style. */
export async function readFormats(read: ReadPart, path: string | undefined): Promise<NumberFormat[]> {
  const formats = new Map<string, NumberFormat>([
    ...knownDateFormats.map((id) => [id, { isDate: true }] as const),
    ...Object.entries(knownFormats).map(([id, code]) => [id, formatOf(code)] as const),
  ])
  const styles: NumberFormat[] = []
  let isCellStyle = false
  await read(path, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'cellXfs') isCellStyle = true
      else if (name === 'xf' && isCellStyle) styles.push(formats.get(numFmtId) ?? asStored)
      else if (name === 'numFmt') formats.set(numFmtId, formatOf(formatCode))
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return styles
}

/** Quoted text, escaped characters and currencies in brackets are shown literally. `_` and `*` only add space. */
const shownAsIs = /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|[_*].|\[[^\]]*\]/g

/** Parses the first section of a format code, which applies to positive numbers. */
function formatOf(code: string): NumberFormat {
  if (code === 'General') return asStored
  const [section = ''] = code.slice(0, formatCodeMax).split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  const positive = section.replace(/general/i, '0.###############')
  const pattern = positive.replace(shownAsIs, '')
  // Matches `d-mmm-yy`, but not `#,##0 "miles"`.
  if (/[dmyhs]/i.test(pattern)) return { isDate: true }
  const digits = /[0#][0#,. ]*/.exec(pattern)?.[0].trim()
  if (digits === undefined) return pattern.includes('@') ? asStored : { isDate: false, instead: literalOf(positive) }
  if (pattern.includes('%')) return { isDate: false, suffix: '%' }
  if (changesValue(pattern, digits) || /\[[<>=]/.test(positive)) return asStored
  const [first, last] = splitAtDigits(positive)
  const decimals = /\.([0#]*)/.exec(digits)?.[1] ?? ''
  return { isDate: false, decimals: decimals.length, prefix: literalOf(first), suffix: literalOf(last) }
}

/** True for fractions, powers and scaled numbers, whose format changes the value: `0,"k"` shows 45123 as 45k. */
const changesValue = (pattern: string, digits: string): boolean =>
  /[/@?]|e[+-]/i.test(pattern) || /,(?:\.0*)?$/.test(digits)

const literalOf = (section: string): string =>
  section.replace(shownAsIs, (whole, quoted?: string, escaped?: string, currency?: string) =>
    whole.startsWith('_') || whole.startsWith('*')
      ? ''
      : (quoted ?? escaped ?? (currency === '$' ? dollarOf(whole) : currency) ?? ''),
  )

/** Returns the currency of a dollar format: `[$$-1009]` and `[$$-en-CA]` are Canadian dollars, and `[$$-80A]` is Mexican pesos. */
function dollarOf(code: string): string {
  if (/-(?:0?1009|0?c0c|(?:en|fr)-ca)\]/i.test(code)) return 'CA$'
  return /-(?:0?80a|es-mx)\]/i.test(code) ? 'MX$' : '$'
}

function splitAtDigits(section: string): [string, string] {
  const masked = section.replace(shownAsIs, (whole) => '\u0000'.repeat(whole.length))
  const first = masked.search(/[0#]/)
  const behind = masked.length - [...masked].toReversed().findIndex((sign) => sign === '0' || sign === '#')
  return [section.slice(0, first), section.slice(behind)]
}

export function shownNumber(number: number, { decimals, prefix = '', suffix = '', instead }: NumberFormat): string {
  // Zero and negative numbers have their own format sections, which only change the color or sign.
  if (number <= 0) return inDigits(number)
  if (instead !== undefined) return instead
  const digits = decimals === undefined ? inDigits(number) : inDigits(Number(number.toFixed(Math.min(decimals, 15))))
  // Write 12.995 as 12.9950, because `12.995` would be read as 12,995 with a thousands separator.
  const isLikeThousands = /^\d{1,3}\.\d{3}$/.test(digits) && !/^\s*k/i.test(suffix)
  return `${prefix}${digits}${isLikeThousands ? '0' : ''}${suffix}`
}

/** Formats a number with 15 significant digits, as spreadsheet programs do: 3.3 is stored as 3.2999999999999998. */
const inDigits = (number: number) =>
  Math.abs(number) < digitsMax ? String(Number(number.toPrecision(15))) : number.toExponential(5)

/** Larger numbers have lost their last digits. They get an exponent, so that they do not look like a VIN. */
const digitsMax = 1e15
