import { createHash } from 'node:crypto'
import { cardDigits, findTestCard, type TestCardOutcome } from '#server/platform/stripe/stripe-test-cards.ts'
import { intentOf, invoiceOf, subscriptionOf, type Provider } from './stripe-billing.ts'
import { badRequest, cardError } from './stripe-faults.ts'
import { mapAt, numberAt, textAt, type Form } from './stripe-form.ts'
import type { CreditNote, Invoice, PaymentError, PaymentIntent, PaymentMethod, Subscription } from './stripe-records.ts'
import { newId } from './stripe-store.ts'

const retryAfterSeconds = 3 * 24 * 3600
export const authenticationFailed: Omit<PaymentError, 'code'> = {
  type: 'card_error',
  message:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
}
const succeeds: TestCardOutcome = { kind: 'succeeds' }

/** Stores a card's brand, last four digits and expiry date, but never its number or security code. */
export function createPaymentMethod({ store }: Provider, form: Form): PaymentMethod {
  if (textAt(form, 'type') !== 'card') throw badRequest('Only cards are supported here.', 'type')
  const number = cardDigits(textAt(form, 'card', 'number') ?? '')
  const card = findTestCard(number)
  if (!card) {
    const message =
      'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.'
    throw cardError('card_declined', message, { decline_code: 'test_mode_live_card' })
  }
  const month = numberAt(form, 'card', 'exp_month') ?? 0
  const year = numberAt(form, 'card', 'exp_year') ?? 0
  checkExpiry(new Date(store.now() * 1000), month, year)
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    billing_details: {
      name: textAt(form, 'billing_details', 'name') ?? null,
      address: mapAt(form, 'billing_details', 'address'),
    },
    card: {
      brand: card.brand,
      last4: number.slice(-4),
      exp_month: month,
      exp_year: year,
      funding: 'credit',
      fingerprint: fingerprintOf(number, textAt(form, 'billing_details', 'name') ?? ''),
    },
    created: store.now(),
    customer: null,
    type: 'card',
  }
  store.tables.payment_method[method.id] = method
  store.outcomes[method.id] = card.outcome
  return method
}

/** Includes the cardholder's name, because everybody uses the same test card numbers. */
const fingerprintOf = (number: string, name: string): string =>
  createHash('sha256').update(`${number}/${name}`).digest('base64url').slice(0, 16)

function checkExpiry(now: Date, month: number, year: number): void {
  if (!(month >= 1 && month <= 12)) throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.")
  const lastMonth = year * 12 + month - 1
  if (!(lastMonth >= now.getUTCFullYear() * 12 + now.getUTCMonth()) || year > now.getUTCFullYear() + 50) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.")
  }
}

/** Confirms a payment while the customer is present, so the bank may ask the customer to authenticate. */
export function confirmIntent(
  provider: Provider,
  intent: PaymentIntent,
  paymentMethodId: string | undefined,
): PaymentIntent {
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    const message = `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`
    throw badRequest(message, 'payment_intent', 'payment_intent_unexpected_state')
  }
  const method = provider.store.get('payment_method', paymentMethodId ?? intent.payment_method ?? '')
  method.customer = intent.customer
  intent.payment_method = method.id
  const outcome = provider.store.outcomes[method.id] ?? succeeds
  if (outcome.kind === 'authenticates') return askForAuthentication(provider, intent)
  if (outcome.kind === 'declines') throw refuse(provider, intent, declined(outcome))
  return settle(provider, intent)
}

/** Applies the cardholder's decision on the bank's authentication page. */
export function authenticateIntent(provider: Provider, intent: PaymentIntent, approved: boolean): PaymentIntent {
  if (intent.status !== 'requires_action') {
    throw badRequest(
      'This PaymentIntent does not wait for authentication.',
      'payment_intent',
      'payment_intent_unexpected_state',
    )
  }
  const { payment_method: method } = intent
  const outcome = provider.store.outcomes[method ?? '']
  if (approved && method && outcome?.kind === 'authenticates' && outcome.once)
    provider.store.outcomes[method] = succeeds
  if (approved) return settle(provider, intent)
  refuse(provider, intent, { ...authenticationFailed, code: 'payment_intent_authentication_failure' })
  return intent
}

/** Charges a card while the customer is absent (renewal or plan change). A card that requires authentication is declined. */
export function chargeOffSession(
  provider: Provider,
  intent: PaymentIntent,
  paymentMethodId: string | null,
): PaymentError | undefined {
  if (intent.amount === 0) {
    settle(provider, intent)
    return undefined
  }
  const method = provider.store.tables.payment_method[paymentMethodId ?? '']
  const outcome = method ? (provider.store.outcomes[method.id] ?? succeeds) : undefined
  intent.payment_method = method?.id ?? null
  if (outcome?.kind === 'succeeds') {
    settle(provider, intent)
    return undefined
  }
  const error: PaymentError =
    outcome?.kind === 'declines'
      ? declined(outcome)
      : {
          type: 'card_error',
          code: 'authentication_required',
          message: 'Your card was declined. This transaction requires authentication.',
        }
  refuse(provider, intent, error)
  return error
}

