import Stripe from 'stripe'
import type { CardChange, ConfirmPayment, AuthenticatePayment, PaymentOutcome } from '#shared/schemas/billing.ts'
import { conflict, notFound, paymentRequired } from '#server/errors.ts'
import { touchInbox } from '#server/features/inbox/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import { createCard } from './billing-card-form.service.ts'
import { requireLive, toPaymentMethod } from './billing-manage.service.ts'
import { asAbsent, asRefusal, messageOf } from './billing-refusals.ts'
import { findBillingCustomer } from './billing.repository.ts'
import { syncCustomer } from './billing-sync.service.ts'

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
export async function confirmCard(ctx: Context, dealerId: string, input: ConfirmPayment): Promise<PaymentOutcome> {
  const setup = await ownSetup(ctx, dealerId, input.clientSecret)
  if (setup.status === 'succeeded') return outcome(setup)
  const method = await createCard(ctx, input.paymentInfo)
  return outcome(await ctx.stripe.setupIntents.confirm(setup.id, { payment_method: method.id }).catch(asRefusal))
}

/** What the cardholder answered their bank. @throws 402 when they did not approve */
export async function authenticateCard(
  ctx: Context,
  dealerId: string,
  { clientSecret, approve }: AuthenticatePayment,
): Promise<PaymentOutcome> {
  const setup = await ownSetup(ctx, dealerId, clientSecret)
  if (setup.status === 'requires_action') {
    const path = `/v1/test_helpers/setup_intents/${setup.id}/authenticate`
    await ctx.stripe.rawRequest('POST', path, { outcome: approve ? 'succeeded' : 'failed' })
  }
  return outcome(requireSaved(await ctx.stripe.setupIntents.retrieve(setup.id)))
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

const outcome = ({ status, client_secret: secret }: Stripe.SetupIntent): PaymentOutcome => ({
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
