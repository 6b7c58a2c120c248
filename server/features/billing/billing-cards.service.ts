import type Stripe from 'stripe'
import type {
  AuthenticatePayment,
  CompleteSubscription,
  ConfirmPayment,
  PaymentOutcome,
} from '#shared/schemas/billing.ts'
import { notFound, paymentRequired } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { authenticateCard, confirmCard } from './billing-card-change.service.ts'
import { assertCardForm, assertPaymentFields, createCard } from './billing-card-form.service.ts'
import { getOrCreateSubscription } from './billing-checkout.service.ts'
import { refreshSubscription } from './billing-manage.service.ts'
import { asAbsent, asRefusal, messageOf } from './billing-refusals.ts'
import { findBillingCustomer } from './billing.repository.ts'

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
  if (isCardOnly(input.clientSecret)) return confirmCard(ctx, dealerId, input)
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
  if (isCardOnly(input.clientSecret)) return authenticateCard(ctx, dealerId, input)
  const intent = await ownIntent(ctx, dealerId, input.clientSecret)
  if (intent.status === 'requires_action') {
    const path = `/v1/test_helpers/payment_intents/${intent.id}/authenticate`
    await ctx.stripe.rawRequest('POST', path, { outcome: input.approve ? 'succeeded' : 'failed' })
  }
  const answered = await ctx.stripe.paymentIntents.retrieve(intent.id)
  if (answered.status === 'succeeded') return outcome(ctx, dealerId, answered)
  throw paymentRequired(messageOf(answered.last_payment_error) ?? 'The payment was not approved')
}

/** The secret is of a card that is to be saved, not of a payment. */
const isCardOnly = (clientSecret: string): boolean => clientSecret.startsWith('seti_')

async function outcome(ctx: Context, dealerId: string, intent: Stripe.PaymentIntent): Promise<PaymentOutcome> {
  const clientSecret = intent.client_secret ?? ''
  if (intent.status !== 'succeeded') return { status: 'requires_action', clientSecret }
  await refreshSubscription(ctx, dealerId)
  return { status: 'succeeded', clientSecret }
}

/** Another dealer's payment and one that does not exist are the same answer. */
export async function ownIntent(ctx: Context, dealerId: string, clientSecret: string): Promise<Stripe.PaymentIntent> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  const id = clientSecret.split('_secret_')[0] ?? ''
  const intent = /^pi_\w+$/.test(id) ? await ctx.stripe.paymentIntents.retrieve(id).catch(asAbsent) : undefined
  if (!intent || customer === undefined || intent.customer !== customer || intent.client_secret !== clientSecret) {
    throw notFound('This payment')
  }
  return intent
}
