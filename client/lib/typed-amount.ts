import { formatMoney } from '#shared/format.ts'
import { bidMaxDollars } from '#shared/limits.ts'

/** Thousands by commas or not at all, with a part after the point or without. */
const amount = /^\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?$|^\$?\.\d+$/

/** A number that somebody typed, with or without `$` and commas; undefined when it is none: `24,5` could be two. */
export const typedNumber = (text: string): number | undefined => {
  const typed = text.replaceAll(/\s/g, '')
  return amount.test(typed) ? Number(typed.replaceAll(/[$,]/g, '')) : undefined
}

/** The same of dollars, which are more than 0. */
export const typedAmount = (text: string): number | undefined => typedNumber(text) || undefined

/** What is wrong with the dollars that were typed for a bid, an offer or their bounds; undefined: nothing. */
export function faultOfAmount(amount: number | undefined): string | undefined {
  if (amount === undefined) return 'Enter an amount in dollars'
  return amount > bidMaxDollars ? `Enter ${formatMoney(bidMaxDollars)} or less` : undefined
}

/** Whether somebody typed 0, which says of a reserve that there is none. */
export const isTypedZero = (text: string): boolean => typedNumber(text) === 0

/** A figure that somebody typed, also in thousands: `12.5k` is 12,500. */
export function typedFigure(text: string): number | undefined {
  const [, digits = text, thousands] = /^(.*\d)\s*(k)\s*$/i.exec(text) ?? []
  const figure = typedNumber(digits)
  return figure === undefined || thousands === undefined ? figure : Math.round(figure * 1_000)
}

/** Dollars that somebody typed, also in thousands; undefined with more than two decimals: a price is never rounded. */
export function typedPrice(text: string): number | undefined {
  const [, decimals = ''] = /\.(\d*)\s*$/.exec(text) ?? []
  return decimals.length > 2 ? undefined : typedFigure(text)
}

/** Whole miles that somebody typed: of `48,210.5 mi` 48210. */
export function typedMiles(text: string): number | undefined {
  const figure = typedFigure(text.replace(/\s*(?:mi|miles)\.?\s*$/i, ''))
  return figure === undefined ? undefined : Math.floor(figure)
}
