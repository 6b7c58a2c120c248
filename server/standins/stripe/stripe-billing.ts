import { badRequest } from './stripe-faults.ts'
import type {
  BillingReason,
  Customer,
  Invoice,
  InvoiceLine,
  PaymentIntent,
  Price,
  Subscription,
} from './stripe-records.ts'
import { newId, type StripeStore } from './stripe-store.ts'
import type { StripeWebhooks } from './stripe-webhooks.ts'

export interface Provider {
  store: StripeStore
  webhooks: StripeWebhooks
}

/** Returns the same day and time in the next month, or the last day of that month if it is too short. */
export function monthAfter(seconds: number): number {
  const from = new Date(seconds * 1000)
  const to = new Date(from)
  to.setUTCMonth(to.getUTCMonth() + 1)
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0)
  return Math.floor(to.getTime() / 1000)
}

export function invoiceLine(description: string, amount: number, period: { start: number; end: number }): InvoiceLine {
  return { id: newId('il'), object: 'line_item', amount, currency: 'usd', description, period }
}

export function subscriptionLine(
  store: StripeStore,
  price: Price,
  period: { start: number; end: number },
): InvoiceLine {
  const product = store.get('product', price.product)
  return invoiceLine(
    `1 × ${product.name} (at $${(price.unit_amount / 100).toFixed(2)} / month)`,
    price.unit_amount,
    period,
  )
}

/** Creates an invoice without storing it. Previews return it; `bill` stores it. */
export function draftInvoice(
  store: StripeStore,
  subscription: Subscription,
  reason: BillingReason,
  lines: InvoiceLine[],
): Invoice {
  const customer = store.get('customer', subscription.customer)
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  const due = Math.max(0, total + customer.balance)
  const now = store.now()
  return {
    id: newId('in'),
    object: 'invoice',
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    attempt_count: 0,
    billing_reason: reason,
    confirmation_secret: null,
    created: now,
    currency: 'usd',
    customer: customer.id,
    lines: { object: 'list', data: lines, has_more: false, url: '/v1/invoices/lines' },
    next_payment_attempt: null,
    number: '',
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
    },
    period_end: subscription.items.data[0].current_period_end,
    period_start: subscription.items.data[0].current_period_start,
    status: 'open',
    post_payment_credit_notes_amount: 0,
    status_transitions: { finalized_at: now, paid_at: null, voided_at: null },
    subtotal: total,
    total,
  }
}

/** Applies the customer's credit, then stores the invoice with its payment intent. */
export function bill(
  provider: Provider,
  subscription: Subscription,
  invoice: Invoice,
): { invoice: Invoice; intent: PaymentIntent } {
  const { store, webhooks } = provider
  const customer = store.get('customer', subscription.customer)
  useCredit(customer, invoice)
  const intentId = newId('pi')
  const intent: PaymentIntent = {
    id: intentId,
    object: 'payment_intent',
    amount: invoice.amount_due,
    amount_received: 0,
    client_secret: `${intentId}_secret_${newId('s').slice(2)}`,
    created: store.now(),
    currency: 'usd',
    customer: customer.id,
    last_payment_error: null,
    metadata: {},
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  }
  invoice.number = store.nextInvoiceNumber()
  invoice.confirmation_secret = { client_secret: intent.client_secret, type: 'payment_intent' }
  store.tables.invoice[invoice.id] = invoice
  store.tables.payment_intent[intent.id] = intent
  subscription.latest_invoice = invoice.id
  webhooks.emit('invoice.created', invoice)
  webhooks.emit('invoice.finalized', invoice)
  return { invoice, intent }
}

/** Credit is a negative balance. A negative total adds credit, and a positive total uses it up. */
function useCredit(customer: Customer, invoice: Invoice): void {
  customer.balance = Math.min(0, customer.balance + invoice.total)
}

export function invoiceOf(store: StripeStore, intent: PaymentIntent): Invoice {
  const found = Object.values(store.tables.invoice).find(
    ({ confirmation_secret: secret }) => secret?.client_secret === intent.client_secret,
  )
  if (!found) throw badRequest('This PaymentIntent does not belong to an invoice.', 'payment_intent')
  return found
}

export function intentOf(store: StripeStore, { confirmation_secret: secret }: Invoice): PaymentIntent {
  return store.get('payment_intent', secret?.client_secret.split('_secret_')[0])
}

export function subscriptionOf(store: StripeStore, invoice: Invoice): Subscription {
  return store.get('subscription', invoice.parent.subscription_details.subscription)
}

export function voidInvoice(provider: Provider, invoiceId: string | null): void {
  const invoice = provider.store.tables.invoice[invoiceId ?? '']
  if (invoice?.status !== 'open') return
  invoice.status = 'void'
  invoice.status_transitions.voided_at = provider.store.now()
  const intent = Object.values(provider.store.tables.payment_intent).find(
    ({ client_secret: secret }) => secret === invoice.confirmation_secret?.client_secret,
  )
  if (intent && intent.status !== 'succeeded') intent.status = 'canceled'
  provider.webhooks.emit('invoice.voided', invoice)
}
