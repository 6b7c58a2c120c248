import Type, { type Static } from 'typebox'

export const buyFeeFlatMax = 10_000
export const buyFeePercentMax = 25

/** Fee that a buyer pays on top of the price. The app stores the fee with the deal; the network collects the money outside of the app. */
export const BuyFee = Type.Object({
  flat: Type.Number({ minimum: 0, maximum: buyFeeFlatMax, description: 'US dollars' }),
  percent: Type.Number({
    minimum: 0,
    maximum: buyFeePercentMax,
    description: 'of the price, with at most two decimals',
  }),
})
export type BuyFee = Static<typeof BuyFee>

const hundred = 100

/** Returns the fee on `price`, both in dollars. The percentage part is rounded to the cent. */
export function buyFeeOn(price: number, fee: BuyFee | null | undefined): number {
  if (!fee) return 0
  const share = (Math.round(price * hundred) * Math.round(fee.percent * hundred)) / (hundred * hundred)
  return (Math.round(fee.flat * hundred) + Math.round(share)) / hundred
}
