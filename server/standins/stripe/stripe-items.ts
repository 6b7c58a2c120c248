import { invoiceLine } from './stripe-billing.ts'
import { badRequest } from './stripe-faults.ts'
import { textAt, type Form } from './stripe-form.ts'
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from './stripe-records.ts'
import { newId, type StripeStore } from './stripe-store.ts'

/** A replaced item has `from` and `to`, an added item only `to`, and a removed item only `from`. */
export interface ItemChange {
  from?: SubscriptionItem | undefined
  to?: Price | undefined
}

export function itemFor(
  subscriptionId: string,
  price: Price,
  period: { start: number; end: number },
  now: number,
): SubscriptionItem {
  return {
    id: newId('si'),
    object: 'subscription_item',
    created: now,
    current_period_end: period.end,
    current_period_start: period.start,
    price,
    quantity: 1,
    subscription: subscriptionId,
  }
}

interface AskedItem {
  id: string | undefined
  priceId: string | undefined
  gone: boolean
}

/** Reads `items[0][id]`, `items[0][price]` and so on. Stops at the first index that has neither an id nor a price. */
function askedItems(form: Form, path: readonly string[]): AskedItem[] {
  const asked: AskedItem[] = []
  for (let index = 0; ; index += 1) {
    const field = (name: string) => textAt(form, ...path, index, name)
    const item = { id: field('id'), priceId: field('price'), gone: field('deleted') === 'true' }
    if (item.id === undefined && item.priceId === undefined) return asked
    asked.push(item)
  }
}

function assertPriceOnce({ items }: Subscription, price: Price, except: SubscriptionItem | undefined): void {
  if (items.data.some((item) => item !== except && item.price.id === price.id))
    throw badRequest(`Cannot add multiple subscription items with the same price: ${price.id}`, 'items')
}

function changeOf(
  store: StripeStore,
  subscription: Subscription,
  { id, priceId, gone }: AskedItem,
): ItemChange | undefined {
  const from = id === undefined ? undefined : ownItem(subscription, id)
  const to = gone || priceId === undefined ? undefined : store.get('price', priceId)
  if (from && !to && !gone) return undefined
  if (to) assertPriceOnce(subscription, to, from)
  return from?.price.id === to?.id ? undefined : { from, to }
}

export function itemChanges(
  store: StripeStore,
  subscription: Subscription,
  form: Form,
  path: readonly string[],
): ItemChange[] {
  const changes = askedItems(form, path).flatMap((asked) => changeOf(store, subscription, asked) ?? [])
  if (changes.length > 0 && itemsAfter(subscription, changes, 0).length === 0)
    throw badRequest('A subscription must have at least one active item.', 'items')
  return changes
}

function ownItem({ items }: Subscription, id: string): SubscriptionItem {
  const found = items.data.find((item) => item.id === id)
  if (!found) throw badRequest(`No such subscription item: '${id}'`, 'items')
  return found
}

/** Credits unused time of removed items and charges added items for the rest of the period, which starts at `asked` or now. */
export function prorationLines(
  store: StripeStore,
  { items }: Subscription,
  changes: readonly ItemChange[],
  asked: number | undefined,
): InvoiceLine[] {
  const [{ current_period_start: start, current_period_end: end }] = items.data
  const at = asked ?? Math.min(store.now(), end)
  if (!(at >= start && at <= end))
    throw badRequest('Cannot specify a proration date outside of the current period.', 'proration_date')
  const period = { start: at, end }
  const share = (end - at) / (end - start)
  const name = (price: Price) => store.get('product', price.product).name
  return changes.flatMap(({ from, to }) => [
    ...(from
      ? [invoiceLine(`Unused time on ${name(from.price)}`, -Math.round(from.price.unit_amount * share), period)]
      : []),
    ...(to ? [invoiceLine(`Remaining time on ${name(to)}`, Math.round(to.unit_amount * share), period)] : []),
  ])
}

function itemsAfter(subscription: Subscription, changes: readonly ItemChange[], now: number): SubscriptionItem[] {
  const [{ current_period_start: start, current_period_end: end }] = subscription.items.data
  const kept = subscription.items.data.flatMap((item) => {
    const change = changes.find(({ from }) => from === item)
    if (!change) return [item]
    return change.to ? [{ ...item, price: change.to }] : []
  })
  const added = changes.flatMap(({ from, to }) =>
    to && !from ? [itemFor(subscription.id, to, { start, end }, now)] : [],
  )
  return [...kept, ...added]
}

/** Applies changes that {@link itemChanges} returned. It has checked that at least one item remains. */
export function applyChanges(subscription: Subscription, changes: readonly ItemChange[], now: number): void {
  const [first, ...rest] = itemsAfter(subscription, changes, now)
  if (first) subscription.items.data = [first, ...rest]
}
