import { bill, draftInvoice, monthAfter, subscriptionLine, voidInvoice, type Provider } from './stripe-billing.ts'
import { badRequest } from './stripe-faults.ts'
import { mapAt, numberAt, textAt, type Form } from './stripe-form.ts'
import { applyChanges, itemChanges, itemFor, prorationLines, type ItemChange } from './stripe-items.ts'
import { chargeOffSession, refusalFault } from './stripe-payments.ts'
import type { Invoice, Subscription } from './stripe-records.ts'
import { newId } from './stripe-store.ts'

/** Supports only `default_incomplete`, with which the subscription becomes active once its first invoice is paid. */
export function createSubscription(provider: Provider, form: Form): Subscription {
  const { store, webhooks } = provider
  if (textAt(form, 'payment_behavior') !== 'default_incomplete') {
    throw badRequest(
      'This stand-in only creates subscriptions with payment_behavior=default_incomplete.',
      'payment_behavior',
    )
  }
  const customer = store.get('customer', textAt(form, 'customer'))
  const price = store.get('price', textAt(form, 'items', 0, 'price'))
  const now = store.now()
  const id = newId('sub')
  const subscription: Subscription = {
    id,
    object: 'subscription',
    billing_cycle_anchor: now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    created: now,
    currency: 'usd',
    customer: customer.id,
    default_payment_method: null,
    ended_at: null,
    items: {
      object: 'list',
      data: [itemFor(id, price, { start: now, end: monthAfter(now) }, now)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    metadata: mapAt(form, 'metadata'),
    start_date: now,
    status: 'incomplete',
  }
  store.tables.subscription[id] = subscription
  const lines = [subscriptionLine(store, price, { start: now, end: monthAfter(now) })]
  bill(provider, subscription, draftInvoice(store, subscription, 'subscription_create', lines))
  webhooks.emit('customer.subscription.created', subscription)
  return subscription
}

export function updateSubscription(provider: Provider, subscription: Subscription, form: Form): Subscription {
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    throw badRequest('A canceled subscription can only update its cancellation_details and metadata.')
  }
  const changes = itemChanges(provider.store, subscription, form, ['items'])
  if (changes.length > 0) changeItems(provider, subscription, changes, numberAt(form, 'proration_date'))
  const atPeriodEnd = textAt(form, 'cancel_at_period_end')
  if (atPeriodEnd !== undefined) scheduleCancel(provider, subscription, atPeriodEnd === 'true')
  const method = textAt(form, 'default_payment_method')
  if (method !== undefined) subscription.default_payment_method = provider.store.get('payment_method', method).id
  Object.assign(subscription.metadata, mapAt(form, 'metadata'))
  provider.webhooks.emit('customer.subscription.updated', subscription)
  return subscription
}

/** Charges immediately, as with `always_invoice`. If the card is declined, nothing changes, as with `error_if_incomplete`. */
function changeItems(
  provider: Provider,
  subscription: Subscription,
  changes: ItemChange[],
  prorationDate?: number,
): void {
  const lines = prorationLines(provider.store, subscription, changes, prorationDate)
  const latest = subscription.latest_invoice
  const balance = provider.store.get('customer', subscription.customer).balance
  const { invoice, intent } = bill(
    provider,
    subscription,
    draftInvoice(provider.store, subscription, 'subscription_update', lines),
  )
  const refusal = chargeOffSession(provider, intent, subscription.default_payment_method)
  if (refusal) {
    voidInvoice(provider, invoice.id)
    subscription.latest_invoice = latest
    provider.store.get('customer', subscription.customer).balance = balance
    throw refusalFault(refusal)
  }
  applyChanges(subscription, changes, provider.store.now())
}

function scheduleCancel({ store }: Provider, subscription: Subscription, cancel: boolean): void {
  subscription.cancel_at_period_end = cancel
  subscription.cancel_at = cancel ? subscription.items.data[0].current_period_end : null
  subscription.canceled_at = cancel ? store.now() : null
}

export function endSubscription(
  provider: Provider,
  subscription: Subscription,
  status: 'canceled' | 'incomplete_expired' = 'canceled',
) {
  const now = provider.store.now()
  subscription.status = status
  subscription.canceled_at ??= now
  subscription.ended_at = now
  voidInvoice(provider, subscription.latest_invoice)
  provider.webhooks.emit('customer.subscription.deleted', subscription)
  return subscription
}

/** Previews the invoice for the changes in `subscription_details` or, if there are none, the next renewal. */
export function previewInvoice({ store }: Provider, form: Form): Invoice {
  const subscription = store.get('subscription', textAt(form, 'subscription'))
  const changes = itemChanges(store, subscription, form, ['subscription_details', 'items'])
  if (changes.length > 0) {
    const at = numberAt(form, 'subscription_details', 'proration_date')
    const lines = prorationLines(store, subscription, changes, at)
    return { ...draftInvoice(store, subscription, 'subscription_update', lines), status: 'draft' }
  }
  const { data: items } = subscription.items
  const period = { start: items[0].current_period_end, end: monthAfter(items[0].current_period_end) }
  const lines = items.map(({ price }) => subscriptionLine(store, price, period))
  return { ...draftInvoice(store, subscription, 'upcoming', lines), status: 'draft' }
}
