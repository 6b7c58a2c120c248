import { bill, draftInvoice, intentOf, monthAfter, subscriptionLine, type Desk } from './stripe-billing.ts'
import { chargeOffSession } from './stripe-payments.ts'
import type { Subscription } from './stripe-records.ts'
import { endSubscription } from './stripe-subscriptions.ts'

/** The provider's documented limits: an unpaid first invoice lapses after 23 hours, a renewal is tried four times. */
const firstPaymentSeconds = 23 * 3600
const renewalAttempts = 4

/** Does what has fallen due: renewals, further attempts, planned cancellations, lapsed first payments. */
export function runDue(desk: Desk): void {
  for (const subscription of Object.values(desk.store.tables.subscription)) {
    if (subscription.status === 'incomplete') lapse(desk, subscription)
    else if (subscription.status === 'active') renewUntilNow(desk, subscription)
    else if (subscription.status === 'past_due') tryAgain(desk, subscription)
  }
  desk.store.save()
}

function lapse(desk: Desk, subscription: Subscription): void {
  if (desk.store.now() >= subscription.created + firstPaymentSeconds)
    endSubscription(desk, subscription, 'incomplete_expired')
}

function renewUntilNow(desk: Desk, subscription: Subscription): void {
  const [item] = subscription.items.data
  while (subscription.status === 'active' && item.current_period_end <= desk.store.now()) {
    if (subscription.cancel_at_period_end) {
      endSubscription(desk, subscription)
      return
    }
    const period = { start: item.current_period_end, end: monthAfter(item.current_period_end) }
    const { data: items } = subscription.items
    for (const each of items)
      Object.assign(each, { current_period_start: period.start, current_period_end: period.end })
    const lines = items.map(({ price }) => subscriptionLine(desk.store, price, period))
    const { intent } = bill(desk, subscription, draftInvoice(desk.store, subscription, 'subscription_cycle', lines))
    chargeOffSession(desk, intent, subscription.default_payment_method)
  }
}

function tryAgain(desk: Desk, subscription: Subscription): void {
  const invoice = desk.store.tables.invoice[subscription.latest_invoice ?? '']
  if (!invoice || invoice.next_payment_attempt === null || invoice.next_payment_attempt > desk.store.now()) return
  if (invoice.attempt_count >= renewalAttempts) {
    endSubscription(desk, subscription)
    return
  }
  chargeOffSession(desk, intentOf(desk.store, invoice), subscription.default_payment_method)
}
