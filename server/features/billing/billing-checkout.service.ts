import type Stripe from 'stripe'
import type {
  AuthenticatePayment,
  CompleteSubscription,
  ConfirmPayment,
  MySubscription,
  PaymentOutcome,
} from '#shared/schemas/billing.ts'
import { AppError, conflict, notFound, paymentRequired } from '#server/errors.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { undefinedIfMissing, rethrowAsRefusal, messageOf } from './billing-refusals.ts'
import { refreshSubscription, syncCustomer } from './billing-sync.service.ts'
import { findBillingCustomer, findLiveSubscription, findPlan, insertBillingCustomer } from './billing.repository.ts'
import { itemsOf, priceFor } from './billing.service.ts'
import { payment, own } from './client-secrets.ts'
import { assertCardForm, assertPaymentFields, createCard, answerBank } from './standin-card-form.ts'
import { confirmCard, authenticateCard } from './billing-card.service.ts'

const withSecret = ['data.latest_invoice.confirmation_secret']

/**
 * Finds or creates the unpaid invoice for a plan. Returns the client secret for the payment form.
 * @throws 404 if the plan does not exist; 409 if the dealer is subscribed or another plan has an open invoice or was chosen concurrently
 */
export async function getOrCreateSubscription(ctx: Context, dealerId: string, planId: string): Promise<string> {
  const plan = await findPlan(ctx.db, planId)
  if (!plan) throw notFound('This plan')
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (live && live.stripeId !== null && live.status === 'active') throw conflict('You already have a subscription')
  const customerId = await customerFor(ctx, dealerId)
  const data = await listSubscriptions(ctx, customerId)
  // Ask the provider, because our database may be stale and a second click must not charge twice.
  if (data.some(({ status }) => status === 'active' || status === 'trialing')) {
    await syncCustomer(ctx, customerId)
    throw conflict('You already have a subscription')
  }
  const owed = data.find(({ status }) => status === 'past_due' || status === 'unpaid')
  if (owed) return secretOfOpenInvoice(ctx, customerId, owed, plan)
  if (!plan.active) throw notFound('This plan')
  const price = await priceFor(ctx, plan)
  const same = data.filter(isOpen).find(({ items }) => items.data.some((item) => item.price.id === price))
  if (same) return secretOf(same)
  const created = await createSubscription(ctx, { customerId, dealerId, price, previous: data[0]?.id ?? 'first' })
  await cancelAllButLast(ctx, customerId, created)
  return secretOf(created)
}

/** Returns the client secret of the open invoice. @throws 409 if the invoice is for a plan other than `wanted` */
async function secretOfOpenInvoice(
  ctx: Context,
  customerId: string,
  owed: Stripe.Subscription,
  wanted: { id: string },
): Promise<string> {
  if (itemsOf(owed, 'plan').some(({ id }) => id === wanted.id)) return secretOf(owed)
  await syncCustomer(ctx, customerId)
  throw conflict('Your plan has an open invoice. Pay it before you choose another plan')
}

/** Cancels all unpaid subscriptions but the last: two tabs must not pay for two plans. @throws 409 if `created` is not the last */
async function cancelAllButLast(ctx: Context, customerId: string, created: Stripe.Subscription): Promise<void> {
  const [last, ...givenUp] = (await listSubscriptions(ctx, customerId)).filter(isOpen)
  for (const { id } of givenUp) await ctx.stripe.subscriptions.cancel(id).catch(undefinedIfMissing)
  if (last?.id !== created.id) throw conflict('Another plan was chosen at the same time. Choose your plan again')
}

const isOpen = ({ status }: Stripe.Subscription): boolean => status === 'incomplete'

async function listSubscriptions({ stripe }: Context, customer: string): Promise<Stripe.Subscription[]> {
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 20, expand: withSecret })
  return data
}

