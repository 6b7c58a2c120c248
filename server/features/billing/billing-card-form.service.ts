import type Stripe from 'stripe'
import type { PaymentInfo } from '#shared/schemas/billing.ts'
import { badRequest, notFound } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { cardDigits, findTestCard } from '#server/platform/stripe-test-cards.ts'
import { asRefusal } from './billing-refusals.ts'
import { usesStandin } from './billing.service.ts'

/**
 * Our own card form. It exists only beside the local stand-in, takes only the provider's published test numbers, and
 * passes them on without storing or logging them. @throws 404 where a real provider is configured
 */
export function assertCardForm(ctx: Context): void {
  if (!usesStandin(ctx.config)) throw notFound('This card form')
}

const names = { cardNumber: 'card number', expiryDate: 'expiry date', cvv: 'cvv' } as const

/** @throws 400 naming the field that is blank, or not a test card */
export function assertPaymentFields(info: PaymentInfo): void {
  for (const [field, words] of Object.entries(names)) {
    if (info[field as keyof typeof names].trim() === '')
      throw badRequest(`Please fill in ${words}`, { fields: [field] })
  }
  if (!(info.cardholderName ?? info.nameOnCard)?.trim())
    throw badRequest('Please fill in name on card', { fields: ['nameOnCard'] })
  if (!findTestCard(info.cardNumber)) {
    throw badRequest("This demo takes the payment provider's test cards only, such as 4242 4242 4242 4242", {
      fields: ['cardNumber'],
    })
  }
}

/** The card at the provider; nothing of it stays here. @throws 402 with the provider's message */
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
    .catch(asRefusal)
}
