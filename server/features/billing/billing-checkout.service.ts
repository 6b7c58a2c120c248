import type Stripe from 'stripe'
import type { PaymentInfo } from '#shared/schemas/billing.ts'
import { AppError, badRequest, conflict, notFound } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { cardDigits, findTestCard } from '#server/platform/stripe-test-cards.ts'
import { asRefusal } from './billing-refusals.ts'
import { priceFor, usesStandin } from './billing.service.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import { syncCustomer } from './billing-sync.service.ts'
import { findBillingCustomer, findLiveSubscription, findPlan, insertBillingCustomer } from './billing.repository.ts'

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

const withSecret = ['data.latest_invoice.confirmation_secret']

/**
 * What the dealer has to pay to be on this plan: the open first invoice, made now or found from an earlier try, or the
 * invoice of a renewal that failed.
 * @returns the client secret that the payment form confirms
 * @throws 409 when a paid subscription is already there
 */
export async function getOrCreateSubscription(ctx: Context, dealerId: string, planId: string): Promise<string> {
  const plan = await findPlan(ctx.db, planId)
  if (!plan?.active) throw notFound('This plan')
  const live = await findLiveSubscription(ctx.db, dealerId)
  if (live && live.stripeId !== null && live.status === 'active') throw conflict('You already have a subscription')
  const customerId = await customerFor(ctx, dealerId)
  const { data } = await ctx.stripe.subscriptions.list({
    customer: customerId,
    status: 'all',
    limit: 20,
    expand: withSecret,
  })
  // Our own copy may lag behind: a second press must not become a second charge.
  if (data.some(({ status }) => status === 'active' || status === 'trialing')) {
    await syncCustomer(ctx, customerId)
    throw conflict('You already have a subscription')
  }
  const owed = data.find(({ status }) => status === 'past_due' || status === 'unpaid')
  if (owed) return secretOf(owed)
  const price = await priceFor(ctx, plan)
  const open = data.filter(({ status }) => status === 'incomplete')
  const same = open.find(({ items }) => items.data.some((item) => item.price.id === price))
  if (same) return secretOf(same)
  const created = await createSubscription(ctx, { customerId, dealerId, price, previous: data[0]?.id ?? 'first' })
  // Only one invoice may wait for payment, or two tabs could pay for two plans.
  for (const { id } of open) await ctx.stripe.subscriptions.cancel(id)
  return created
}

/** Keyed by what came before: a double click is one subscription, a later try after a lapse is a new one. */
async function createSubscription(
  ctx: Context,
  order: { customerId: string; dealerId: string; price: string; previous: string },
): Promise<string> {
  const subscription = await ctx.stripe.subscriptions.create(
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
  return secretOf(subscription)
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
