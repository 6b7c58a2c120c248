import { ApiError, refusedField } from '#client/lib/api.ts'
import type { FieldErrors } from '#client/ui/form-state.ts'

export interface CardValues {
  cardNumber: string
  expiryDate: string
  cvv: string
  name: string
}

export const blankCard: CardValues = { cardNumber: '', expiryDate: '', cvv: '', name: '' }

/** The provider's own test card. */
export const dummyCard: CardValues = {
  cardNumber: '4242 4242 4242 4242',
  expiryDate: '08 / 31',
  cvv: '123',
  name: 'Dana Torres',
}

/** Groups of four, as on the card. */
export function formatCardNumber(typed: string): string {
  return (
    typed
      .replace(/\D/g, '')
      .slice(0, 19)
      .match(/.{1,4}/g) ?? []
  ).join(' ')
}

/** `0831` becomes `08 / 31`; taking characters away is never fought. */
export function formatExpiry(typed: string, before: string): string {
  if (typed.length < before.length) return typed
  const digits = typed.replace(/\D/g, '').slice(0, 4)
  return digits.length < 3 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`
}

/** Blank fields with the message that belongs beside each. */
export function blankCardFields(
  values: CardValues,
  message: (field: keyof CardValues) => string,
): FieldErrors<CardValues> {
  const order = ['cardNumber', 'expiryDate', 'cvv', 'name'] as const
  const blank = order.filter((field) => values[field].trim() === '')
  return Object.fromEntries(blank.map((field) => [field, message(field)]))
}

/** Where a refused payment is said again, beside what to correct: the named field, or the card that was declined. */
export function cardRefusal(error: Error): FieldErrors<CardValues> {
  const { nameOnCard, ...named } = refusedField(error, ['cardNumber', 'expiryDate', 'cvv', 'nameOnCard'])
  if (nameOnCard) return { name: nameOnCard }
  return error instanceof ApiError && error.status === declined ? { cardNumber: error.reason } : named
}

/** Payment Required: the provider's own answer to the card. */
const declined = 402
