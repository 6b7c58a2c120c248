import { isBlank } from '#shared/visible-text.ts'

export const countries = ['US', 'CA'] as const
export const profileTypes = ['seller', 'buyer'] as const

/** `firstName`, a space and `lastName` together fit into the 120 characters of a full name. */
export const profileFieldMax = {
  firstName: 60,
  lastName: 59,
  phone: 40,
  address: 200,
  city: 120,
  zipCode: 12,
  dealershipName: 160,
  auctionAccessNumber: 40,
  dealership5MilNumber: 40,
} as const

/** The required fields in the order of the form, with the names that error messages use for them. */
export const requiredProfileFields = [
  ['firstName', 'first name'],
  ['lastName', 'last name'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['address', 'address'],
  ['city', 'city'],
  ['state', 'state'],
  ['zipCode', 'zip code'],
  ['country', 'country'],
  ['dealershipName', 'dealership name'],
  ['dealershipType', 'dealership type'],
  ['auctionAccessNumber', 'auction access number'],
  ['dealership5MilNumber', 'dealership 5 mil number'],
] as const

export function firstBlank<const Field extends string>(
  fields: readonly (readonly [Field, string])[],
  values: Partial<Record<Field, unknown>>,
): { field: Field; words: string } | undefined {
  const found = fields.find(([field]) => isBlank(String(values[field] ?? '')))
  return found && { field: found[0], words: found[1] }
}