/** The idempotency key includes `previous`, so a double click creates one subscription, but a later retry creates another. */
async function createSubscription(
  ctx: Context,
  order: { customerId: string; dealerId: string; price: string; previous: string },
): Promise<Stripe.Subscription> {
  return ctx.stripe.subscriptions.create(
    {
      customer: order.customerId,
      items: [{ price: order.price }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      metadata: { dealer: order.dealerId },
      expand: ['latest_invoice.confirmation_secret'],
    },
    { idempotencyKey: `subscribe:${order.dealerId}:${order.price}:${order.previous}` },
  )
}

function secretOf({ latest_invoice: invoice }: Stripe.Subscription): string {
  const secret = typeof invoice === 'object' ? invoice?.confirmation_secret?.client_secret : undefined
  if (secret === undefined)
    throw new AppError(502, 'unavailable', 'The payment provider returned no invoice. Try again')
  return secret
}

/** Returns the dealer's customer ID. Creates the customer on first use; the idempotency key prevents duplicates. */
async function customerFor(ctx: Context, dealerId: string): Promise<string> {
  const known = await findBillingCustomer(ctx.db, dealerId)
  if (known !== undefined) return known
  const dealer = await findDealer(ctx.db, dealerId)
  if (!dealer) throw notFound('Your account')
  const customer = await ctx.stripe.customers.create(
    { email: dealer.email, metadata: { dealer: dealerId } },
    { idempotencyKey: `customer:${dealerId}` },
  )
  await insertBillingCustomer(ctx.db, dealerId, customer.id)
  return (await findBillingCustomer(ctx.db, dealerId)) ?? customer.id
}

/** @throws 402 with the provider's message if the payment fails */
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
  const intent = await own(ctx, dealerId, input.clientSecret, payment)
  if (intent.status === 'succeeded') return outcome(ctx, dealerId, intent)
  const method = await createCard(ctx, input.paymentInfo)
  const confirmed = await ctx.stripe.paymentIntents
    .confirm(intent.id, { payment_method: method.id })
    .catch(async (error: unknown) => {
      // After a double click, the other request may have paid.
      const now = await ctx.stripe.paymentIntents.retrieve(intent.id)
      return now.status === 'succeeded' ? now : rethrowAsRefusal(error)
    })
  return outcome(ctx, dealerId, confirmed)
}

/** Completes the bank's authentication. @throws 402 if the cardholder did not approve the payment */
export async function authenticatePayment(
  ctx: Context,
  dealerId: string,
  input: AuthenticatePayment,
): Promise<PaymentOutcome> {
  assertCardForm(ctx)
  if (isCardOnly(input.clientSecret)) return authenticateCard(ctx, dealerId, input)
  const intent = await own(ctx, dealerId, input.clientSecret, payment)
  if (intent.status === 'requires_action') {
    await answerBank(ctx, `payment_intents/${intent.id}`, input.approve)
  }
  const answered = await ctx.stripe.paymentIntents.retrieve(intent.id)
  if (answered.status === 'succeeded') return outcome(ctx, dealerId, answered)
  throw paymentRequired(messageOf(answered.last_payment_error) ?? 'The payment was not approved')
}

const isCardOnly = (clientSecret: string): boolean => clientSecret.startsWith('seti_')

async function outcome(ctx: Context, dealerId: string, intent: Stripe.PaymentIntent): Promise<PaymentOutcome> {
  const clientSecret = intent.client_secret ?? ''
  if (intent.status !== 'succeeded') return { status: 'requires_action', clientSecret }
  await refreshSubscription(ctx, dealerId)
  return { status: 'succeeded', clientSecret }
}

/**
 * Refreshes the subscription when the browser returns from the bank's page. Asks the provider, because the URL may be forged.
 * @throws 402 with the provider's message if the payment failed or was abandoned; 404 if it belongs to another dealer
 */
export async function confirmSubscription(
  ctx: Context,
  dealerId: string,
  clientSecret: string | undefined,
): Promise<MySubscription> {
  const intent = clientSecret === undefined ? undefined : await own(ctx, dealerId, clientSecret, payment)
  const mine = await refreshSubscription(ctx, dealerId)
  if (intent && intent.status !== 'succeeded' && intent.status !== 'processing')
    throw paymentRequired(unpaidReason(intent))
  return mine
}

function unpaidReason({ status, last_payment_error: error }: Stripe.PaymentIntent): string {
  if (status === 'requires_action') return 'Your bank has not confirmed the payment, so nothing was charged.'
  return messageOf(error) ?? 'The payment was not completed'
}
