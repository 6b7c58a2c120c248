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
import { AppError, badRequest, conflict, notFound, paymentRequired } from '#server/errors.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import { cardDigits, findTestCard } from '#server/platform/stripe-test-cards.ts'
import { asAbsent, asRefusal, messageOf } from './billing-refusals.ts'
import { refreshSubscription, syncCustomer } from './billing-sync.service.ts'
import { findBillingCustomer, findLiveSubscription, findPlan, insertBillingCustomer } from './billing.repository.ts'
import { itemsOf, priceFor, requireLive, toPaymentMethod, usesStandin } from './billing.service.ts'

const withSecret = ['data.latest_invoice.confirmation_secret']

/**
 * What the dealer has to pay to be on this plan: the open first invoice, made now or found from an earlier try, or the
 * invoice of a renewal that failed, also of a plan that is not on offer any more.
 * @returns the client secret that the payment form confirms
 * @throws 409 when a paid subscription is already there, another plan is owed, or was chosen after this one
 */
export async function getOrCreateSubscription(ctx: Context, dealerId: string, planId: string): Promise<string> {
  const plan = await findPlan(ctx.db, planId)
  if (!plan) throw notFound('This plan')
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (live && live.stripeId !== null && live.status === 'active') throw conflict('You already have a subscription')
  const customerId = await customerFor(ctx, dealerId)
  const data = await listSubscriptions(ctx, customerId)
  // Our own copy may lag behind: a second press must not become a second charge.
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
  await keepLast(ctx, customerId, created)
  return secretOf(created)
}

/** Nobody pays for another plan than the one that they have chosen. */
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

/**
 * Only one invoice may wait for payment, or two tabs could pay for two plans: the last one, also where both choose in one moment.
 * @throws 409 where this is not the last
 */
async function keepLast(ctx: Context, customerId: string, created: Stripe.Subscription): Promise<void> {
  const [last, ...givenUp] = (await listSubscriptions(ctx, customerId)).filter(isOpen)
  for (const { id } of givenUp) await ctx.stripe.subscriptions.cancel(id).catch(asAbsent)
  if (last?.id !== created.id) throw conflict('Another plan was chosen at the same time. Choose your plan again')
}

const isOpen = ({ status }: Stripe.Subscription): boolean => status === 'incomplete'

/** The customer's, whatever became of them, newest first. */
async function listSubscriptions({ stripe }: Context, customer: string): Promise<Stripe.Subscription[]> {
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 20, expand: withSecret })
  return data
}

/** Keyed by what came before: a double click is one subscription, a later try after a lapse is a new one. */
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
    throw new AppError(502, 'unavailable', 'The payment provider did not answer with an invoice')
  return secret
}

/** The dealer's customer at the provider, made on first use; the key keeps two requests from making two. */
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

/**
 * Our own card form. It exists only beside the local stand-in, takes only the provider's published test numbers, and
 * passes them on without storing or logging them. @throws 404 where a real provider is configured
 */
function assertCardForm(ctx: Context): void {
  if (!usesStandin(ctx.config)) throw notFound('This card form')
}

const names = { cardNumber: 'card number', expiryDate: 'expiry date', cvv: 'cvv' } as const
const addressNames = { address: 'address', city: 'city', state: 'state', zipCode: 'zip code' } as const
type AddressField = keyof typeof addressNames

/** Checkout names the card by `nameOnCard` and asks for the address beside it. @throws 400 naming the first blank field */
function assertBillingAddress({ nameOnCard, billingAddress }: PaymentInfo): void {
  if (nameOnCard === undefined) return
  for (const [field, words] of Object.entries(addressNames))
    if (!billingAddress?.[field as AddressField].trim())
      throw badRequest(`Please fill in billing ${words}`, { fields: [`billingAddress.${field}`] })
}

/** @throws 400 naming the field that is blank, or not a test card */
function assertPaymentFields(info: PaymentInfo): void {
  for (const [field, words] of Object.entries(names)) {
    if (info[field as keyof typeof names].trim() === '')
      throw badRequest(`Please fill in ${words}`, { fields: [field] })
  }
  if (!(info.cardholderName ?? info.nameOnCard)?.trim())
    throw badRequest('Please fill in name on card', { fields: ['nameOnCard'] })
  assertBillingAddress(info)
  if (!findTestCard(info.cardNumber)) {
    throw badRequest("This demo accepts only the payment provider's test cards, such as 4242 4242 4242 4242", {
      fields: ['cardNumber'],
    })
  }
}

/** The card at the provider; nothing of it stays here. @throws 402 with the provider's message */
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
  const intent = await own(ctx, dealerId, input.clientSecret, payment)
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
  const intent = await own(ctx, dealerId, input.clientSecret, payment)
  if (intent.status === 'requires_action') {
    await answerBank(ctx, `payment_intents/${intent.id}`, input.approve)
  }
  const answered = await ctx.stripe.paymentIntents.retrieve(intent.id)
  if (answered.status === 'succeeded') return outcome(ctx, dealerId, answered)
  throw paymentRequired(messageOf(answered.last_payment_error) ?? 'The payment was not approved')
}

/** As the cardholder would on their bank's page. */
async function answerBank(ctx: Context, asked: string, approve: boolean): Promise<void> {
  const answer = { outcome: approve ? 'succeeded' : 'failed' }
  await ctx.stripe.rawRequest('POST', `/v1/test_helpers/${asked}/authenticate`, answer)
}

/** The secret is of a card that is to be saved, not of a payment. */
const isCardOnly = (clientSecret: string): boolean => clientSecret.startsWith('seti_')

async function outcome(ctx: Context, dealerId: string, intent: Stripe.PaymentIntent): Promise<PaymentOutcome> {
  const clientSecret = intent.client_secret ?? ''
  if (intent.status !== 'succeeded') return { status: 'requires_action', clientSecret }
  await refreshSubscription(ctx, dealerId)
  return { status: 'succeeded', clientSecret }
}

/**
 * For a browser that comes back from its bank's page: asks the provider how things stand, because nothing in the
 * address proves anything.
 * @param clientSecret of the payment that the address names; without one only the subscription is read anew
 * @returns the subscription, which is not active yet while the bank is still at work
 * @throws 402 with the provider's message when the payment was refused or left, 404 when it is not this dealer's
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
  const setup = await own(ctx, dealerId, input.clientSecret, savedCard)
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
  const setup = await own(ctx, dealerId, clientSecret, savedCard)
  if (setup.status === 'requires_action') {
    await answerBank(ctx, `setup_intents/${setup.id}`, approve)
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

/** What a client secret is of, as the provider keeps it. */
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

/** Another dealer's and one that does not exist are the same answer. @throws 404 */
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