export function declined(outcome: Extract<TestCardOutcome, { kind: 'declines' }>): PaymentError {
  return { type: 'card_error', code: outcome.code, decline_code: outcome.declineCode, message: outcome.message }
}

function askForAuthentication(provider: Provider, intent: PaymentIntent): PaymentIntent {
  intent.status = 'requires_action'
  intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
  provider.webhooks.emit('payment_intent.requires_action', intent)
  provider.webhooks.emit('invoice.payment_action_required', invoiceOf(provider.store, intent))
  return intent
}

function refuse(provider: Provider, intent: PaymentIntent, error: PaymentError) {
  intent.status = 'requires_payment_method'
  intent.next_action = null
  intent.last_payment_error = error
  const invoice = invoiceOf(provider.store, intent)
  const subscription = subscriptionOf(provider.store, invoice)
  invoice.attempt_count += 1
  if (invoice.billing_reason === 'subscription_cycle') {
    invoice.next_payment_attempt = provider.store.now() + retryAfterSeconds
    subscription.status = 'past_due'
    provider.webhooks.emit('customer.subscription.updated', subscription)
  }
  provider.webhooks.emit('payment_intent.payment_failed', intent)
  provider.webhooks.emit('invoice.payment_failed', invoice)
  provider.store.save()
  return refusalFault(error, { payment_intent: intent })
}

export function refusalFault({ code, message, decline_code: reason }: PaymentError, about: object = {}) {
  return cardError(code, message, { ...(reason && { decline_code: reason }), ...about })
}

/** Retries an open invoice. Charges the given card or, without one, the card of the subscription. */
export function payInvoice(provider: Provider, invoice: Invoice, paymentMethodId: string | undefined): Invoice {
  if (invoice.status !== 'open') throw badRequest('Invoice is already paid', 'invoice', 'invoice_already_paid')
  const method = paymentMethodId ?? subscriptionOf(provider.store, invoice).default_payment_method
  const refusal = chargeOffSession(provider, intentOf(provider.store, invoice), method)
  if (refusal) throw refusalFault(refusal)
  return invoice
}

export function creditInvoice(provider: Provider, form: Form): CreditNote {
  const { store } = provider
  const invoice = store.get('invoice', textAt(form, 'invoice'))
  if (invoice.status !== 'paid') throw badRequest('Only a paid invoice can be refunded here.', 'invoice')
  const amount = numberAt(form, 'amount') ?? 0
  if (!Number.isInteger(amount) || amount <= 0 || numberAt(form, 'refund_amount') !== amount)
    throw badRequest('The whole amount is refunded here, in whole cents.', 'refund_amount')
  if (invoice.post_payment_credit_notes_amount + amount > invoice.amount_paid)
    throw badRequest('The refund amount is greater than the amount not yet refunded.', 'refund_amount')
  invoice.post_payment_credit_notes_amount += amount
  const note: CreditNote = {
    id: newId('cn'),
    object: 'credit_note',
    amount,
    created: store.now(),
    currency: 'usd',
    customer: invoice.customer,
    invoice: invoice.id,
    memo: textAt(form, 'memo') ?? null,
    metadata: mapAt(form, 'metadata'),
    number: `${invoice.number}-CN`,
    post_payment_amount: amount,
    status: 'issued',
    type: 'post_payment',
  }
  store.tables.credit_note[note.id] = note
  provider.webhooks.emit('credit_note.created', note)
  return note
}

function settle(provider: Provider, intent: PaymentIntent): PaymentIntent {
  intent.status = 'succeeded'
  intent.next_action = null
  intent.last_payment_error = null
  intent.amount_received = intent.amount
  const invoice = invoiceOf(provider.store, intent)
  const subscription = subscriptionOf(provider.store, invoice)
  markPaid(invoice, provider.store.now())
  keepActive(subscription, intent)
  provider.webhooks.emit('payment_intent.succeeded', intent)
  provider.webhooks.emit('invoice.paid', invoice)
  provider.webhooks.emit('customer.subscription.updated', subscription)
  return intent
}

function markPaid(invoice: Invoice, now: number): void {
  invoice.status = 'paid'
  invoice.attempt_count += 1
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.next_payment_attempt = null
  invoice.status_transitions.paid_at = now
}

function keepActive(subscription: Subscription, intent: PaymentIntent): void {
  if (subscription.status === 'incomplete' || subscription.status === 'past_due') subscription.status = 'active'
  if (intent.payment_method) subscription.default_payment_method = intent.payment_method
}
