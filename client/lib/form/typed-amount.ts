import { formatMoney } from '#shared/format.ts'
import { bidMaxDollars } from '#shared/limits.ts'

const amount = /^\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?$|^\$?\.\d+$/

/** Parses a typed number, with or without `$` and commas. Returns undefined if the text is invalid or ambiguous, such as `24,5`. */
export const typedNumber = (text: string): number | undefined => {
  const typed = text.replaceAll(/\s/g, '')
  return amount.test(typed) ? Number(typed.replaceAll(/[$,]/g, '')) : undefined
}

/** Parses a typed dollar amount. Returns undefined for 0, too. */
export const typedAmount = (text: string): number | undefined => typedNumber(text) || undefined

export function faultOfAmount(amount: number | undefined): string | undefined {
  if (amount === undefined) return 'Enter an amount in dollars'
  return amount > bidMaxDollars ? `Enter ${formatMoney(bidMaxDollars)} or less` : undefined
}

/** True if the typed number is 0. A reserve of 0 means no reserve. */
export const isTypedZero = (text: string): boolean => typedNumber(text) === 0

/** Parses a typed number that may end in `k`: `12.5k` is 12,500. */
export function typedFigure(text: string): number | undefined {
  const [, digits = text, thousands] = /^(.*\d)\s*(k)\s*$/i.exec(text) ?? []
  const figure = typedNumber(digits)
  return figure === undefined || thousands === undefined ? figure : Math.round(figure * 1_000)
}

/** Parses a typed price, which may end in `k`. Returns undefined if it has more than two decimals, because prices are never rounded. */
export function typedPrice(text: string): number | undefined {
  const [, decimals = ''] = /\.(\d*)\s*$/.exec(text) ?? []
  return decimals.length > 2 ? undefined : typedFigure(text)
}

/** Parses typed miles and rounds them down: `48,210.5 mi` is 48210. */
export function typedMiles(text: string): number | undefined {
  const figure = typedFigure(text.replace(/\s*(?:mi|miles)\.?\s*$/i, ''))
  return figure === undefined ? undefined : Math.floor(figure)
}
