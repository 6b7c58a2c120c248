export const buyFeeFlatMax = 10_000
export const buyFeePercentMax = 25

const hundred = 100

/** Returns the fee on `price`, both in dollars. The percentage part is rounded to the cent. */
export function buyFeeOn(price: number, fee: { flat: number; percent: number } | null | undefined): number {
  if (!fee) return 0
  const share = (Math.round(price * hundred) * Math.round(fee.percent * hundred)) / (hundred * hundred)
  return (Math.round(fee.flat * hundred) + Math.round(share)) / hundred
}
