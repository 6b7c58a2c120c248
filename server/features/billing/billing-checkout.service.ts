import Stripe from 'stripe'
import type {
  AuthenticatePayment,
  CardChange,
  CompleteSubscription,
  ConfirmPayment,
  MySubscription,
  PaymentInfo,
  PaymentOutcome,
} from '#shared/schemas/billing.ts'
import { isBlank } from '#shared/visible-text.ts'
import { AppError, badRequest, conflict, notFound, paymentRequired } from '#server/errors.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { cardDigits, findTestCard } from '#server/platform/stripe/stripe-test-cards.ts'
import { asAbsent, asRefusal, messageOf } from './billing-refusals.ts'
import { refreshSubscription, syncCustomer } from './billing-sync.service.ts'
import { findBillingCustomer, findLiveSubscription, findPlan, insertBillingCustomer } from './billing.repository.ts'
import { itemsOf, priceFor, requireLive, toPaymentMethod, usesStandin } from './billing.service.ts'

const withSecret = ['data.latest_invoice.confirmation_secret']

/**
 * Finds or creates the unpaid invoice for a plan: the first invoice, or a renewal that failed.
 * @returns the client secret for the payment form
 * @throws 409 if already subscribed, another plan's invoice is open, or another plan was chosen later
 */
export async function getOrCreateSubscription(ctx: Context, dealerId: string, planId: string): Promise<string> {
  const plan = await findPlan(ctx.db, planId)
  if (!plan) throw notFound('This plan')
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (live && live.stripeId !== null && live.status === 'active') throw conflict('You already have a subscription')
  const customerId = await customerFor(ctx, dealerId)
  const data = await listSubscriptions(ctx, customerId)
  // Check with the provider: our copy may lag, and a second click must not charge twice.
  if (data.some(({ status }) => status === 'active' || status === 'trialing')) {
    await syncCustomer(ctx, customerId)
    throw conflict('You already have a subscription')
  }
  const owed = data.find(({ status }) => status === 'past_due' || status === 'unpaid')
  if (owed) return secretOwed(ctx, customerId, owed, plan)
  if (!plan.active) throw notFound('This plan')
  const price = await priceFor(ctx, plan)
  const same = data.filter(isOpen).find(({ items }) => items.data.some((item) => item.price.id === price))
  if (same) return secretOf(same)
  const created = await createSubscription(ctx, { customerId, dealerId, price, previous: data[0]?.id ?? 'first' })
  await cancelAllButLast(ctx, customerId, created)
  return secretOf(created)
}

/** Makes sure that a dealer pays only for the plan they have chosen. */
async function secretOwed(
  ctx: Context,
  customerId: string,
  owed: Stripe.Subscription,
  wanted: { id: string },
): Promise<string> {
  if (itemsOf(owed, 'plan').some(({ id }) => id === wanted.id)) return secretOf(owed)
  await syncCustomer(ctx, customerId)
  throw conflict('Your plan has an open invoice. Pay it before you choose another plan')
}

/** Cancels all but the last unpaid subscription: two tabs could pay for two plans. @throws 409 if not the last */
async function cancelAllButLast(ctx: Context, customerId: string, created: Stripe.Subscription): Promise<void> {
  const [last, ...givenUp] = (await listSubscriptions(ctx, customerId)).filter(isOpen)
  for (const { id } of givenUp) await ctx.stripe.subscriptions.cancel(id).catch(asAbsent)
  if (last?.id !== created.id) throw conflict('Another plan was chosen at the same time. Choose your plan again')
}

const isOpen = ({ status }: Stripe.Subscription): boolean => status === 'incomplete'

async function listSubscriptions({ stripe }: Context, customer: string): Promise<Stripe.Subscription[]> {
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 20, expand: withSecret })
  return data
}

/** The key includes the previous state: a double click creates one subscription, a retry after a lapse a new one. */
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

/** The dealer's customer at the provider, created on first use. The key prevents duplicates. */
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

/** Guards our own card form, which exists only with the stand-in. @throws 404 with a real provider */
function assertCardForm(ctx: Context): void {
  if (!usesStandin(ctx.config)) throw notFound('This card form')
}

const names = { cardNumber: 'card number', expiryDate: 'expiry date', cvv: 'cvv' } as const
const addressNames = { address: 'address', city: 'city', state: 'state', zipCode: 'zip code' } as const
type AddressField = keyof typeof addressNames

/** Only checkout sends `nameOnCard`, and requires the address. @throws 400 naming the first blank field */
function assertBillingAddress({ nameOnCard, billingAddress }: PaymentInfo): void {
  if (nameOnCard === undefined) return
  for (const [field, words] of Object.entries(addressNames))
    if (isBlank(billingAddress?.[field as AddressField] ?? ''))
      throw badRequest(`Please fill in billing ${words}`, { fields: [`billingAddress.${field}`] })
}

