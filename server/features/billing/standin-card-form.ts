import type Stripe from 'stripe'
import type { PaymentInfo } from '#shared/schemas/billing.ts'
import { isBlank } from '#shared/visible-text.ts'
import { badRequest, notFound } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import { cardDigits, findTestCard } from '#server/platform/stripe/stripe-test-cards.ts'
import { rethrowAsRefusal } from './billing-refusals.ts'
import { usesStandin } from './billing.service.ts'

/** Protects our own card form, which exists only with the Stripe stand-in. @throws 404 if the provider is real */
export function assertCardForm(ctx: Context): void {
  if (!usesStandin(ctx.config)) throw notFound('This card form')
}

const names = { cardNumber: 'card number', expiryDate: 'expiry date', cvv: 'cvv' } as const
const addressNames = { address: 'address', city: 'city', state: 'state', zipCode: 'zip code' } as const
type AddressField = keyof typeof addressNames

/** Only checkout sends `nameOnCard` and requires a billing address. @throws 400 with the first blank field */
function assertBillingAddress({ nameOnCard, billingAddress }: PaymentInfo): void {
  if (nameOnCard === undefined) return
  for (const [field, words] of Object.entries(addressNames))
    if (isBlank(billingAddress?.[field as AddressField] ?? ''))
      throw badRequest(`Please fill in billing ${words}`, { fields: [`billingAddress.${field}`] })
}

/** @throws 400 with the field that is blank or does not contain a test card */
export function assertPaymentFields(info: PaymentInfo): void {
  for (const [field, words] of Object.entries(names)) {
    if (info[field as keyof typeof names].trim() === '')
      throw badRequest(`Please fill in ${words}`, { fields: [field] })
  }
  if (isBlank(info.cardholderName ?? info.nameOnCard ?? ''))
    throw badRequest('Please fill in name on card', { fields: ['nameOnCard'] })
  assertBillingAddress(info)
  if (!findTestCard(info.cardNumber)) {
    throw badRequest("This demo accepts only the payment provider's test cards, such as 4242 4242 4242 4242", {
      fields: ['cardNumber'],
    })
  }
}

/** Sends the card to the provider without storing it. @throws 400 if the expiry date is invalid; 402 if the card is declined */
export async function createCard(ctx: Context, info: PaymentInfo): Promise<Stripe.PaymentMethod> {
  const expiry = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(info.expiryDate)
  if (!expiry) throw badRequest('Enter the expiry date as MM / YY', { fields: ['expiryDate'] })
  const year = Number(expiry[2])
  return ctx.stripe.paymentMethods
    .create({
      type: 'card',
      card: {
        number: cardDigits(info.cardNumber),
        exp_month: Number(expiry[1]),
        exp_year: year < 100 ? 2000 + year : year,
        cvc: info.cvv,
      },
      billing_details: { name: info.cardholderName ?? info.nameOnCard ?? '' },
    })
    .catch(rethrowAsRefusal)
}

export async function answerBank(ctx: Context, asked: string, approve: boolean): Promise<void> {
  const answer = { outcome: approve ? 'succeeded' : 'failed' }
  await ctx.stripe.rawRequest('POST', `/v1/test_helpers/${asked}/authenticate`, answer)
}
