/** The result of charging a test card (https://docs.stripe.com/testing). */
export type TestCardOutcome =
  | { kind: 'succeeds' }
  /** If `attaches` is set, the card can be saved and is declined only when it is charged. */
  | { kind: 'declines'; code: string; declineCode: string; message: string; attaches?: true }
  /** If `once` is true, the bank asks the cardholder only for the first payment and then allows renewals. */
  | { kind: 'authenticates'; once: boolean }

export interface TestCard {
  brand: 'visa' | 'mastercard' | 'amex'
  outcome: TestCardOutcome
}

const succeeds = { kind: 'succeeds' } as const
const declines = (code: string, declineCode: string, message: string) =>
  ({ kind: 'declines', code, declineCode, message }) as const
const visa = (outcome: TestCardOutcome): TestCard => ({ brand: 'visa', outcome })

/** The only card numbers that our own form accepts. They are Stripe's published test cards, so no real card is ever charged. */
const testCards: ReadonlyMap<string, TestCard> = new Map([
  ['4242424242424242', visa(succeeds)],
  ['4000056655665556', visa(succeeds)],
  ['5555555555554444', { brand: 'mastercard', outcome: succeeds }],
  ['378282246310005', { brand: 'amex', outcome: succeeds }],
  ['4000000000000002', visa(declines('card_declined', 'generic_decline', 'Your card was declined.'))],
  ['4000000000009995', visa(declines('card_declined', 'insufficient_funds', 'Your card has insufficient funds.'))],
  ['4000000000009987', visa(declines('card_declined', 'lost_card', 'Your card was declined.'))],
  ['4000000000000069', visa(declines('expired_card', 'expired_card', 'Your card has expired.'))],
  ['4000000000000127', visa(declines('incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."))],
  [
    '4000000000000341',
    visa({ ...declines('card_declined', 'generic_decline', 'Your card was declined.'), attaches: true }),
  ],
  ['4000002500003155', visa({ kind: 'authenticates', once: true })],
  ['4000002760003184', visa({ kind: 'authenticates', once: false })],
])

export function cardDigits(number: string): string {
  return number.replace(/[\s-]/g, '')
}

export function findTestCard(number: string): TestCard | undefined {
  return testCards.get(cardDigits(number))
}
