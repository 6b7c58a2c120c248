import { badRequest } from '#server/errors.ts'

export const centsPerDollar = 100
/** Upper bound of the floating-point error, in cents, of amounts up to a hundred million dollars. */
const tolerance = 1e-4

export const isWholeCents = (dollars: number): boolean =>
  Math.abs(dollars * centsPerDollar - Math.round(dollars * centsPerDollar)) <= tolerance

/** @throws 400 if the amount has fractions of a cent */
export function centsOf(dollars: number): number {
  if (!isWholeCents(dollars)) throw badRequest('Amounts can have at most two decimals')
  return Math.round(dollars * centsPerDollar)
}

export const dollarsOf = (cents: number): number => cents / centsPerDollar
