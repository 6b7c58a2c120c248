import { sql } from 'kysely'
import { buyFeeOn } from '#shared/buy-fee.ts'
import type { BuyFee } from '#shared/schemas/dealers.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'

/** A buy fee: a flat amount in cents, and a share of the price in hundredths of a percent. */
export interface StoredBuyFee {
  buyFeeCents: number
  buyFeeBasisPoints: number
}

/** Copies the current fee into an auction when its terms are set, or into an offer, so that later fee changes do not affect it. */
export const buyFeeNow = {
  buyFeeCents: sql<number>`(select buy_fee_cents from network_settings)`,
  buyFeeBasisPoints: sql<number>`(select buy_fee_basis_points from network_settings)`,
}

const pointsPerPercent = 100

export const toBuyFee = ({ buyFeeCents, buyFeeBasisPoints }: StoredBuyFee): BuyFee | null =>
  buyFeeCents > 0 || buyFeeBasisPoints > 0
    ? { flat: dollarsOf(buyFeeCents), percent: buyFeeBasisPoints / pointsPerPercent }
    : null

export function withBuyFee(row: StoredBuyFee): { buyFee?: BuyFee } {
  const buyFee = toBuyFee(row)
  return buyFee === null ? {} : { buyFee }
}

/** @throws 400 if `flat` has fractions of a cent */
export const storedBuyFee = (fee: BuyFee | null): StoredBuyFee => ({
  buyFeeCents: centsOf(fee?.flat ?? 0),
  buyFeeBasisPoints: Math.round((fee?.percent ?? 0) * pointsPerPercent),
})

export const buyFeeCentsOn = (priceCents: number, row: StoredBuyFee): number =>
  centsOf(buyFeeOn(dollarsOf(priceCents), toBuyFee(row)))