/** @throws 400 naming the field that is blank or not a test card */
function assertPaymentFields(info: PaymentInfo): void {
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

/** Sends the card to the provider without storing it. @throws 402 with the provider's message */
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

/** Subscribes and pays in one call. @throws 402 with the provider's message */
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
      // After two clicks at once, the other one may have paid.
      const now = await ctx.stripe.paymentIntents.retrieve(intent.id)
      return now.status === 'succeeded' ? now : asRefusal(error)
    })
  return outcome(ctx, dealerId, confirmed)
}

/** Completes the bank's authentication. @throws 402 if the cardholder did not approve */
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

async function answerBank(ctx: Context, asked: string, approve: boolean): Promise<void> {
  const answer = { outcome: approve ? 'succeeded' : 'failed' }
  await ctx.stripe.rawRequest('POST', `/v1/test_helpers/${asked}/authenticate`, answer)
}

const isCardOnly = (clientSecret: string): boolean => clientSecret.startsWith('seti_')

async function outcome(ctx: Context, dealerId: string, intent: Stripe.PaymentIntent): Promise<PaymentOutcome> {
  const clientSecret = intent.client_secret ?? ''
  if (intent.status !== 'succeeded') return { status: 'requires_action', clientSecret }
  await refreshSubscription(ctx, dealerId)
  return { status: 'succeeded', clientSecret }
}

/**
 * Reads the result from the provider when the browser returns from the bank's page, because its URL proves nothing.
 * @param clientSecret of the payment in the URL; without one, only the subscription is refreshed
 * @returns the subscription, which is not active while the payment is processing
 * @throws 402 with the provider's message if the payment failed or was abandoned, 404 if it is not this dealer's
 */
export async function confirmSubscription(
  ctx: Context,
  dealerId: string,
  clientSecret: string | undefined,
): Promise<MySubscription> {
  const intent = clientSecret === undefined ? undefined : await own(ctx, dealerId, clientSecret, payment)
  const mine = await refreshSubscription(ctx, dealerId)
  if (intent && intent.status !== 'succeeded' && intent.status !== 'processing') throw paymentRequired(whyOpen(intent))
  return mine
}

function whyOpen({ status, last_payment_error: error }: Stripe.PaymentIntent): string {
  if (status === 'requires_action') return 'Your bank has not confirmed the payment, so nothing was charged.'
  return messageOf(error) ?? 'The payment was not completed'
}

/**
 * Step 1 of 3 of a card change. Charges nothing.
 * @returns the client secret for the card form
 * @throws 404 without a subscription, 409 for a free plan
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

/** Saves a card from our own form, which exists only with the stand-in. The bank may require authentication. */
async function confirmCard(ctx: Context, dealerId: string, input: ConfirmPayment): Promise<PaymentOutcome> {
  const setup = await own(ctx, dealerId, input.clientSecret, savedCard)
  if (setup.status === 'succeeded') return changeOutcome(setup)
  const method = await createCard(ctx, input.paymentInfo)
  return changeOutcome(await ctx.stripe.setupIntents.confirm(setup.id, { payment_method: method.id }).catch(asRefusal))
}

/** Completes the bank's authentication for a card. @throws 402 if the cardholder did not approve */
async function authenticateCard(
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

/** Makes the confirmed card the default and retries an open invoice. @throws 402 if it was not confirmed */
export async function replaceCard(ctx: Context, dealerId: string, clientSecret: string): Promise<CardChange> {
  const { customer, live, subscriptionId } = await payer(ctx, dealerId)
  const setup = requireSaved(await own(ctx, dealerId, clientSecret, savedCard))
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

/** A decline does not undo the card change; the invoice stays open. */
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

/** The dealer's customer and subscription. @throws 409 for a free plan, which has no card */
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

interface Secret<Kept> {
  id: RegExp
  name: string
  retrieve: (ctx: Context, id: string) => Promise<Kept>
}

const payment: Secret<Stripe.PaymentIntent> = {
  id: /^pi_\w+$/,
  name: 'This payment',
  retrieve: ({ stripe }, id) => stripe.paymentIntents.retrieve(id),
}

const savedCard: Secret<Stripe.SetupIntent> = {
  id: /^seti_\w+$/,
  name: 'This card',
  retrieve: ({ stripe }, id) => stripe.setupIntents.retrieve(id),
}

/** Loads the object of a client secret. Another dealer's is reported as not found. @throws 404 */
async function own<Kept extends Stripe.PaymentIntent | Stripe.SetupIntent>(
  ctx: Context,
  dealerId: string,
  clientSecret: string,
  secret: Secret<Kept>,
): Promise<Kept> {
  const customer = await findBillingCustomer(ctx.db, dealerId)
  const id = clientSecret.split('_secret_')[0] ?? ''
  const found = secret.id.test(id) ? await secret.retrieve(ctx, id).catch(asAbsent) : undefined
  if (!found || customer === undefined || found.customer !== customer || found.client_secret !== clientSecret) {
    throw notFound(secret.name)
  }
  return found
}
