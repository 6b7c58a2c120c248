import Type, { type Static } from 'typebox'

export const buyFeeFlatMax = 10_000
export const buyFeePercentMax = 25

/**
 * What the network asks of a buyer beside the price: an amount in US dollars, a share of the price in percent, or both. The network
 * collects it by itself; here it is shown to the buyer, and kept with what was agreed.
 */
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

/** The fee on a price, both in dollars; a share is rounded to the cent. No fee: 0. */
export function buyFeeOn(price: number, fee: BuyFee | null | undefined): number {
  if (!fee) return 0
  const share = (Math.round(price * hundred) * Math.round(fee.percent * hundred)) / (hundred * hundred)
  return (Math.round(fee.flat * hundred) + Math.round(share)) / hundred
}
