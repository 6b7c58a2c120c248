import Stripe from 'stripe'
import type { AuthenticatePayment, CardChange, ConfirmPayment, PaymentOutcome } from '#shared/schemas/billing.ts'
import { conflict, paymentRequired } from '#server/errors.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { rethrowAsRefusal, messageOf } from './billing-refusals.ts'
import { syncCustomer } from './billing-sync.service.ts'
import { findBillingCustomer } from './billing.repository.ts'
import { requireLive, toPaymentMethod } from './billing.service.ts'
import { savedCard, own } from './client-secrets.ts'
import { createCard, answerBank } from './standin-card-form.ts'

/** Returns the client secret for the card form. @throws 404 if the dealer has no subscription; 409 if the plan is complimentary */
export async function startCardChange(ctx: Context, dealerId: string): Promise<string> {
  const { customer } = await requireCardPayer(ctx, dealerId)
  const setup = await ctx.stripe.setupIntents.create({
    customer,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
    metadata: { dealer: dealerId },
  })
  return setup.client_secret ?? ''
}

/** Saves a card from our own form, which exists only with the Stripe stand-in. The bank may require authentication. */
export async function confirmCard(ctx: Context, dealerId: string, input: ConfirmPayment): Promise<PaymentOutcome> {
  const setup = await own(ctx, dealerId, input.clientSecret, savedCard)
  if (setup.status === 'succeeded') return changeOutcome(setup)
  const method = await createCard(ctx, input.paymentInfo)
  return changeOutcome(
    await ctx.stripe.setupIntents.confirm(setup.id, { payment_method: method.id }).catch(rethrowAsRefusal),
  )
}

/** Completes the bank's authentication of a card. @throws 402 if the cardholder did not approve it */
export async function authenticateCard(
  ctx: Context,
  dealerId: string,
  { clientSecret, approve }: AuthenticatePayment,
): Promise<PaymentOutcome> {
  const setup = await own(ctx, dealerId, clientSecret, savedCard)
  if (setup.status === 'requires_action') {
    await answerBank(ctx, `setup_intents/${setup.id}`, approve)
  }
  return changeOutcome(requireSaved(await ctx.stripe.setupIntents.retrieve(setup.id)))
}

/** Makes the confirmed card the default and retries an open invoice. @throws 402 if the card was not confirmed */
export async function replaceCard(ctx: Context, dealerId: string, clientSecret: string): Promise<CardChange> {
  const { customer, live, subscriptionId } = await requireCardPayer(ctx, dealerId)
  const setup = requireSaved(await own(ctx, dealerId, clientSecret, savedCard))
  const method = typeof setup.payment_method === 'string' ? setup.payment_method : (setup.payment_method?.id ?? '')
  const subscription = await ctx.stripe.subscriptions.update(subscriptionId, {
    default_payment_method: method,
    expand: ['latest_invoice', 'default_payment_method'],
  })
  await ctx.stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } })
  const openInvoice = await payOpenInvoice(ctx, subscription, method)
  await syncCustomer(ctx, customer)
  await ctx.transact((tx, emit) => touchInbox(tx, emit, [dealerId], 'subscription', live.id))
  return { paymentMethod: toPaymentMethod(subscription.default_payment_method), ...openInvoice }
}

/** Pays the open invoice with the new card. If the card is declined, it still replaces the old card, and the invoice remains open. */
async function payOpenInvoice(
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

/** @throws 404 if the dealer has no subscription; 409 if the plan is complimentary and has no card */
async function requireCardPayer(ctx: Context, dealerId: string) {
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
