import Stripe from 'stripe'
import type {
  AuthenticatePayment,
  CompleteSubscription,
  ConfirmPayment,
  PaymentInfo,
  PaymentOutcome,
} from '#shared/schemas/billing.ts'
import { badRequest, notFound, paymentRequired } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { cardDigits, findTestCard } from '#server/platform/stripe-test-cards.ts'
import { getOrCreateSubscription } from './billing-checkout.service.ts'
import { refreshSubscription } from './billing-manage.service.ts'
import { asRefusal } from './billing-refusals.ts'
import { findBillingCustomer } from './billing.repository.ts'
import { usesStandin } from './billing.service.ts'

/**
 * Our own card form. It exists only beside the local stand-in, takes only the provider's published test numbers, and
 * passes them on without storing or logging them. @throws 404 where a real provider is configured
 */
function assertCardForm(ctx: Context): void {
  if (!usesStandin(ctx.config)) throw notFound('This card form')
}

/** The documented onboarding and checkout call: subscribe and pay in one. @throws 402 with the provider's message */
export async function completeSubscription(
  ctx: Context,
  dealerId: string,
  { plan, paymentInfo }: CompleteSubscription,
): Promise<PaymentOutcome> {
  assertCardForm(ctx)
  assertPaymentFields(paymentInfo)
  const clientSecret = await getOrCreateSubscription(ctx, dealerId, plan)
  return confirmPayment(ctx, dealerId, { clientSecret, paymentInfo })
}

export async function confirmPayment(ctx: Context, dealerId: string, input: ConfirmPayment): Promise<PaymentOutcome> {
  assertCardForm(ctx)
  assertPaymentFields(input.paymentInfo)
  const intent = await ownIntent(ctx, dealerId, input.clientSecret)
  if (intent.status === 'succeeded') return outcome(ctx, dealerId, intent)
  const method = await createCard(ctx, input.paymentInfo)
  const confirmed = await ctx.stripe.paymentIntents
    .confirm(intent.id, { payment_method: method.id })
    .catch(async (error: unknown) => {
      // Two presses at once: the other one has paid meanwhile.
      const now = await ctx.stripe.paymentIntents.retrieve(intent.id)
      return now.status === 'succeeded' ? now : asRefusal(error)
    })
  return outcome(ctx, dealerId, confirmed)
}

/** The bank's question, answered. @throws 402 when the cardholder did not approve */
export async function authenticatePayment(
  ctx: Context,
  dealerId: string,
  input: AuthenticatePayment,
): Promise<PaymentOutcome> {
  assertCardForm(ctx)
  const intent = await ownIntent(ctx, dealerId, input.clientSecret)
  if (intent.status === 'requires_action') {
    const path = `/v1/test_helpers/payment_intents/${intent.id}/authenticate`
    await ctx.stripe.rawRequest('POST', path, { outcome: input.approve ? 'succeeded' : 'failed' })
  }
  const answered = await ctx.stripe.paymentIntents.retrieve(intent.id)
  if (answered.status === 'succeeded') return outcome(ctx, dealerId, answered)
  throw paymentRequired(answered.last_payment_error?.message ?? 'The payment was not approved')
}

async function outcome(ctx: Context, dealerId: string, intent: Stripe.PaymentIntent): Promise<PaymentOutcome> {
  const clientSecret = intent.client_secret ?? ''
  if (intent.status !== 'succeeded') return { status: 'requires_action', clientSecret }
  await refreshSubscription(ctx, dealerId)
  return { status: 'succeeded', clientSecret }
}

/** Another dealer's payment and one that does not exist are the same answer. */
async function ownIntent(ctx: Context, dealerId: string, clientSecret: string): Promise<Stripe.PaymentIntent> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  const id = clientSecret.split('_secret_')[0] ?? ''
  const intent = /^pi_\w+$/.test(id) ? await ctx.stripe.paymentIntents.retrieve(id).catch(absent) : undefined
  if (!intent || customer === undefined || intent.customer !== customer || intent.client_secret !== clientSecret) {
    throw notFound('This payment')
  }
  return intent
}

function absent(error: unknown): undefined {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return undefined
  throw error
}

const names = { cardNumber: 'card number', expiryDate: 'expiry date', cvv: 'cvv' } as const

function assertPaymentFields(info: PaymentInfo): void {
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

async function createCard(ctx: Context, info: PaymentInfo): Promise<Stripe.PaymentMethod> {
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
