/** Stripe's objects under Stripe's own field names, reduced to the fields that Lanewire uses. Times are in Unix seconds. */
export interface Product {
  id: string
  object: 'product'
  name: string
  active: boolean
  created: number
  metadata: Record<string, string>
}

export interface Price {
  id: string
  object: 'price'
  active: boolean
  created: number
  currency: string
  lookup_key: string | null
  metadata: Record<string, string>
  product: string
  recurring: { interval: 'month'; interval_count: 1; usage_type: 'licensed' }
  type: 'recurring'
  unit_amount: number
}

export interface Customer {
  id: string
  object: 'customer'
  /** In cents. A negative balance is credit that lowers the next invoice. */
  balance: number
  created: number
  email: string | null
  invoice_settings: { default_payment_method: string | null }
  metadata: Record<string, string>
  name: string | null
}

export interface PaymentMethod {
  id: string
  object: 'payment_method'
  billing_details: { name: string | null; address: Record<string, string> }
  card: { brand: string; last4: string; exp_month: number; exp_year: number; funding: 'credit'; fingerprint: string }
  created: number
  customer: string | null
  type: 'card'
}

export type SubscriptionStatus = 'incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'canceled'

export interface SubscriptionItem {
  id: string
  object: 'subscription_item'
  created: number
  current_period_end: number
  current_period_start: number
  price: Price
  quantity: 1
  subscription: string
}

export interface Subscription {
  id: string
  object: 'subscription'
  billing_cycle_anchor: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  collection_method: 'charge_automatically'
  created: number
  currency: string
  customer: string
  default_payment_method: string | null
  ended_at: number | null
  items: { object: 'list'; data: [SubscriptionItem, ...SubscriptionItem[]]; has_more: false; url: string }
  latest_invoice: string | null
  livemode: false
  metadata: Record<string, string>
  start_date: number
  status: SubscriptionStatus
}

export interface InvoiceLine {
  id: string
  object: 'line_item'
  amount: number
  currency: string
  description: string
  period: { start: number; end: number }
}

export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming'

export interface Invoice {
  id: string
  object: 'invoice'
  amount_due: number
  amount_paid: number
  amount_remaining: number
  attempt_count: number
  billing_reason: BillingReason
  /** Included in responses only if `expand` names this field, as at Stripe. */
  confirmation_secret: { client_secret: string; type: 'payment_intent' } | null
  created: number
  currency: string
  customer: string
  lines: { object: 'list'; data: InvoiceLine[]; has_more: false; url: string }
  next_payment_attempt: number | null
  number: string
  parent: {
    type: 'subscription_details'
    subscription_details: { subscription: string; metadata: Record<string, string> }
  }
  period_end: number
  period_start: number
  status: 'draft' | 'open' | 'paid' | 'void'
  post_payment_credit_notes_amount: number
  status_transitions: { finalized_at: number | null; paid_at: number | null; voided_at: number | null }
  subtotal: number
  total: number
}

export interface CreditNote {
  id: string
  object: 'credit_note'
  amount: number
  created: number
  currency: string
  customer: string
  invoice: string
  memo: string | null
  metadata: Record<string, string>
  number: string
  post_payment_amount: number
  status: 'issued'
  type: 'post_payment'
}

export interface PaymentError {
  type: 'card_error'
  code: string
  decline_code?: string
  message: string
}

export interface PaymentIntent {
  id: string
  object: 'payment_intent'
  amount: number
  amount_received: number
  client_secret: string
  created: number
  currency: string
  customer: string
  last_payment_error: PaymentError | null
  metadata: Record<string, string>
  next_action: { type: 'use_stripe_sdk'; use_stripe_sdk: { type: 'three_d_secure_redirect' } } | null
  payment_method: string | null
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
}

export interface SetupIntent {
  id: string
  object: 'setup_intent'
  client_secret: string
  created: number
  customer: string
  last_setup_error: PaymentError | null
  metadata: Record<string, string>
  next_action: PaymentIntent['next_action']
  payment_method: string | null
  status: 'requires_payment_method' | 'requires_action' | 'succeeded'
  usage: 'off_session'
}

export interface StripeEvent {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: unknown }
  livemode: false
  pending_webhooks: number
  request: { id: null; idempotency_key: null }
  type: string
}
