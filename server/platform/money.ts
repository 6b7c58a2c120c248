import { badRequest } from '#server/errors.ts'

export const centsPerDollar = 100
/** A double's error on an amount of up to a hundred million dollars, in cents. */
const tolerance = 1e-4

/** Whole cents of an amount that came over the wire. @throws 400 for a fraction of a cent. */
export function centsOf(dollars: number): number {
  const cents = Math.round(dollars * centsPerDollar)
  if (Math.abs(dollars * centsPerDollar - cents) > tolerance) throw badRequest('Amounts are in whole cents')
  return cents
}

export const dollarsOf = (cents: number): number => cents / centsPerDollar
