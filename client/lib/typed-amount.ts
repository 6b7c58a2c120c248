/** Thousands by commas or not at all, with a part after the point or without. */
const amount = /^\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?$|^\$?\.\d+$/

const numberIn = (text: string): number | undefined => {
  const typed = text.replaceAll(/\s/g, '')
  return amount.test(typed) ? Number(typed.replaceAll(/[$,]/g, '')) : undefined
}

/** Dollars that somebody typed, with or without `$` and commas; undefined when it is no amount: `24,5` could be two. */
export const typedAmount = (text: string): number | undefined => numberIn(text) || undefined

/** Whether somebody typed 0, which says of a reserve that there is none. */
export const isTypedZero = (text: string): boolean => numberIn(text) === 0
