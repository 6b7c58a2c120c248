import { bill, draftInvoice, intentOf, monthAfter, subscriptionLine, type Provider } from './stripe-billing.ts'
import { chargeOffSession } from './stripe-payments.ts'
import type { Subscription } from './stripe-records.ts'
import { endSubscription } from './stripe-subscriptions.ts'

/** An unpaid first invoice expires after 23 hours, as at Stripe. A renewal's payment is attempted four times. */
const firstPaymentSeconds = 23 * 3600
const renewalAttempts = 4

export function runDue(provider: Provider): void {
  for (const subscription of Object.values(provider.store.tables.subscription)) {
    if (subscription.status === 'incomplete') lapse(provider, subscription)
    else if (subscription.status === 'active') renewUntilNow(provider, subscription)
    else if (subscription.status === 'past_due') tryAgain(provider, subscription)
  }
  provider.store.save()
}

function lapse(provider: Provider, subscription: Subscription): void {
  if (provider.store.now() >= subscription.created + firstPaymentSeconds)
    endSubscription(provider, subscription, 'incomplete_expired')
}

function renewUntilNow(provider: Provider, subscription: Subscription): void {
  const [item] = subscription.items.data
  while (subscription.status === 'active' && item.current_period_end <= provider.store.now()) {
    if (subscription.cancel_at_period_end) {
      endSubscription(provider, subscription)
      return
    }
    const period = { start: item.current_period_end, end: monthAfter(item.current_period_end) }
    const { data: items } = subscription.items
    for (const each of items)
      Object.assign(each, { current_period_start: period.start, current_period_end: period.end })
    const lines = items.map(({ price }) => subscriptionLine(provider.store, price, period))
    const { intent } = bill(
      provider,
      subscription,
      draftInvoice(provider.store, subscription, 'subscription_cycle', lines),
    )
    chargeOffSession(provider, intent, subscription.default_payment_method)
  }
}

function tryAgain(provider: Provider, subscription: Subscription): void {
  const invoice = provider.store.tables.invoice[subscription.latest_invoice ?? '']
  if (!invoice || invoice.next_payment_attempt === null || invoice.next_payment_attempt > provider.store.now()) return
  if (invoice.attempt_count >= renewalAttempts) {
    endSubscription(provider, subscription)
    return
  }
  chargeOffSession(provider, intentOf(provider.store, invoice), subscription.default_payment_method)
}
