import Type, { type Static } from 'typebox'
import { buyFeeFlatMax, buyFeePercentMax } from '#shared/buy-fee.ts'

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
