import { badRequest } from '#server/errors.ts'

export const centsPerDollar = 100
/** A double's error on an amount of up to a hundred million dollars, in cents. */
const tolerance = 1e-4

/** Whether dollars have at most two decimals. */
export const isWholeCents = (dollars: number): boolean =>
  Math.abs(dollars * centsPerDollar - Math.round(dollars * centsPerDollar)) <= tolerance

/** Whole cents of an amount that came over the wire. @throws 400 for a fraction of a cent. */
export function centsOf(dollars: number): number {
  if (!isWholeCents(dollars)) throw badRequest('Amounts are in whole cents: at most two decimals')
  return Math.round(dollars * centsPerDollar)
}

export const dollarsOf = (cents: number): number => cents / centsPerDollar
