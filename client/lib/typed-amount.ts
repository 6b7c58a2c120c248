/** Dollars that somebody typed, with or without `$` and commas; undefined when it is no amount. */
export function typedAmount(text: string): number | undefined {
  const amount = Number(text.replaceAll(/[$,\s]/g, ''))
  return text.trim() === '' || !Number.isFinite(amount) || amount <= 0 ? undefined : amount
}
