import Stripe from 'stripe'
import type {
  AuthenticatePayment,
  CardChange,
  CompleteSubscription,
  ConfirmPayment,
  PaymentOutcome,
} from '#shared/schemas/billing.ts'
import { conflict, notFound, paymentRequired } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { assertCardForm, assertPaymentFields, createCard, getOrCreateSubscription } from './billing-checkout.service.ts'
import { refreshSubscription, requireLive, toPaymentMethod } from './billing-changes.service.ts'
import { asAbsent, asRefusal, messageOf } from './billing-refusals.ts'
import { findBillingCustomer } from './billing.repository.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { syncCustomer } from './billing-sync.service.ts'

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

/**
 * The first of three steps to another card: what the payment form confirms. Nothing is charged.
 * @returns the client secret for the form
 * @throws 404 without a subscription, 409 for a plan that nobody pays for
 */
export async function startCardChange(ctx: Context, dealerId: string): Promise<string> {
  const { customer } = await payer(ctx, dealerId)
  const setup = await ctx.stripe.setupIntents.create({
    customer,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
    metadata: { dealer: dealerId },
  })
  return setup.client_secret ?? ''
}

/** Our own card form, beside the stand-in only: the card is saved, and its bank may ask first. */
async function confirmCard(ctx: Context, dealerId: string, input: ConfirmPayment): Promise<PaymentOutcome> {
  const setup = await ownSetup(ctx, dealerId, input.clientSecret)
  if (setup.status === 'succeeded') return changeOutcome(setup)
  const method = await createCard(ctx, input.paymentInfo)
  return changeOutcome(await ctx.stripe.setupIntents.confirm(setup.id, { payment_method: method.id }).catch(asRefusal))
}

/** What the cardholder answered their bank. @throws 402 when they did not approve */
async function authenticateCard(
  ctx: Context,
  dealerId: string,
  { clientSecret, approve }: AuthenticatePayment,
): Promise<PaymentOutcome> {
  const setup = await ownSetup(ctx, dealerId, clientSecret)
  if (setup.status === 'requires_action') {
    const path = `/v1/test_helpers/setup_intents/${setup.id}/authenticate`
    await ctx.stripe.rawRequest('POST', path, { outcome: approve ? 'succeeded' : 'failed' })
  }
  return changeOutcome(requireSaved(await ctx.stripe.setupIntents.retrieve(setup.id)))
}

/**
 * The last step: the confirmed card is the one that is charged from now on, and an invoice that waits for payment is
 * tried again with it at once.
 * @throws 402 with the provider's message when the card was not confirmed
 */
export async function replaceCard(ctx: Context, dealerId: string, clientSecret: string): Promise<CardChange> {
  const { customer, live, subscriptionId } = await payer(ctx, dealerId)
  const setup = requireSaved(await ownSetup(ctx, dealerId, clientSecret))
  const method = typeof setup.payment_method === 'string' ? setup.payment_method : (setup.payment_method?.id ?? '')
  const subscription = await ctx.stripe.subscriptions.update(subscriptionId, {
    default_payment_method: method,
    expand: ['latest_invoice', 'default_payment_method'],
  })
  await ctx.stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } })
  const openInvoice = await payOpen(ctx, subscription, method)
  await syncCustomer(ctx, customer)
  await ctx.transact((tx, emit) => touchInbox(tx, emit, [dealerId], 'subscription', live.id))
  return { paymentMethod: toPaymentMethod(subscription.default_payment_method), ...openInvoice }
}

/** A refusal here leaves the new card in place: it is the dealer's choice, and the invoice stays open. */
async function payOpen(
  ctx: Context,
  { latest_invoice: invoice }: Stripe.Subscription,
  method: string,
): Promise<Pick<CardChange, 'openInvoice' | 'refusal'>> {
  if (typeof invoice !== 'object' || invoice?.status !== 'open') return { openInvoice: 'none', refusal: null }
  try {
    await ctx.stripe.invoices.pay(invoice.id, { payment_method: method })
    return { openInvoice: 'paid', refusal: null }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
    return { openInvoice: 'refused', refusal: error.message }
  }
}

/** Who pays for what; a plan given without payment has no card. */
async function payer(ctx: Context, dealerId: string) {
  const live = await requireLive(ctx, dealerId)
  const customer = await findBillingCustomer(ctx.db, dealerId)
  if (live.stripeId === null || customer === undefined) throw conflict('Your complimentary plan has no card')
  return { live, customer, subscriptionId: live.stripeId }
}

function requireSaved(setup: Stripe.SetupIntent): Stripe.SetupIntent {
  if (setup.status === 'succeeded') return setup
  throw paymentRequired(messageOf(setup.last_setup_error) ?? 'The card was not confirmed')
}

const changeOutcome = ({ status, client_secret: secret }: Stripe.SetupIntent): PaymentOutcome => ({
  status: status === 'succeeded' ? 'succeeded' : 'requires_action',
  clientSecret: secret ?? '',
})

/** Another dealer's card and one that does not exist are the same answer. */
async function ownSetup(ctx: Context, dealerId: string, clientSecret: string): Promise<Stripe.SetupIntent> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  const id = clientSecret.split('_secret_')[0] ?? ''
  const setup = /^seti_\w+$/.test(id) ? await ctx.stripe.setupIntents.retrieve(id).catch(asAbsent) : undefined
  if (!setup || customer === undefined || setup.customer !== customer || setup.client_secret !== clientSecret) {
    throw notFound('This card')
  }
  return setup
}
