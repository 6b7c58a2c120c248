import type { BillingAddress } from '#shared/schemas/billing.ts'
import { firstBlank } from '#shared/schemas/onboarding.ts'
import type { FieldErrors } from '#client/ui/form-state.ts'
import type { CardValues } from './card-values.ts'

export type CheckoutValues = CardValues & BillingAddress

export const blankAddress: BillingAddress = { address: '', city: '', state: '', zipCode: '', country: 'US' }

export const dummyAddress: BillingAddress = {
  address: '4100 Harry Hines Blvd',
  city: 'Dallas',
  state: 'TX',
  zipCode: '75219',
  country: 'US',
}

const cardFields = [
  ['cardNumber', 'card number'],
  ['expiryDate', 'expiry date'],
  ['cvv', 'cvv'],
  ['name', 'name on card'],
] as const
const addressFields = [
  ['address', 'address'],
  ['city', 'city'],
  ['state', 'state'],
  ['zipCode', 'zip code'],
] as const
const canadian: Partial<Record<keyof BillingAddress, string>> = { state: 'province', zipCode: 'postal code' }

/** Canada calls two of the fields by other names, as their labels do. */
const addressFieldsOf = ({ country }: BillingAddress) =>
  addressFields.map(([field, words]) => [field, country === 'CA' ? (canadian[field] ?? words) : words] as const)

/** Everything blank, each with its own words. */
export function validateCheckout(values: CheckoutValues): FieldErrors<CheckoutValues> {
  const blank = (field: keyof CheckoutValues) => values[field].trim() === ''
  const card = cardFields.filter(([field]) => blank(field)).map(([field, words]) => [field, `Please fill in ${words}`])
  const address = addressFieldsOf(values)
    .filter(([field]) => blank(field))
    .map(([field, words]) => [field, `Please fill in billing ${words}`])
  return Object.fromEntries([...card, ...address])
}

/** The toast for the first blank field: card before address, each with its own title. */
export function firstFault(values: CheckoutValues): { title: string; description: string } | undefined {
  const card = firstBlank(cardFields, values)
  if (card) return { title: 'Missing Information', description: `Please fill in ${card.words}` }
  const address = firstBlank(addressFieldsOf(values), values)
  return address && { title: 'Missing Billing Information', description: `Please fill in billing ${address.words}` }
}
