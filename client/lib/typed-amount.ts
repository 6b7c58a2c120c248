/** Thousands by commas or not at all, with a part after the point or without. */
const amount = /^\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?$|^\$?\.\d+$/

/** A number that somebody typed, with or without `$` and commas; undefined when it is none: `24,5` could be two. */
export const typedNumber = (text: string): number | undefined => {
  const typed = text.replaceAll(/\s/g, '')
  return amount.test(typed) ? Number(typed.replaceAll(/[$,]/g, '')) : undefined
}

/** The same of dollars, which are more than 0. */
export const typedAmount = (text: string): number | undefined => typedNumber(text) || undefined

/** Whether somebody typed 0, which says of a reserve that there is none. */
export const isTypedZero = (text: string): boolean => typedNumber(text) === 0

/** The digits of what is typed or pasted, without what stands behind its point: `48,210.5 mi` is 48210. */
export const wholeDigits = (text: string): string => text.replace(/[.,]\d{1,2}\D*$/, '').replaceAll(/\D/g, '')
