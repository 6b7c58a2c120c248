const numberIn = (text: string): number => Number(text.replaceAll(/[$,\s]/g, ''))

/** Dollars that somebody typed, with or without `$` and commas; undefined when it is no amount. */
export function typedAmount(text: string): number | undefined {
  const amount = numberIn(text)
  return text.trim() === '' || !Number.isFinite(amount) || amount <= 0 ? undefined : amount
}

/** Whether somebody typed 0, which says of a reserve that there is none. */
export const isTypedZero = (text: string): boolean => text.trim() !== '' && numberIn(text) === 0
